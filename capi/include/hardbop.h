/*
 * hardbop.h - a software model checker for Boolean programs and for C, as a library.
 *
 * Errors.  Every function that can fail returns a hardbop_status; results go through the last argument, which is
 * written only where the status is HARDBOP_OK.  hardbop_last_error() says more.  A verdict UNKNOWN is a result, no error:
 * limits that are reached and checks that are cancelled end so.  No function ends the process, and none lets a Rust panic
 * or a C++ exception pass: a mistake in hardbop is HARDBOP_INTERNAL.
 *
 * Handles (hardbop_options *, hardbop_result *, ...) are opaque and never followed: one that is NULL, was freed, or is of
 * another kind is an error (HARDBOP_NULL_ARGUMENT, HARDBOP_INVALID_HANDLE), also where it is freed twice.  Every handle
 * is freed by its own function; freeing NULL does nothing.  Handles do not keep each other alive, and need not: what a
 * check needs it copies when it begins.
 *
 * Strings.  Arguments are UTF-8 with a NUL at the end, and are copied.  `const char *` results belong to the handle that
 * they were asked of and live until it is freed; `char *` results belong to the caller, who gives them to
 * hardbop_string_free().  Pointers that are not NULL have to be valid, as always in C: that cannot be checked.
 *
 * Threads.  All functions may be called from any thread, also with the same handle: such calls wait for each other, which
 * is short, for no handle is in use while a check runs (one set of options may be given to checks in parallel).  What is
 * left to the caller: strings of a handle are gone once any thread frees it, and a program that two threads build gets the
 * statements of both.  No function may be called from a signal handler.
 *
 * Names that begin with hardbop_automata_ and hardbop_abstract_c are reserved for what is to come.
 */
#ifndef HARDBOP_H
#define HARDBOP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return.  Numbers are not changed in later versions; there may be more. */
typedef enum hardbop_status {
    HARDBOP_OK = 0,
    HARDBOP_NULL_ARGUMENT = 1,  /* an argument is NULL that must not be */
    HARDBOP_INVALID_UTF8 = 2,   /* a text is not UTF-8 */
    HARDBOP_INVALID_HANDLE = 3, /* freed before, of another kind, or never a handle */
    HARDBOP_UNKNOWN_OPTION = 4, /* there is no option of that name */
    HARDBOP_INVALID_VALUE = 5,  /* an option cannot have that value */
    HARDBOP_INVALID_INPUT = 6,  /* a program, an expression or a formula has mistakes, whose places are in the message, or nothing in a program counts as an error */
    HARDBOP_MISUSE = 7,         /* a program is built in a way that makes no sense, as an `else` without an `if` */
    HARDBOP_NOT_AVAILABLE = 8,  /* the result has none of that, as a trace where the verdict is SAFE */
    HARDBOP_OUT_OF_RANGE = 9,  /* an index or a number is too large */
    HARDBOP_UNREADABLE = 10,    /* a file cannot be read */
    HARDBOP_LIMIT = 11,         /* hardbop_abstract_formula(): a limit, a raised flag, or a solver that gave up */
    HARDBOP_INTERNAL = 12,      /* a mistake in hardbop: please report it */
    HARDBOP_NO_SOLVER = 13      /* Z3 is needed and cannot be loaded; the message says why */
} hardbop_status;

/* The answer of a check. */
typedef enum hardbop_verdict {
    HARDBOP_SAFE = 0,   /* no error can be reached */
    HARDBOP_UNSAFE = 1, /* the trace reaches an error; an interpreter has executed it */
    HARDBOP_UNKNOWN = 2 /* hardbop_result_reason() says why */
} hardbop_verdict;

typedef struct hardbop_options hardbop_options;
typedef struct hardbop_cancel hardbop_cancel;
typedef struct hardbop_program hardbop_program;
typedef struct hardbop_procedure hardbop_procedure;
typedef struct hardbop_result hardbop_result;

/* ---- In general ---- */

/* The version, as "0.1.0"; a constant. */
const char *hardbop_version(void);

/* What went wrong in the last call of this thread, "" if nothing did.  Valid until the thread calls the next function that
 * returns a status; not to be freed. */
