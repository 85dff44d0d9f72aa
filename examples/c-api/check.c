/*
 * Uses hardbop from C: checks Boolean programs, as text and built, and a C program, shows a trace, cancels a check from
 * another thread, and provokes every kind of error.  `make -C examples/c-api` builds and runs it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hardbop.h"

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, hardbop_last_error());
    exit(1);
}

/* What must not fail. */
#define DO(call)              \
    do {                      \
        if ((call) != HARDBOP_OK) \
            die(#call);       \
    } while (0)

/* What must fail, and how. */
#define FAILS(expected, call)                                                                  \
    do {                                                                                       \
        hardbop_status status_ = (call);                                                       \
        if (status_ != (expected)) {                                                           \
            fprintf(stderr, "%s: %s: %s\n", #call, hardbop_status_name(status_), hardbop_last_error()); \
            exit(1);                                                                           \
        }                                                                                      \
        printf("%s: %s\n", hardbop_status_name(status_), hardbop_last_error());               \
    } while (0)

static hardbop_verdict verdict(hardbop_result *result)
{
    hardbop_verdict found;
    const char *line;
    DO(hardbop_result_verdict(result, &found));
    DO(hardbop_result_verdict_line(result, &line));
    puts(line);
    return found;
}

static const char BOOLEAN[] =
    "decl held;\n"
    "void take() begin\n"
    "  assert(!held);\n"
    "  held := T;\n"
    "end\n"
    "void main() begin\n"
    "  held := F;\n"
    "  take();\n"
    "  if (*) then held := F; fi;\n"
    "  take();\n"
    "end\n";

static void boolean_text(void)
{
    hardbop_result *result;
    const char *text;
    size_t count, i;
    DO(hardbop_check_boolean_text(NULL, "lock.bp", BOOLEAN, &result));
    verdict(result);
    DO(hardbop_result_trace_text(result, &text));
    fputs(text, stdout);
    DO(hardbop_result_step_count(result, &count));
    for (i = 0; i < count; i++) {
        hardbop_step step;
        DO(hardbop_result_step(result, i, &step));
        if (i + 1 == count)
            printf("the last step: %s:%u in %s, %u calls deep: %s\n", step.file, (unsigned)step.line,
                   step.procedure, (unsigned)step.depth, step.text);
    }
    DO(hardbop_result_trace_json(result, &text));
    printf("JSON: %d\n", text[0] == '{' && strstr(text, "\"steps\"") != NULL);
    DO(hardbop_result_json(result, &text));
    printf("JSON: %d\n", strstr(text, "\"exit-code\": 10") != NULL);
    DO(hardbop_result_statistics_json(result, &text));
    printf("JSON: %d\n", text[0] == '{');
    FAILS(HARDBOP_NOT_AVAILABLE, hardbop_result_invariant_text(result, &text));
    FAILS(HARDBOP_NOT_AVAILABLE, hardbop_result_reason(result, &text));
    FAILS(HARDBOP_OUT_OF_RANGE, hardbop_result_warning(result, 0, &text));
    DO(hardbop_result_free(result));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_result_free(result));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_result_json(result, &text));
}

