# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_hardbop_global_optspecs
    string join \n h/help V/version
end

function __fish_hardbop_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_hardbop_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_hardbop_using_subcommand
    set -l cmd (__fish_hardbop_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c hardbop -n "__fish_hardbop_needs_command" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_needs_command" -s V -l version -d 'Print version'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "check" -d 'Decide whether a program can reach an error'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "list" -d 'List what can be checked: functions, labels, assertions'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "certify" -d 'Decide whether a certificate proves its verdict, without the engines'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "compare" -d 'Run the engines, and other programs, on the same files'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "campaign" -d 'Check many programs for many properties, on one machine or many, and go on where it was ended'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "abstract" -d 'Write the Boolean program that predicates make of a C program'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "cfa" -d 'Show the control-flow automaton of a C program'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "fmt" -d 'Print a Boolean program in canonical form'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "export" -d 'Write a Boolean program in the language of another tool'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "serve" -d 'Answer requests in JSON, one per line of standard input'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "replay" -d 'Send the requests of a session again, and compare the answers'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "lsp" -d 'Tell an editor what is found in the files that are open, as a language server'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "gen" -d 'Generate benchmark programs'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "sat" -d 'Decide a formula in DIMACS'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "qbf" -d 'Decide a 2QBF in QDIMACS'
complete -c hardbop -n "__fish_hardbop_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l error -d 'A label that must not be reached, instead of ERROR and SLIC_ERROR; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l entry -d 'The procedure that the program starts with, instead of `main`; a C program without `main` starts with the only function that no other calls. `\'*\'` checks each function of a C program that has a body by itself, with the limits for each, and prints a line for each; the last line and the exit code are those of the worst' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l only-at -d 'Of assertions only those at these places (FILE:LINE:COLUMN), no labels but those of `--error`, and of the operations of a check that is named only those at its places (CHECK@FILE:LINE:COLUMN): what `--each` runs' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l except-at -d 'Errors that do not occur, by assumption, named as for `--only-at`: what `--each` has found' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l time-limit -d 'Give up after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l memory-limit -d 'Give up beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l strategy -d 'Take the steps of this file (JSON), or of this text where it begins with `{`, in place of the built-in ones: of `--engine auto` for a Boolean program, of `--route` for C; `help` instead prints the built-in ones' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l limit -d 'Another value for a limit of the engines, for measurements; `help` instead lists them; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l trace -d 'How to show the way into an error' -r -f -a "text\t'Statements, and what they change'
json\t'The same steps as JSON'
none\t'Not at all'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l certificate -d 'Write the evidence for the verdict, for `hardbop certify`' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l sarif -d 'Write SARIF 2.1.0, for code scanning: an error with the way into it' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l mistakes -d 'Where the input has mistakes, write them as JSON: what `hardbop lsp` runs' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l baseline -d 'With `--each`, compare with the SARIF of an earlier run: findings that it has are known, others new' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l fail-on -d 'With `--each`, which findings the exit code is about; the verdict is that of all in any case' -r -f -a "any\t'All: the exit code says what the verdict says'
new\t'Those that are neither known by `--baseline` nor silenced by a comment: 0 where there is no error and nothing undecided among them, also where the verdict is another one than SAFE'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l junit -d 'Write JUnit\'s XML, for build servers: a test that passes where the program is SAFE' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l html -d 'Write a page for browsers: an error\'s path to step through beside the text, invariants at their lines, the reachability tree or the summaries of procedures, statistics' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dialect -d 'How operators bind: tools that write Boolean programs disagree about it' -r -f -a "slam\t'SLAM, SATABS: `=> = !=` bind loosest, alike and to the right; then `^`, `|`, `&`'
getafix\t'Getafix: from loose to tight `=>`, `|`, `^`, `&`, and `= !=` alike; all to the left'
wali\t'WALi: from loose to tight `| =>` alike, `^`, `&`, `= !=` alike; all to the left.  Any number but 0 is true'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l method -d 'How programs with threads are decided' -r -f -a "auto\t'All of them, the cheapest first'
modular\t'The states of each thread by itself'
states\t'All states, of more and more threads'
coverability\t'Backwards from the error, for any number of threads'
rounds\t'Schedules of a few rounds, as a sequential program'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l rounds -d 'Look at schedules of so many rounds at most, where a program with threads is too large for its states; in a round, each thread has a turn' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dump-cfg -d 'Write the control-flow graphs in the DOT format; `-` writes to standard output' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dump-qbf -d 'Write every quantified query into this directory, as query-000001.qdimacs and so on, for other solvers' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l engine -d 'The algorithm; which one is the fastest depends on the program (see `hardbop compare`)' -r -f -a "auto\t'Property-directed reachability and BDDs as long as they take little work; then universal summaries where they stay small, QBF summaries elsewhere'
qbf\t'QBF summaries'
universal\t'Universal summaries; QBF summaries for recursive procedures and those that get too large'
bdd\t'BDD summaries: Bebop\'s algorithm'
pdr\t'Property-directed reachability over procedure summaries: IC3 for programs with calls'
race\t'Several engines side by side, at least two: as many as there are threads.  The answer is that of the engine that needed the least work, so the same in every run, but not for every number of threads'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l threads -d 'Search on so many threads, with the same answer for every number; with `--engine race`, so many engines; for a C program with `--route auto`, race the tree and Boolean programs' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l bound -d 'When universal summaries stop unrolling a loop' -r -f -a "rrd\t'The reachability recurrence diameter: no execution visits one more new state'
fixpoint\t'The last unrolling adds no state'
both\t'The first, and now and then the second'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l universal-limit -d 'Nodes of a path edge beyond which its procedure gets no universal summary, as that may cost more than it saves (with `--engine universal`)' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l bdd-order -d 'How the BDD engine orders variables: its memory depends on it' -r -f -a "dependency\t'Variables that depend on each other come close together (FORCE)'
depth-first\t'As a depth-first search through the transition functions meets them'
declaration\t'As the program declares them'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l qbf -d 'The 2QBF solver: `embedded`, `depqbf` (where hardbop was built with it), or `cmd:` and the command line of any program that reads QDIMACS; `{}` in it is the file, else the query goes to its standard input' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l sat -d 'The SAT solver, also inside the embedded 2QBF solver' -r -f -a "cadical\t'CaDiCaL (C++)'
varisat\t'varisat (pure Rust)'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l seed -d 'Seed of the random simulation in the embedded 2QBF solver' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l language -d 'The language of the program' -r -f -a "auto\t'C where the name ends in .c or .i, or in .yml (a task definition), a Boolean program where it ends in .bp or has no ending; other names are refused'
bp\t'A Boolean program'
c\t'A C program'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -s I -d 'Look for headers in this directory, too; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -s D -d 'Define a macro, as 1 where no value is given; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -s U -d 'Undefine a macro that the compiler or `-D` defines; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l include -d 'Begin with this header, as if the text included it first; also `-include FILE`; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l std -d 'The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l compile-commands -d 'A compile database (compile_commands.json): its C files, where none are named, and its options for them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l program -d 'Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l library -d 'Link the C files of this folder that define what the program calls and does not define; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l rule -d 'Check a rule of an interface: that of a file, or one of hardbop\'s own, such as streams or mutexes; may be repeated, and asks for nothing else unless `--check` does' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l cc -d 'The compiler whose preprocessor is used, such as clang-19' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l spec -d 'A property file of SV-COMP: it alone says what is an error, and where executions start. Of a task definition (FILE.yml), the property that is checked; else its first one about reachability' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check -d 'Kinds of error that are looked for in operations and accesses, separated by commas; `no-NAME` takes one away; may be repeated. A program that states no error itself is asked for `undefined`' -r -f -a "overflow\t'Signed overflow, and shifts by a count out of range, are errors; else numbers wrap around, as with `gcc -fwrapv`'
bounds\t'An access outside of its object is an error; else there is none, by assumption'
null\t'An access through a null pointer is an error; else there is none, by assumption'
division\t'A division of integers by zero is an error; else there is none, by assumption'
free\t'`free` or `realloc` of what is not null and no live block\'s start is an error'
lifetime\t'An access to a freed block, or to a variable that has ended, is an error'
cleanup\t'A block that is not freed when the program ends is an error'
leak\t'A block that is not freed when the program ends, and to which nothing points, is an error'
uninitialised\t'The use of a value that was never written is an error'
unreachable\t'A call of `__builtin_unreachable` is an error; else there is none, by assumption'
return\t'The use of a result that a function did not give is an error'
vla\t'An array of variable length without elements is an error; else there is none, by assumption'
shift\t'A shift that C leaves undefined is an error; `overflow` has these, too'
unsigned-overflow\t'An operation on unsigned integers that wraps around is an error'
conversion\t'An implicit conversion of an integer that changes its value is an error'
float-cast\t'A conversion of a floating-point number to an integer type that does not have it is an error'
pointer-order\t'The order or the difference of pointers into different objects is an error'
overlap\t'A copy by the library between objects that overlap is an error'
const\t'A write to an object that is defined `const`, or to a string literal, is an error'
format\t'A format that does not fit the arguments of `printf` or `scanf` is an error'
alignment\t'A conversion of a pointer to one to a type for which it is not aligned is an error'
float-division\t'A division of a floating-point number by zero is an error; else its result is that of IEEE 754'
sequence\t'Two effects on one object, or one and a read of it, without an order, as in `i = i++`, are an error; else there are none, by assumption'
race\t'Accesses of two threads to one object without an order, of which one writes and one is not atomic, are an error; else each is a step of its own, by assumption'
deadlock\t'That no thread can go on, and not all have ended, is an error; else it is an end of the program'
memory\t'bounds, null, free and lifetime'
undefined\t'memory, overflow, division, unreachable, return and float-cast'
leaks\t'leak and cleanup'
all\t'all but unsigned-overflow, conversion, float-division and deadlock, which are defined'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l pointers -d 'What the pointers lead to that the function of `--entry` is given: `valid` with `--entry \'*\'`, else `any`' -r -f -a "valid\t'Each pointer leads to an object of its type that no other one leads to'
maybe-null\t'As `valid`, or it is null'
any\t'Pointers have any value'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l memory -d 'How much of memory is modelled' -r -f -a "havoc\t'Scalars and fields of records whose address is not taken; all else is any value. Errors that this does not rule out, and that cannot be executed, are UNKNOWN'
regions\t'All objects of which there is one at a time'
one-cell\t'As `regions`, and one cell of each large array, one block of each allocation that is repeated'
few-arguments\t'As `regions`, but only for few and short arguments of `main`. Errors count, proofs do not'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l externals -d 'What functions without a body do' -r -f -a "any\t'They may write to whatever another file can name or was given, and call what they were given'
reachable\t'They may write to what they were given, and call nothing back'
pure\t'They write nothing and call nothing back'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l route -d 'How a verdict is found' -r -f -a "auto\t'The tree, and Boolean programs for recursion and where the tree has no answer; with `--threads 2` both at once'
tree\t'The abstract reachability tree'
bp\t'Abstraction to Boolean programs, one procedure per function, which their engines decide'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l blocks -d 'What an edge of the abstract reachability tree, or a statement of a Boolean program, stands for: `sbe` one operation, `lbe` a part of the summarised automaton, `abe-lf` all up to the next loop head or entry or exit of a function, `abe-loops` all up to the next loop head (`:K`: at most K operations), `abe-n:K` K operations' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l abstraction -d 'What is kept of a block: Cartesian abstraction is cheaper, but less precise' -r -f -a "cartesian\t'The strongest conjunction of predicates and their negations'
boolean\t'The strongest Boolean combination'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l algorithm -d 'How the abstract reachability tree is built' -r -f -a "predicate\t'Lazy predicate abstraction'
auto\t'A short attempt by IMPACT, which finds some errors without any abstraction; then `predicate`'
impact\t'Lazy abstraction with interpolants: IMPACT'
impact-abstract\t'IMPACT, but new states are abstractions over the predicates of earlier interpolants'
impact-original\t'IMPACT in McMillan\'s order of steps'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l order -d 'The order in which the states of the tree are expanded' -r -f -a "dfs\t'Depth first'
bfs\t'Breadth first'
topological\t'By the position of their locations in a reverse postorder of the blocks'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l scope -d 'Where a predicate counts: a wider scope needs fewer refinements, each abstraction costs more (for the tree)' -r -f -a "global\t'Everywhere'
function\t'In the activation of the function where it was found'
location\t'At the location where it was found'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l refinement -d 'Where predicates come from (for the tree; Boolean programs get interpolants)' -r -f -a "auto\t'Comparisons that the program text suggests, if they suffice; otherwise interpolants'
interpolants\t'Interpolants only, as in the paper'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l interpolation -d 'How interpolants are found' -r -f -a "auto\t'One strategy after the other'
spacer\t'Horn clauses: Spacer over linear integers, then over bit-vectors'
projection\t'Strongest postconditions, then weakest preconditions'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l smt -d 'The SMT solver of the abstraction; the other one checks the invariant' -r -f -a "blast\t'Bit-blasting and CaDiCaL'
z3\t'Z3, on bit-vectors'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l arithmetic -d 'The arithmetic of the abstraction and of path checks; with `linear`, a verdict is still one about bits, or UNKNOWN' -r -f -a "bits\t'Machine integers: bit-vectors'
linear\t'Unbounded integers, by Z3'"
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l executions -d 'Executions on zeros and random inputs that are tried first: many errors need no proof' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l explicit-states -d 'States that are enumerated first, if there are no more: small programs and state machines need no tree (for the tree; 0 where predicates are given or written, for they would not be used)' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l recursion -d 'Calls of one function that may be open at once; without it 4, and more where they are needed, up to 64 (for the tree; Boolean programs have no such limit)' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l predicates -d 'Track these predicates everywhere from the start: what `--dump-predicates` writes, also of another version of the program' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dump-predicates -d 'Write the predicates, one per line, in SMT-LIB with C as a comment; for `--predicates`' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l learned -d 'Begin with what an earlier run has left in this file, of this program, of another version, or of another property, and leave there what this run has learned: the verdict does not depend on it, the time does (for the tree)' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l harness -d 'Write a C program that, compiled and run, reaches the error' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dump-witness -d 'Write a witness of the verdict in the format of SV-COMP, for validators: what calls return on the way into the error, or invariants of loops; version 1.0 (GraphML) where the name ends in .graphml, else 2.0 (YAML)' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l witness -d 'Validate this witness of SV-COMP\'s format 2.0 (YAML): SAFE only if its invariants hold, too, UNSAFE only by an execution that passes its waypoints; of format 1.0 (GraphML) the invariants of states, or a path into an error, by what calls return there' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dump-art -d 'Write the abstract reachability tree in the DOT format; `-` writes to standard output' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l dump-smt -d 'Write every SMT query into this directory, as query-000001.smt2 and so on, for other solvers' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l save-bps -d 'Write the Boolean program of each round into this directory, as round-001.bp and so on (not with `--route tree`)' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l cache -d 'Keep abstractions of blocks in this directory, for other runs (not with `--route tree`)' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l ignore-asserts -d 'Check the labels only: assertions (in Boolean programs also `abortif`) do nothing'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l each -d 'Print a verdict for each label, each assertion, and of a C program each operation at its place, with the limits for each run that this takes; the last line and the exit code are those of the worst. An execution ends where another assertion fails, or another operation is an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l first -d 'With `--each`, stop at the first error that is neither known by `--baseline` nor silenced: what is not decided by then stays so'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l stats -d 'Print statistics before the verdict'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l json -d 'Print one JSON document instead of everything else'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l github -d 'Print annotations before the verdict, as workflow commands of GitHub Actions: of errors, and of what is undecided, but for what is known or silenced'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -s v -l verbose -d 'Say on standard error what is being done'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -s q -l quiet -d 'Print the verdict only: no trace, no progress, no warnings'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l plain -d 'The algorithm of the paper on the whole program, for comparisons: no bounded searches, no clausal invariant, no localization'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l 64 -d '`long` and pointers have 64 bits (LP64): the default, where neither a task definition nor the text (`typedef unsigned int size_t;`) says otherwise'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l 32 -d '`long` and pointers have 32 bits (ILP32)'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l acsl -d 'A false `/*@ assert E; */`, `//@ assert E;` or `/*@ loop invariant E; */` of ACSL is an error, and so is a false `requires` where the program calls the function, or `ensures` where that returns; where executions start, `requires` is assumed. So annotated programs need no other assertions; else these are comments'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l overflow-check -d 'Signed overflow, and shifts by a count out of range, are errors; else numbers wrap around, as with `gcc -fwrapv`'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-bounds -d 'An access outside of its object is an error; else there is none, by assumption'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-null -d 'An access through a null pointer is an error; else there is none, by assumption'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-division -d 'A division of integers by zero is an error; else there is none, by assumption'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-free -d '`free` or `realloc` of what is not null and no live block\'s start is an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-lifetime -d 'An access to a freed block, or to a variable that has ended, is an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-cleanup -d 'A block that is not freed when the program ends is an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-leak -d 'A block that is not freed when the program ends, and to which nothing points, is an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l check-uninitialised -d 'The use of a value that was never written is an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l malloc-may-fail -d '`malloc` and its like may return null'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -l forced-covering -d 'With IMPACT, try to strengthen a state such that another one covers it, before it is expanded: most programs need fewer refinements then'
complete -c hardbop -n "__fish_hardbop_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l error -d 'A label of C that is listed, instead of ERROR; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l dialect -d 'How operators of Boolean programs bind where the dialects disagree' -r -f -a "slam\t'SLAM, SATABS: `=> = !=` bind loosest, alike and to the right; then `^`, `|`, `&`'
getafix\t'Getafix: from loose to tight `=>`, `|`, `^`, `&`, and `= !=` alike; all to the left'
wali\t'WALi: from loose to tight `| =>` alike, `^`, `&`, `= !=` alike; all to the left.  Any number but 0 is true'"
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l language -d 'The language of the program' -r -f -a "auto\t'C where the name ends in .c or .i, or in .yml (a task definition), a Boolean program where it ends in .bp or has no ending; other names are refused'
bp\t'A Boolean program'
c\t'A C program'"
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -s I -d 'Look for headers in this directory, too; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -s D -d 'Define a macro, as 1 where no value is given; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -s U -d 'Undefine a macro that the compiler or `-D` defines; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l include -d 'Begin with this header, as if the text included it first; also `-include FILE`; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l std -d 'The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l compile-commands -d 'A compile database (compile_commands.json): its C files, where none are named, and its options for them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l program -d 'Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l library -d 'Link the C files of this folder that define what the program calls and does not define; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l rule -d 'Check a rule of an interface: that of a file, or one of hardbop\'s own, such as streams or mutexes; may be repeated, and asks for nothing else unless `--check` does' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l cc -d 'The compiler whose preprocessor is used, such as clang-19' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l json -d 'Print one JSON document'
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l 64 -d '`long` and pointers have 64 bits (LP64): the default, where neither a task definition nor the text (`typedef unsigned int size_t;`) says otherwise'
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -l 32 -d '`long` and pointers have 32 bits (ILP32)'
complete -c hardbop -n "__fish_hardbop_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l error -d 'The property must have exactly these labels; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l entry -d 'The property must be about a program that starts with this procedure' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l sat -d 'The SAT solver; by default another one than the certificate\'s engine had' -r -f -a "cadical\t'CaDiCaL (C++)'
varisat\t'varisat (pure Rust)'"
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l qbf -d 'The 2QBF solver, for assertions with choices: `embedded`, `depqbf` (where hardbop was built with it, and then the default), or `cmd:` and a command line' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l language -d 'The language of the program' -r -f -a "auto\t'C where the name ends in .c or .i, or in .yml (a task definition), a Boolean program where it ends in .bp or has no ending; other names are refused'
bp\t'A Boolean program'
c\t'A C program'"
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -s I -d 'Look for headers in this directory, too; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -s D -d 'Define a macro, as 1 where no value is given; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -s U -d 'Undefine a macro that the compiler or `-D` defines; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l include -d 'Begin with this header, as if the text included it first; also `-include FILE`; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l std -d 'The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l compile-commands -d 'A compile database (compile_commands.json): its C files, where none are named, and its options for them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l program -d 'Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l library -d 'Link the C files of this folder that define what the program calls and does not define; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l rule -d 'Check a rule of an interface: that of a file, or one of hardbop\'s own, such as streams or mutexes; may be repeated, and asks for nothing else unless `--check` does' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l cc -d 'The compiler whose preprocessor is used, such as clang-19' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l time-limit -d 'Give up after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l memory-limit -d 'Give up beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l proofs -d 'Write every SAT query and its DRAT proof into this directory, as query-000001.cnf and query-000001.drat, and every 2QBF query as query-000001.qdimacs; needs varisat' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l adapt -d 'Accept a certificate of another version of the program too, if it can be made one of this version, which is written here: for those who keep certificates in CI (C only)' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l ignore-asserts -d 'The property must be about labels only'
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -l json -d 'Print one JSON document instead of everything else'
complete -c hardbop -n "__fish_hardbop_using_subcommand certify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l engines -d 'The engines, with commas between them; all where none is named' -r -f -a "auto\t'Property-directed reachability and BDDs as long as they take little work; then universal summaries where they stay small, QBF summaries elsewhere'
qbf\t'QBF summaries'
universal\t'Universal summaries; QBF summaries for recursive procedures and those that get too large'
bdd\t'BDD summaries: Bebop\'s algorithm'
pdr\t'Property-directed reachability over procedure summaries: IC3 for programs with calls'
race\t'Several engines side by side, at least two: as many as there are threads.  The answer is that of the engine that needed the least work, so the same in every run, but not for every number of threads'"
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l check-options -d 'Further options of `check`, for all engines' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l peer-preset -d 'Other programs that are known here, on Boolean programs as `export` writes them; what it cannot write counts as undecided; with commas between them' -r -f -a "spacer\t'Z3\'s Spacer on Horn clauses: `z3`'
abc\t'ABC\'s `pdr` on circuits: `berkeley-abc` or `abc`'
ric3\t'rIC3\'s IC3 on circuits: `rIC3`'"
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l peer -d 'Another program: a name for it and its command line, in which `{}` is the file; without `{}` the file goes to its standard input; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l peer-safe -d 'A line of its output that means SAFE; for one `--peer` or for all of them; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l peer-unsafe -d 'A line of its output that means UNSAFE; for one `--peer` or for all of them; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l expected -d 'Known verdicts: lines of a file\'s name, relative to this list, and safe, unsafe or unknown, with a tab between; `expected.tsv` beside a program is read in any case' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l time-limit -d 'End a run after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l memory-limit -d 'End a run beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l runs -d 'Runs of each on each file; what counts is the median' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l jobs -d 'Runs at the same time; more than one make times less certain' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l csv -d 'Write every run as a line of CSV; `-` is standard output, in place of the table' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l json -d 'Write everything as one JSON document' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l html -d 'Write a page with tables and plots' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l svg -d 'Write the plots into this directory' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -l growth -d 'Files such as `NAME-12.bp` are families: who does not decide a member is not run on larger ones, and tables and plots show time against the number'
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -s q -l quiet -d 'Show no progress'
complete -c hardbop -n "__fish_hardbop_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l on -d 'Where tasks run: `local`, or `ray://HOST:PORT` for the machines of a Ray cluster, `ray://auto` for the one that this machine belongs to' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l jobs -d 'Tasks at the same time on this machine, as one hardly uses more than one processor; without it, one for each processor' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l memory -d 'Memory for all tasks at the same time on this machine: one that may take more than is left waits; without it, nine tenths of what is free' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l python -d 'The Python that has hardbop and Ray, for `--on ray://`' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l store -d 'Where results are kept, in place of what the description says, so that two campaigns do not share them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l csv -d 'Write every task as a line of CSV; `-` is standard output, in place of the table' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l html -d 'Write a page for browsers with filters and plots; pages of tasks go to a folder beside it' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l benchexec -d 'Write results as BenchExec does into this folder, for its table-generator' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l diff -d 'Tell what has changed since the campaign with this store: verdicts, and times by a factor of two' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l split -d 'Divide tasks that take long, or have no verdict in their limits, where there is room for more runs: by other ways to the same verdict, and by property; the first answer counts.  As `split = true` in the description'
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l retry -d 'Run tasks without a verdict again: what made them fail may be gone'
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -l no-run -d 'Run nothing: show what is known'
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -s q -l quiet -d 'Show no progress and no table, for logs: the last line says how many tasks have which verdict'
complete -c hardbop -n "__fish_hardbop_using_subcommand campaign" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l predicates -d 'The predicates: formulas of SMT-LIB over the program\'s variables, one per line, as `hardbop check --dump-predicates` writes them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -s o -l output -d 'Where the Boolean program goes; standard output if there is none' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l blocks -d 'What an edge of the abstract reachability tree, or a statement of a Boolean program, stands for: `sbe` one operation, `lbe` a part of the summarised automaton, `abe-lf` all up to the next loop head or entry or exit of a function, `abe-loops` all up to the next loop head (`:K`: at most K operations), `abe-n:K` K operations' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l abstraction -d 'What is kept of a block: Cartesian abstraction is cheaper, but less precise' -r -f -a "cartesian\t'The strongest conjunction of predicates and their negations'
boolean\t'The strongest Boolean combination'"
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l cache -d 'Keep abstractions of blocks in this directory, for other runs' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -s I -d 'Look for headers in this directory, too; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -s D -d 'Define a macro, as 1 where no value is given; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -s U -d 'Undefine a macro that the compiler or `-D` defines; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l include -d 'Begin with this header, as if the text included it first; also `-include FILE`; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l std -d 'The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l compile-commands -d 'A compile database (compile_commands.json): its C files, where none are named, and its options for them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l program -d 'Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l library -d 'Link the C files of this folder that define what the program calls and does not define; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l rule -d 'Check a rule of an interface: that of a file, or one of hardbop\'s own, such as streams or mutexes; may be repeated, and asks for nothing else unless `--check` does' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l cc -d 'The compiler whose preprocessor is used, such as clang-19' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l time-limit -d 'Give up after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l memory-limit -d 'Give up beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l 64 -d '`long` and pointers have 64 bits (LP64): the default, where neither a task definition nor the text (`typedef unsigned int size_t;`) says otherwise'
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -l 32 -d '`long` and pointers have 32 bits (ILP32)'
complete -c hardbop -n "__fish_hardbop_using_subcommand abstract" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -s I -d 'Look for headers in this directory, too; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -s D -d 'Define a macro, as 1 where no value is given; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -s U -d 'Undefine a macro that the compiler or `-D` defines; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l include -d 'Begin with this header, as if the text included it first; also `-include FILE`; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l std -d 'The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l compile-commands -d 'A compile database (compile_commands.json): its C files, where none are named, and its options for them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l program -d 'Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l library -d 'Link the C files of this folder that define what the program calls and does not define; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l rule -d 'Check a rule of an interface: that of a file, or one of hardbop\'s own, such as streams or mutexes; may be repeated, and asks for nothing else unless `--check` does' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l cc -d 'The compiler whose preprocessor is used, such as clang-19' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l dot -d 'Print the automaton in the DOT format, not only its size'
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l summarise -d 'With large blocks: what has no loops becomes one edge'
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l 64 -d '`long` and pointers have 64 bits (LP64): the default, where neither a task definition nor the text (`typedef unsigned int size_t;`) says otherwise'
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -l 32 -d '`long` and pointers have 32 bits (ILP32)'
complete -c hardbop -n "__fish_hardbop_using_subcommand cfa" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand fmt" -l dialect -d 'How operators bind where the dialects disagree' -r -f -a "slam\t'SLAM, SATABS: `=> = !=` bind loosest, alike and to the right; then `^`, `|`, `&`'
getafix\t'Getafix: from loose to tight `=>`, `|`, `^`, `&`, and `= !=` alike; all to the left'
wali\t'WALi: from loose to tight `| =>` alike, `^`, `&`, `= !=` alike; all to the left.  Any number but 0 is true'"
complete -c hardbop -n "__fish_hardbop_using_subcommand fmt" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand fmt" -l check -d 'Print nothing, but exit with code 1 where the file is not in canonical form'
complete -c hardbop -n "__fish_hardbop_using_subcommand fmt" -s i -l in-place -d 'Change the file'
complete -c hardbop -n "__fish_hardbop_using_subcommand fmt" -l drop-comments -d 'Change the file even where that loses comments'
complete -c hardbop -n "__fish_hardbop_using_subcommand fmt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l format -d 'The language of the result' -r -f -a "chc\t'Constrained Horn clauses over Booleans, in SMT-LIB; of C over bit-vectors, a clause for each large block'
aiger\t'A sequential circuit in AIGER 1.9, of a program without recursion; in its ASCII variant where the file is called `.aag`'
btor2\t'The same circuit in BTOR2, with the program\'s variables as symbols'
smv\t'The same circuit in the language of NuSMV and nuXmv, with an `INVARSPEC`'
boogie\t'Procedures in Boogie 2, with an `{:entrypoint}`, for Corral and Boogie'"
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -s o -l output -d 'Where the result goes; standard output if there is none' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l error -d 'A label that must not be reached, instead of ERROR and SLIC_ERROR; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l entry -d 'The procedure that the program starts with, instead of `main`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l dialect -d 'How operators bind where the dialects disagree (of Boolean programs)' -r -f -a "slam\t'SLAM, SATABS: `=> = !=` bind loosest, alike and to the right; then `^`, `|`, `&`'
getafix\t'Getafix: from loose to tight `=>`, `|`, `^`, `&`, and `= !=` alike; all to the left'
wali\t'WALi: from loose to tight `| =>` alike, `^`, `&`, `= !=` alike; all to the left.  Any number but 0 is true'"
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l language -d 'The language of the program' -r -f -a "auto\t'C where the name ends in .c or .i, or in .yml (a task definition), a Boolean program where it ends in .bp or has no ending; other names are refused'
bp\t'A Boolean program'
c\t'A C program'"
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -s I -d 'Look for headers in this directory, too; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -s D -d 'Define a macro, as 1 where no value is given; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -s U -d 'Undefine a macro that the compiler or `-D` defines; may be repeated' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l include -d 'Begin with this header, as if the text included it first; also `-include FILE`; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l std -d 'The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l compile-commands -d 'A compile database (compile_commands.json): its C files, where none are named, and its options for them' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l program -d 'Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l library -d 'Link the C files of this folder that define what the program calls and does not define; may be repeated' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l rule -d 'Check a rule of an interface: that of a file, or one of hardbop\'s own, such as streams or mutexes; may be repeated, and asks for nothing else unless `--check` does' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l cc -d 'The compiler whose preprocessor is used, such as clang-19' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l color -d 'When to colour messages' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t''
never\t''"
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l ignore-asserts -d 'Labels only: assertions and `abortif` do nothing'
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l 64 -d '`long` and pointers have 64 bits (LP64): the default, where neither a task definition nor the text (`typedef unsigned int size_t;`) says otherwise'
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -l 32 -d '`long` and pointers have 32 bits (ILP32)'
complete -c hardbop -n "__fish_hardbop_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand serve" -l threads -d 'Requests that run at the same time; with one, answers come in the order of the requests' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand serve" -l max-request -d 'Longest request; what is longer is answered with an error' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand serve" -l time-limit -d 'Give up after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand serve" -l memory-limit -d 'Give up beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand serve" -l record -d 'Write everything that comes in and goes out, for `hardbop replay`' -r -F
complete -c hardbop -n "__fish_hardbop_using_subcommand serve" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand replay" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand lsp" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "driver" -d 'A program as SLAM makes them from Windows device drivers'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "counter" -d 'N bits that count: no shorter way tells what is reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "shift-register" -d 'Two shift registers of N stages that must agree'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "lock-discipline" -d 'N locks, and critical sections within each other'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "recursive-descent" -d 'A recursive parser with N levels of precedence'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "wide-summary" -d 'A reversible circuit on N wires, in procedures that take and return all of them'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "terminator" -d 'Does a nest of nondeterministic loops over N bits end?'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "slam-regression" -d 'N small procedures, for all kinds of statements in turn'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "saturating" -d 'A number with N bits that counts up to a limit and stays there'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "twins" -d 'Two numbers with N bits, counted by a procedure each, that stay equal'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "complement" -d 'A number with N bits that counts up, and one that counts down'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "stride" -d 'A number with N bits that is counted in steps of 4'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "parity" -d 'N bits that are flipped in any order, and their parity'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "multiply" -d 'Two procedures that multiply numbers with N bits'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "ring" -d 'N stations that hand a token around'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "depth" -d 'A recursive procedure with 2^(N-1) open calls and more'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "modules" -d 'N modules, each with an assertion of its own'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "feedback" -d 'Two shift registers with N stages that feed themselves, and stay equal'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "queue" -d 'Head, tail and number of entries of a queue, with N bits each'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and not __fish_seen_subcommand_from driver counter shift-register lock-discipline recursive-descent wide-summary terminator slam-regression saturating twins complement stride parity multiply ring depth modules feedback queue help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l vars -d 'Number of global variables' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l procs -d 'Number of procedures; those of the protocol come on top' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l depth -d 'Length of the longest chain of calls' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l statements -d 'Statements per procedure, about' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from driver" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from counter" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from counter" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from counter" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from counter" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from counter" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from shift-register" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from shift-register" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from shift-register" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from shift-register" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from shift-register" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from lock-discipline" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from lock-discipline" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from lock-discipline" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from lock-discipline" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from lock-discipline" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from recursive-descent" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from recursive-descent" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from recursive-descent" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from recursive-descent" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from recursive-descent" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from wide-summary" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from wide-summary" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from wide-summary" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from wide-summary" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from wide-summary" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from terminator" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from terminator" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from terminator" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from terminator" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from terminator" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from slam-regression" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from slam-regression" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from slam-regression" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from slam-regression" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from slam-regression" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from saturating" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from saturating" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from saturating" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from saturating" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from saturating" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from twins" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from twins" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from twins" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from twins" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from twins" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from complement" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from complement" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from complement" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from complement" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from complement" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from stride" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from stride" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from stride" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from stride" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from stride" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from parity" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from parity" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from parity" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from parity" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from parity" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from multiply" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from multiply" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from multiply" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from multiply" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from multiply" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from ring" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from ring" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from ring" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from ring" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from ring" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from depth" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from depth" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from depth" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from depth" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from depth" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from modules" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from modules" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from modules" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from modules" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from modules" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from feedback" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from feedback" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from feedback" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from feedback" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from feedback" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from queue" -l size -d 'The parameter of the family' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from queue" -l seed -d 'Seed of the random choices' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from queue" -l bug -d 'Make the error reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from queue" -l safe -d 'Make the error unreachable: the default, for scripts that choose between the two'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from queue" -s h -l help -d 'Print help'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "driver" -d 'A program as SLAM makes them from Windows device drivers'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "counter" -d 'N bits that count: no shorter way tells what is reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "shift-register" -d 'Two shift registers of N stages that must agree'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "lock-discipline" -d 'N locks, and critical sections within each other'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "recursive-descent" -d 'A recursive parser with N levels of precedence'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "wide-summary" -d 'A reversible circuit on N wires, in procedures that take and return all of them'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "terminator" -d 'Does a nest of nondeterministic loops over N bits end?'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "slam-regression" -d 'N small procedures, for all kinds of statements in turn'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "saturating" -d 'A number with N bits that counts up to a limit and stays there'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "twins" -d 'Two numbers with N bits, counted by a procedure each, that stay equal'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "complement" -d 'A number with N bits that counts up, and one that counts down'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "stride" -d 'A number with N bits that is counted in steps of 4'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "parity" -d 'N bits that are flipped in any order, and their parity'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "multiply" -d 'Two procedures that multiply numbers with N bits'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "ring" -d 'N stations that hand a token around'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "depth" -d 'A recursive procedure with 2^(N-1) open calls and more'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "modules" -d 'N modules, each with an assertion of its own'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "feedback" -d 'Two shift registers with N stages that feed themselves, and stay equal'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "queue" -d 'Head, tail and number of entries of a queue, with N bits each'
complete -c hardbop -n "__fish_hardbop_using_subcommand gen; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c hardbop -n "__fish_hardbop_using_subcommand sat" -l sat -d 'The SAT solver' -r -f -a "cadical\t'CaDiCaL (C++)'
varisat\t'varisat (pure Rust)'"
complete -c hardbop -n "__fish_hardbop_using_subcommand sat" -l time-limit -d 'Give up after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand sat" -l memory-limit -d 'Give up beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand sat" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand qbf" -l qbf -d 'The 2QBF solver: `embedded`, `depqbf` (where hardbop was built with it), or `cmd:` and the command line of any program that reads QDIMACS; `{}` in it is the file, else the query goes to its standard input' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand qbf" -l sat -d 'The SAT solver, also inside the embedded 2QBF solver' -r -f -a "cadical\t'CaDiCaL (C++)'
varisat\t'varisat (pure Rust)'"
complete -c hardbop -n "__fish_hardbop_using_subcommand qbf" -l seed -d 'Seed of the random simulation in the embedded 2QBF solver' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand qbf" -l time-limit -d 'Give up after this time: seconds, or a number with ms, s, m or h' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand qbf" -l memory-limit -d 'Give up beyond this resident memory: bytes, or a number with K, M or G' -r
complete -c hardbop -n "__fish_hardbop_using_subcommand qbf" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "check" -d 'Decide whether a program can reach an error'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "list" -d 'List what can be checked: functions, labels, assertions'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "certify" -d 'Decide whether a certificate proves its verdict, without the engines'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "compare" -d 'Run the engines, and other programs, on the same files'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "campaign" -d 'Check many programs for many properties, on one machine or many, and go on where it was ended'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "abstract" -d 'Write the Boolean program that predicates make of a C program'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "cfa" -d 'Show the control-flow automaton of a C program'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "fmt" -d 'Print a Boolean program in canonical form'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "export" -d 'Write a Boolean program in the language of another tool'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "serve" -d 'Answer requests in JSON, one per line of standard input'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "replay" -d 'Send the requests of a session again, and compare the answers'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "lsp" -d 'Tell an editor what is found in the files that are open, as a language server'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "gen" -d 'Generate benchmark programs'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "sat" -d 'Decide a formula in DIMACS'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "qbf" -d 'Decide a 2QBF in QDIMACS'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and not __fish_seen_subcommand_from check list certify compare campaign abstract cfa fmt export serve replay lsp gen sat qbf help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "driver" -d 'A program as SLAM makes them from Windows device drivers'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "counter" -d 'N bits that count: no shorter way tells what is reachable'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "shift-register" -d 'Two shift registers of N stages that must agree'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "lock-discipline" -d 'N locks, and critical sections within each other'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "recursive-descent" -d 'A recursive parser with N levels of precedence'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "wide-summary" -d 'A reversible circuit on N wires, in procedures that take and return all of them'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "terminator" -d 'Does a nest of nondeterministic loops over N bits end?'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "slam-regression" -d 'N small procedures, for all kinds of statements in turn'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "saturating" -d 'A number with N bits that counts up to a limit and stays there'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "twins" -d 'Two numbers with N bits, counted by a procedure each, that stay equal'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "complement" -d 'A number with N bits that counts up, and one that counts down'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "stride" -d 'A number with N bits that is counted in steps of 4'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "parity" -d 'N bits that are flipped in any order, and their parity'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "multiply" -d 'Two procedures that multiply numbers with N bits'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "ring" -d 'N stations that hand a token around'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "depth" -d 'A recursive procedure with 2^(N-1) open calls and more'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "modules" -d 'N modules, each with an assertion of its own'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "feedback" -d 'Two shift registers with N stages that feed themselves, and stay equal'
complete -c hardbop -n "__fish_hardbop_using_subcommand help; and __fish_seen_subcommand_from gen" -f -a "queue" -d 'Head, tail and number of entries of a queue, with N bits each'