const char *hardbop_last_error(void);

/* The name of a status, as "HARDBOP_OK"; a constant. */
const char *hardbop_status_name(int status);

/* Frees a string that belongs to the caller.  HARDBOP_INVALID_HANDLE if it was freed before or is none of hardbop's. */
hardbop_status hardbop_string_free(char *string);

/* How many handles have not been freed; to find leaks. */
size_t hardbop_live_handles(void);

/* ---- Cancelling ---- */

/* A new flag, not raised. */
hardbop_status hardbop_cancel_new(hardbop_cancel **out);

/* Ends all checks whose options have the flag: soon, they answer UNKNOWN (interrupted).  Checks that begin while it is
 * raised end at once. */
hardbop_status hardbop_cancel_raise(hardbop_cancel *cancel);

/* Takes the flag down again. */
hardbop_status hardbop_cancel_reset(hardbop_cancel *cancel);

/* Frees the handle.  Checks that run with the flag go on, and nobody can cancel them any more. */
hardbop_status hardbop_cancel_free(hardbop_cancel *cancel);

/* ---- Options ---- */

/* The defaults of the command line.  Functions that take options take NULL for the defaults. */
hardbop_status hardbop_options_new(hardbop_options **out);

/* Sets an option.  Names and values are those that `hardbop check --json` writes; lists are separated by commas; `-` and
 * `_` in names are the same.  The most useful ones:
 *
 *   both            time-limit-seconds, memory-limit-bytes (of the whole process; limits are looked at during the run, and
 *                   an operation of a solver that cannot be interrupted may run on beyond them),
 *                   entry, error-labels, check-asserts
 *   Boolean         engine (auto, qbf, universal, bdd, pdr, race), threads, seed, certify (SAFE is proved again without
 *   programs        the engine, and comes with an invariant), plain, bound, bdd-order, qbf, sat, dialect (slam, getafix,
 *                   wali)
 *   C programs      data-model (ilp32, lp64; also 32, 64; else what the text shows), acsl, overflow-check, check-bounds, check-null,
 *                   error-functions, solver (blast, z3),
 *   and automata    abstraction (boolean, cartesian), blocks (lbe, sbe, abe-lf, abe-loops, abe-n:K), algorithm (auto,
 *                   predicate, impact, impact-original), forced-covering, order, executions, explicit-states, recursion,
 *                   route (auto, tree, bp: by way of Boolean programs, for which the options of those hold)
 *
 * hardbop_options_json() has all of them.  The solver `qbf=cmd:...` starts a program. */
hardbop_status hardbop_options_set(hardbop_options *options, const char *name, const char *value);

/* All options as JSON. */
hardbop_status hardbop_options_json(hardbop_options *options, char **out);

/* Gives the flag to checks with these options; NULL: none. */
hardbop_status hardbop_options_set_cancel(hardbop_options *options, hardbop_cancel *cancel);

/* Told how a check goes on: seconds since its beginning, a line for people, statistics as JSON, and the pointer that was
 * given with it; the strings live as long as the call.  It is called some times per second at most, never in parallel for one
 * check, and in the thread that does the work: for C programs and automata that is another one than the
 * caller's, which waits.  Anything
 * but 0 cancels the check, by raising the flag of the options if they have one.  It must return: no longjmp, no exception. */
typedef int (*hardbop_progress)(double seconds, const char *line, const char *statistics_json, void *user);

/* Checks with these options call `progress`; NULL: nothing. */
hardbop_status hardbop_options_set_progress(hardbop_options *options, hardbop_progress progress, void *user);

/* Frees the handle. */
hardbop_status hardbop_options_free(hardbop_options *options);

/* ---- Building Boolean programs ----
 *
 * Names are any texts without `}` and control characters; what is no identifier of the language is written in braces
 * ("x > 0" becomes {x > 0}).  Expressions are texts in the language, so there the braces have to stand:
 * "!{x > 0} & (y | *)".  Conditions of blocks, goto and so on are as in docs/boolean-programs.md.  A call that fails changes
 * nothing. */

/* An empty program. */
hardbop_status hardbop_program_new(hardbop_program **out);