/* The same without the mistake, call by call, with a predicate for a name. */
static void boolean_built(void)
{
    static const char *const held[] = {"lock == 1"}, *const yes[] = {"T"}, *const no[] = {"F"};
    hardbop_program *program;
    hardbop_procedure *take, *entry;
    hardbop_options *options;
    hardbop_result *result;
    const char *json;
    char *text;
    DO(hardbop_program_new(&program));
    DO(hardbop_program_global(program, "lock == 1"));
    DO(hardbop_procedure_new("take", 0, &take));
    DO(hardbop_procedure_assert(take, "!{lock == 1}"));
    DO(hardbop_procedure_assign(take, 1, held, yes, NULL));
    DO(hardbop_procedure_new("main", 0, &entry));
    DO(hardbop_procedure_assign(entry, 1, held, no, NULL));
    DO(hardbop_procedure_begin_while(entry, "*"));
    DO(hardbop_procedure_call(entry, 0, NULL, "take", 0, NULL));
    DO(hardbop_procedure_begin_if(entry, "{lock == 1}"));
    DO(hardbop_procedure_assign(entry, 1, held, yes, "'{lock == 1}"));
    DO(hardbop_procedure_else(entry));
    DO(hardbop_procedure_assert(entry, "F"));
    FAILS(HARDBOP_MISUSE, hardbop_procedure_else_if(entry, "T"));
    FAILS(HARDBOP_MISUSE, hardbop_procedure_end_while(entry));
    FAILS(HARDBOP_MISUSE, hardbop_program_add(program, entry));
    DO(hardbop_procedure_end_if(entry));
    DO(hardbop_procedure_assign(entry, 1, held, no, NULL));
    DO(hardbop_procedure_end_while(entry));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_procedure_assume(entry, "a &"));
    FAILS(HARDBOP_MISUSE, hardbop_procedure_local(entry, "a}"));
    FAILS(HARDBOP_MISUSE, hardbop_procedure_goto(entry, 0, NULL));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_procedure_goto(entry, 2, NULL));
    DO(hardbop_program_add(program, entry));
    FAILS(HARDBOP_MISUSE, hardbop_program_add(program, entry));
    FAILS(HARDBOP_MISUSE, hardbop_procedure_skip(entry));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_boolean_program(NULL, "built", program, &result));
    DO(hardbop_program_add(program, take));
    DO(hardbop_procedure_free(take));
    DO(hardbop_procedure_free(entry));
    DO(hardbop_program_text(program, &text));
    fputs(text, stdout);
    DO(hardbop_string_free(text));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_string_free(text));

    DO(hardbop_options_new(&options));
    DO(hardbop_options_set(options, "certify", "true"));
    DO(hardbop_options_set(options, "engine", "qbf"));
    DO(hardbop_check_boolean_program(options, "built", program, &result));
    DO(hardbop_program_free(program));
    DO(hardbop_options_free(options));
    verdict(result);
    DO(hardbop_result_certificate_json(result, &json));
    printf("certificate: %d\n", strstr(json, "\"SAFE\"") != NULL);
    DO(hardbop_result_invariant_text(result, &json));
    printf("invariant: %d\n", strstr(json, "invariant at line ") != NULL);
    FAILS(HARDBOP_NOT_AVAILABLE, hardbop_result_trace_text(result, &json));
    DO(hardbop_result_free(result));
    DO(hardbop_quote("x > 0", &text));
    puts(text);
    DO(hardbop_string_free(text));
}

static const char C_PROGRAM[] =
    "extern int __VERIFIER_nondet_int(void);\n"
    "extern void reach_error(void);\n"
    "int main(void) {\n"
    "  int x = 0, y = __VERIFIER_nondet_int();\n"
    "  if (y == 7) x = 1;\n"
    "  if (x == 1 && y LIMIT) reach_error();\n"
    "  return 0;\n"
    "}\n";

static void c_program(void)
{
    hardbop_options *options;
    hardbop_result *result;
    const char *text;
    size_t count;
    int bug;
    DO(hardbop_options_new(&options));
    DO(hardbop_options_set(options, "data-model", "64"));
    DO(hardbop_options_set(options, "executions", "0"));
    DO(hardbop_options_set(options, "explicit_states", "0"));
    DO(hardbop_options_set(options, "time-limit-seconds", "600"));
    for (bug = 0; bug < 2; bug++) {
        char program[sizeof C_PROGRAM + 8];
        const char *hole = strstr(C_PROGRAM, "LIMIT");
        sprintf(program, "%.*s%s%s", (int)(hole - C_PROGRAM), C_PROGRAM, bug ? "== 7" : "> 7", hole + 5);
        DO(hardbop_check_c_text(options, "lock.c", program, &result));
        if (verdict(result) == HARDBOP_UNSAFE) {
            DO(hardbop_result_trace_text(result, &text));
            fputs(text, stdout);
        } else {
            DO(hardbop_result_invariant_json(result, &text));
        }
        DO(hardbop_result_json(result, &text));
        printf("JSON: %d\n", strstr(text, "\"data-model\": \"lp64\"") != NULL);
        DO(hardbop_result_assumption_count(result, &count));
        DO(hardbop_result_free(result));
    }
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_c_text(options, "bad.c", "int main(void) { return x; }", &result));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_c_text(options, "raw.c", "#include <stdio.h>\n", &result));
    FAILS(HARDBOP_UNREADABLE, hardbop_check_c_file(options, "no/such/file.c", &result));
    DO(hardbop_options_free(options));
}