/* Declares a global variable. */
hardbop_status hardbop_program_global(hardbop_program *program, const char *name);

/* Adds a procedure, which is empty from then on: its handle can only be freed.  Callees may be added later. */
hardbop_status hardbop_program_add(hardbop_program *program, hardbop_procedure *procedure);

/* The program as text, to whose lines traces refer. */
hardbop_status hardbop_program_text(hardbop_program *program, char **out);

/* Frees the handle. */
hardbop_status hardbop_program_free(hardbop_program *program);

/* The name as expressions have to write it. */
hardbop_status hardbop_quote(const char *name, char **out);

/* A procedure that returns so many values. */
hardbop_status hardbop_procedure_new(const char *name, size_t returns, hardbop_procedure **out);

/* Declares the next formal parameter. */
hardbop_status hardbop_procedure_formal(hardbop_procedure *procedure, const char *name);

/* Declares a local variable, which has any value at first. */
hardbop_status hardbop_procedure_local(hardbop_procedure *procedure, const char *name);

/* A label in front of the next statement. */
hardbop_status hardbop_procedure_label(hardbop_procedure *procedure, const char *name);

/* skip */
hardbop_status hardbop_procedure_skip(hardbop_procedure *procedure);

/* Parallel assignment of `count` values; the target "_" drops its value.  `constrain` may be NULL; in it, 'x is the new
 * value of x. */
hardbop_status hardbop_procedure_assign(hardbop_procedure *procedure, size_t count, const char *const *targets,
                                        const char *const *values, const char *constrain);

/* targets := callee(arguments); without targets, values are dropped. */
hardbop_status hardbop_procedure_call(hardbop_procedure *procedure, size_t target_count, const char *const *targets,
                                      const char *callee, size_t argument_count, const char *const *arguments);

/* Executions go on only where the condition can be true. */
hardbop_status hardbop_procedure_assume(hardbop_procedure *procedure, const char *condition);

/* It is an error if the condition can be false. */
hardbop_status hardbop_procedure_assert(hardbop_procedure *procedure, const char *condition);

/* To any of the labels. */
hardbop_status hardbop_procedure_goto(hardbop_procedure *procedure, size_t count, const char *const *labels);

/* return, with as many values as the procedure has. */
hardbop_status hardbop_procedure_return(hardbop_procedure *procedure, size_t count, const char *const *values);

/* Blocks: begin_if, any number of else_if, at most one else, end_if; begin_while, end_while. */
hardbop_status hardbop_procedure_begin_if(hardbop_procedure *procedure, const char *condition);
hardbop_status hardbop_procedure_else_if(hardbop_procedure *procedure, const char *condition);
hardbop_status hardbop_procedure_else(hardbop_procedure *procedure);
hardbop_status hardbop_procedure_end_if(hardbop_procedure *procedure);
hardbop_status hardbop_procedure_begin_while(hardbop_procedure *procedure, const char *condition);
hardbop_status hardbop_procedure_end_while(hardbop_procedure *procedure);

/* Frees the handle. */
hardbop_status hardbop_procedure_free(hardbop_procedure *procedure);

/* ---- Checking ----
 *
 * A check runs in the calling thread until it has an answer.  `name` stands in traces and messages where else a file does;
 * it may be NULL. */

/* A Boolean program as text. */
hardbop_status hardbop_check_boolean_text(hardbop_options *options, const char *name, const char *text,
                                          hardbop_result **out);

/* A program that was built; it can be built on and checked again. */
hardbop_status hardbop_check_boolean_program(hardbop_options *options, const char *name, hardbop_program *program,
                                             hardbop_result **out);

/* A C program, preprocessed (cc -E).  What is an error is told by the options. */
hardbop_status hardbop_check_c_text(hardbop_options *options, const char *name, const char *text, hardbop_result **out);

/* The same from a file. */
hardbop_status hardbop_check_c_file(hardbop_options *options, const char *path, hardbop_result **out);

/* Control-flow automata that are described in JSON, as docs/protocol.md has it.  `predicates` are tracked from the start: formulas
 * in SMT-LIB over globals `x` and variables `f::x` of one function; it may be NULL.  Steps of traces have the line of the
 * description, or 0, column 0, and no file. */