static void abstraction(void)
{
    static const char x[] = "(declare-const x (_ BitVec 8))";
    hardbop_options *options;
    char *text;
    DO(hardbop_options_new(&options));
    DO(hardbop_options_set(options, "abstraction", "cartesian"));
    DO(hardbop_abstract_formula(options, x, "(or (= x #x03) (= x #x05))", "(bvult x #x09) (= x #x03)", &text));
    puts(text);
    DO(hardbop_string_free(text));
    DO(hardbop_abstract_formula(NULL, x, "(or (= x #x03) (= x #x05))", "(= x #x05) (= x #x03)", &text));
    puts(text);
    DO(hardbop_string_free(text));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_abstract_formula(NULL, x, "(= y x)", "", &text));
    DO(hardbop_options_free(options));
}

/* `less` returns some number below its argument; `main` counts down from below 10 with it. */
static const char AUTOMATA[] =
    "{\"globals\": [{\"name\": \"x\", \"sort\": \"(_ BitVec 8)\"}], \"functions\": [\n"
    " {\"name\": \"main\", \"locations\": 4, \"entry\": 0, \"exit\": 3, \"edges\": [\n"
    "  {\"from\": 0, \"to\": 1, \"step\": {\"assume\": \"(bvult x #x0a)\"}, \"text\": \"x < 10\", \"line\": 1},\n"
    "  {\"from\": 1, \"to\": 1, \"step\": {\"call\": {\"function\": \"less\", \"arguments\": [\"x\"],\n"
    "    \"result\": \"x\"}}, \"line\": 2},\n"
    "  {\"from\": 1, \"to\": 2, \"step\": {\"assume\": \"(= x LIMIT)\"}, \"line\": 3},\n"
    "  {\"from\": 2, \"step\": \"error\", \"text\": \"assert\", \"line\": 4}]},\n"
    " {\"name\": \"less\", \"parameters\": [{\"name\": \"n\", \"sort\": \"(_ BitVec 8)\"}],\n"
    "  \"locals\": [{\"name\": \"r\", \"sort\": \"(_ BitVec 8)\"}], \"result\": \"r\",\n"
    "  \"locations\": 2, \"entry\": 0, \"exit\": 1, \"edges\": [\n"
    "   {\"from\": 0, \"to\": 1, \"step\": {\"relation\": {\"formula\": \"(bvult r' n)\", \"changes\": [\"r\"]}}}]}]}\n";

static void automata(void)
{
    static const char predicates[] = "(bvult x #x0a) (bvult |less::r| |less::n|)";
    static const char *const limits[] = {"#xc8", "#x09"};
    hardbop_options *options;
    hardbop_result *result;
    const char *json;
    char *text;
    int bug, route;
    DO(hardbop_options_new(&options));
    for (route = 0; route < 2; route++) {
        DO(hardbop_options_set(options, "route", route ? "bp" : "tree"));
        for (bug = 0; bug < 2; bug++) {
            char program[sizeof AUTOMATA + 8];
            const char *hole = strstr(AUTOMATA, "LIMIT");
            hardbop_step step;
            size_t count;
            sprintf(program, "%.*s%s%s", (int)(hole - AUTOMATA), AUTOMATA, limits[bug], hole + 5);
            DO(hardbop_check_automata(options, program, route ? predicates : NULL, &result));
            if (verdict(result) == HARDBOP_UNSAFE) {
                DO(hardbop_result_trace_text(result, &json));
                printf("trace: %d\n", strstr(json, "line 4  main  assert: ERROR\n") != NULL);
                DO(hardbop_result_trace_json(result, &json));
                DO(hardbop_result_step_count(result, &count));
                DO(hardbop_result_step(result, count - 1, &step));
                printf("the last step: %u in %s: %s\n", (unsigned)step.line, step.procedure, step.text);
            } else {
                DO(hardbop_result_invariant_text(result, &json));
                printf("invariant: %d\n", strstr(json, "invariant at location 1 in main: ") != NULL);
                DO(hardbop_result_invariant_json(result, &json));
            }
            DO(hardbop_result_statistics_json(result, &json));
            printf("JSON: %d\n", strstr(json, route ? "\"rounds\"" : "\"refinements\"") != NULL);
            DO(hardbop_result_json(result, &json));
            printf("JSON: %d\n", strstr(json, route ? "\"route\": \"bp\"" : "\"route\": \"tree\"") != NULL);
            DO(hardbop_result_free(result));
            if (route && !bug) {
                DO(hardbop_abstract_automata(options, program, predicates, &text));
                printf("Boolean program: %d\n", strstr(text, "bool less(") != NULL);
                DO(hardbop_check_boolean_text(options, "less.bp", text, &result));
                DO(hardbop_string_free(text));
                verdict(result);
                DO(hardbop_result_free(result));
                FAILS(HARDBOP_INVALID_INPUT, hardbop_check_automata(options, program, "(= x y)", &result));
                FAILS(HARDBOP_INVALID_INPUT, hardbop_abstract_automata(options, program, "(= x", &text));
            }
        }
    }
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_automata(options, "{", NULL, &result));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_automata(options, AUTOMATA, NULL, &result));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_abstract_automata(options, "{\"functions\": []}", NULL, &text));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_check_automata(options, NULL, NULL, &result));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_abstract_automata(options, AUTOMATA, NULL, NULL));
    FAILS(HARDBOP_INVALID_VALUE, hardbop_options_set(options, "route", "sideways"));
    DO(hardbop_options_free(options));
}