hardbop_status hardbop_check_automata(hardbop_options *options, const char *description, const char *predicates,
                                      hardbop_result **out);

/* ---- Results ---- */

hardbop_status hardbop_result_verdict(hardbop_result *result, hardbop_verdict *out);

/* Why the verdict is UNKNOWN; otherwise HARDBOP_NOT_AVAILABLE. */
hardbop_status hardbop_result_reason(hardbop_result *result, const char **out);

/* "VERDICT: SAFE" and so on, as the command line prints it. */
hardbop_status hardbop_result_verdict_line(hardbop_result *result, const char **out);

/* The way into the error, where the verdict is UNSAFE; otherwise HARDBOP_NOT_AVAILABLE. */
hardbop_status hardbop_result_trace_text(hardbop_result *result, const char **out);
hardbop_status hardbop_result_trace_json(hardbop_result *result, const char **out);

/* A step of the trace.  The strings belong to the result. */
typedef struct hardbop_step {
    const char *procedure;
    const char *file;
    const char *text; /* the statement or condition */
    uint32_t line;    /* from 1 */
    uint32_t column;  /* from 1, in characters */
    uint32_t depth;   /* open calls: 0 in the procedure that the program starts with */
} hardbop_step;

/* How many steps the trace has; 0 where there is none. */
hardbop_status hardbop_result_step_count(hardbop_result *result, size_t *out);

/* A step; they count from 0. */
hardbop_status hardbop_result_step(hardbop_result *result, size_t index, hardbop_step *out);

/* What holds at places of the program, where the verdict is SAFE; otherwise, and for Boolean programs without the option
 * `certify`, HARDBOP_NOT_AVAILABLE.  As JSON it is the member `invariants` of the document. */
hardbop_status hardbop_result_invariant_text(hardbop_result *result, const char **out);
hardbop_status hardbop_result_invariant_json(hardbop_result *result, const char **out);

/* The certificate of a Boolean program, for `hardbop certify` (docs/certificates.md); with the option `certify`. */
hardbop_status hardbop_result_certificate_json(hardbop_result *result, const char **out);

/* What the check took. */
hardbop_status hardbop_result_statistics_json(hardbop_result *result, const char **out);

/* Everything: the document that `hardbop check --json` writes; docs/answer.schema.json describes it. */
hardbop_status hardbop_result_json(hardbop_result *result, const char **out);

/* What the verdict of a C program takes for granted; from 0. */
hardbop_status hardbop_result_assumption_count(hardbop_result *result, size_t *out);
hardbop_status hardbop_result_assumption(hardbop_result *result, size_t index, const char **out);

/* What is odd about the program; from 0. */
hardbop_status hardbop_result_warning_count(hardbop_result *result, size_t *out);
hardbop_status hardbop_result_warning(hardbop_result *result, size_t index, const char **out);

/* Frees the handle, and with it all its strings. */
hardbop_status hardbop_result_free(hardbop_result *result);

/* ---- Abstraction ---- */

/* The strongest formula over predicates that follows from a formula: any Boolean combination, or with the option
 * abstraction=cartesian a conjunction of predicates and their negations.  All is SMT-LIB over Booleans and bit-vectors of up to 64
 * bits: declarations "(declare-const x (_ BitVec 32))", formulas "(bvult x #x0000000a)", one after the other; several
 * formulas are a conjunction. */
hardbop_status hardbop_abstract_formula(hardbop_options *options, const char *declarations, const char *formula,
                                        const char *predicates, char **out);

/* The Boolean program of a preprocessed C program and predicates, as text; it does all that the program does, as far as the
 * predicates tell.  Predicates are formulas in SMT-LIB over the variables, as `hardbop check --dump-predicates` writes them; NULL
 * is none.  Options are blocks, abstraction and those that say how C is read. */
hardbop_status hardbop_abstract_c(hardbop_options *options, const char *name, const char *text, const char *predicates,
                                  char **out);

/* The same of automata, as hardbop_check_automata() reads them. */
hardbop_status hardbop_abstract_automata(hardbop_options *options, const char *description, const char *predicates,
                                         char **out);

#ifdef __cplusplus
}
#endif

#endif