static void c_abstraction(void)
{
    static const char program[] =
        "int x;\nint main(void) { x = 0; while (x < 9) x++; return x; }\n";
    char *text;
    DO(hardbop_abstract_c(NULL, "count.c", program, "(bvslt x #x00000009)", &text));
    printf("Boolean program: %d\n", strstr(text, "decl {x < 9};") != NULL);
    DO(hardbop_string_free(text));
    DO(hardbop_abstract_c(NULL, NULL, program, NULL, &text));
    DO(hardbop_string_free(text));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_abstract_c(NULL, "count.c", program, "(bvslt y x)", &text));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_abstract_c(NULL, "bad.c", "int main(void) { return x; }", NULL, &text));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_abstract_c(NULL, NULL, NULL, NULL, &text));
}

static void *check_text(void *options)
{
    hardbop_result *result;
    hardbop_verdict found = HARDBOP_UNKNOWN;
    if (hardbop_check_boolean_text(options, NULL, BOOLEAN, &result) == HARDBOP_OK) {
        hardbop_result_verdict(result, &found);
        hardbop_result_free(result);
    }
    return found == HARDBOP_UNSAFE ? options : NULL;
}

/* One set of options, several checks at a time. */
static void in_parallel(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    hardbop_options *options;
    int i, unsafe = 0;
    DO(hardbop_options_new(&options));
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, check_text, options) != 0)
            exit(1);
    for (i = 0; i < THREADS; i++) {
        void *found;
        pthread_join(threads[i], &found);
        unsafe += found != NULL;
    }
    printf("%d of %d checks in parallel: UNSAFE\n", unsafe, THREADS);
    DO(hardbop_options_free(options));
}

/* A check that does not end by itself in a lifetime, and who is told that it runs. */
struct long_check {
    pthread_mutex_t mutex;
    pthread_cond_t runs;
    int is_running;
    hardbop_options *options;
    hardbop_result *result;
    hardbop_status status;
};

static int on_progress(double seconds, const char *line, const char *statistics_json, void *user)
{
    struct long_check *check = user;
    (void)seconds;
    if (line[0] == '\0' || statistics_json[0] != '{')
        return 1;
    pthread_mutex_lock(&check->mutex);
    check->is_running = 1;
    pthread_cond_signal(&check->runs);
    pthread_mutex_unlock(&check->mutex);
    return 0;
}

#define BITS 30

/* A counter of 30 bits that has to run through all its values. */
static void *run(void *argument)
{
    struct long_check *check = argument;
    char text[BITS * 200], *end = text;
    int i, j;
    end += sprintf(end, "decl b0");
    for (i = 1; i < BITS; i++)
        end += sprintf(end, ", b%d", i);
    end += sprintf(end, ";\nvoid main() begin\n");
    for (i = 0; i < BITS; i++)
        end += sprintf(end, "  b%d := F;\n", i);
    end += sprintf(end, "  while (T) do\n");
    for (i = BITS - 1; i >= 0; i--) {
        end += sprintf(end, "    b%d := b%d ^ (T", i, i);
        for (j = 0; j < i; j++)
            end += sprintf(end, " & b%d", j);
        end += sprintf(end, ");\n");
    }
    sprintf(end, "    assert(!(b0 & b%d));\n  od;\nend\n", BITS - 1);
    check->status = hardbop_check_boolean_text(check->options, "counter.bp", text, &check->result);
    return NULL;
}

static int stop(double seconds, const char *line, const char *statistics_json, void *user)
{
    (void)seconds, (void)line, (void)statistics_json;
    ++*(int *)user;
    return 1;
}

static void cancelling(void)
{
    struct long_check check;
    hardbop_cancel *cancel;
    pthread_t thread;
    const char *reason;
    int calls = 0;
    memset(&check, 0, sizeof check);
    pthread_mutex_init(&check.mutex, NULL);
    pthread_cond_init(&check.runs, NULL);
    DO(hardbop_cancel_new(&cancel));
    DO(hardbop_options_new(&check.options));
    DO(hardbop_options_set(check.options, "engine", "qbf"));
    DO(hardbop_options_set(check.options, "plain", "true"));
    DO(hardbop_options_set_cancel(check.options, cancel));
    DO(hardbop_options_set_progress(check.options, on_progress, &check));
    if (pthread_create(&thread, NULL, run, &check) != 0)
        exit(1);
    pthread_mutex_lock(&check.mutex);
    while (!check.is_running)
        pthread_cond_wait(&check.runs, &check.mutex);
    pthread_mutex_unlock(&check.mutex);
    DO(hardbop_cancel_raise(cancel));
    pthread_join(thread, NULL);
    if (check.status != HARDBOP_OK)
        exit(1);
    verdict(check.result);
    DO(hardbop_result_reason(check.result, &reason));
    puts(reason);
    DO(hardbop_result_free(check.result));

    /* The callback itself can end a check, too. */
    DO(hardbop_cancel_reset(cancel));
    DO(hardbop_options_set_progress(check.options, stop, &calls));
    run(&check);
    if (check.status != HARDBOP_OK)
        exit(1);
    verdict(check.result);
    printf("called: %d\n", calls > 0);
    DO(hardbop_result_free(check.result));
    DO(hardbop_cancel_free(cancel));
    DO(hardbop_options_free(check.options));
    pthread_mutex_destroy(&check.mutex);
    pthread_cond_destroy(&check.runs);
}

static void errors(void)
{
    hardbop_options *options;
    hardbop_result *result;
    char *text;
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_options_new(NULL));
    DO(hardbop_options_new(&options));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_options_set(NULL, "engine", "qbf"));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_options_set(options, NULL, "qbf"));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_options_set(options, "engine", NULL));
    FAILS(HARDBOP_UNKNOWN_OPTION, hardbop_options_set(options, "motor", "qbf"));
    FAILS(HARDBOP_INVALID_VALUE, hardbop_options_set(options, "engine", "diesel"));
    FAILS(HARDBOP_INVALID_VALUE, hardbop_options_set(options, "threads", "0"));
    FAILS(HARDBOP_INVALID_VALUE, hardbop_options_set(options, "certify", "perhaps"));
    FAILS(HARDBOP_INVALID_VALUE, hardbop_options_set(options, "time-limit-seconds", "-1"));
    FAILS(HARDBOP_INVALID_VALUE, hardbop_options_set(options, "data-model", "16"));
    FAILS(HARDBOP_INVALID_UTF8, hardbop_options_set(options, "engine", "\xFF\xFE"));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_options_set((hardbop_options *)&text, "engine", "qbf"));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_cancel_raise((hardbop_cancel *)(void *)options));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_program_free((hardbop_program *)(void *)options));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_check_boolean_text(options, NULL, NULL, &result));
    FAILS(HARDBOP_NULL_ARGUMENT, hardbop_check_boolean_text(options, NULL, BOOLEAN, NULL));
    FAILS(HARDBOP_INVALID_UTF8, hardbop_check_boolean_text(options, NULL, "\xC3(", &result));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_boolean_text(options, NULL, "void main() begin x := T; end", &result));
    FAILS(HARDBOP_INVALID_INPUT, hardbop_check_boolean_text(options, NULL, "void main() begin skip; end", &result));
    DO(hardbop_options_set(options, "seed", "7"));
    DO(hardbop_options_set(options, "engine", "bdd"));
    DO(hardbop_options_json(options, &text));
    printf("JSON: %d\n", strstr(text, "\"seed\": 7") != NULL && strstr(text, "\"engine\": \"bdd\"") != NULL);
    DO(hardbop_string_free(text));
    DO(hardbop_string_free(NULL));
    DO(hardbop_options_free(options));
    DO(hardbop_options_free(NULL));
    FAILS(HARDBOP_INVALID_HANDLE, hardbop_options_free(options));
}

int main(void)
{
    printf("hardbop %s\n", hardbop_version());
    boolean_text();
    boolean_built();
    errors();
    abstraction();
    c_program();
    automata();
    c_abstraction();
    in_parallel();
    cancelling();
    printf("live handles: %d\n", (int)hardbop_live_handles());
    return hardbop_live_handles() == 0 ? 0 : 1;
}
