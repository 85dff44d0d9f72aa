# hardbop: what one wants to run.  `make help` lists it.

CARGO ?= cargo
PYTHON ?= python3
# Further options of bench-bp/bench.py.
BENCH ?=
# Is there a DepQBF to link, installed or as sources?
DEPQBF = test -e /usr/include/qdpll/qdpll.h || vendor/depqbf/fetch.sh

# Where `make install` puts things: below DESTDIR, for a later place PREFIX.
PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR
BUILT = $(or $(CARGO_TARGET_DIR),target)/release

# Seconds for each fuzz target.
FUZZ_SECONDS ?= 60
# Which of cargo-mutants' mutants: k/n is every n-th from the k-th.
MUTANTS_SHARD ?= 0/48
FUZZ_TARGETS = parse print_round_trip certificate cnf qdimacs differential c_parse

.PHONY: help build profiling capi install uninstall deb wheel demo test check-install check-wheel check-container check-prefix check-benchexec bench bench-qbf bench-certificates bench-c bench-c-harnesses bench-c-impact bench-projects bench-programs bench-bp-from-c bench-growth bench-campaign bench-campaign-edits fuzz mutants mutants-all lint clean solvers z3

help:
	@echo "make demo    check a safe and an unsafe example, and show the trace"
	@echo "make test    all tests"
	@echo "make install the program, the library for C, the manual page and completions, once 'make build capi' has"
	@echo "             built them (PREFIX=/usr/local DESTDIR=); make uninstall removes them"
	@echo "make deb     a Debian package of the same: target/deb/hardbop_*.deb"
	@echo "make wheel   a wheel for Python: the module hardbop and the program, in target/wheels; needs pip, and PyPI in reach"
	@echo "make check-wheel   does it work in an empty environment?"
	@echo "make check-container   does the image of Containerfile build and work? needs podman, docker or buildah"
	@echo "make check-install   does what cargo installs work without its sources?"
	@echo "make check-benchexec   does tools/hardbop.py suit BenchExec, where that is installed?"
	@echo "make bench   engines, and Spacer, ABC and rIC3 where installed, on families of programs;"
	@echo "             writes bench-bp/RESULTS.md and families.svg (BENCH='--budget 600 --families ring')"
	@echo "make bench-qbf   the embedded 2QBF solver and DepQBF; writes bench-bp/QBF.md"
	@echo "make bench-certificates   what certificates cost; writes bench-bp/CERTIFICATES.md"
	@echo "make bench-c   large blocks against single ones on C programs; writes bench-c/RESULTS.md"
	@echo "             (PROGRAMS=folder of programs *.safe.c, *.unsafe.c)"
	@echo "make bench-c-harnesses   compiles and runs the harness of every error found in C programs"
	@echo "             (PROGRAMS=folder of programs)"
	@echo "make bench-c-impact   predicate abstraction against IMPACT on C programs; writes bench-c/IMPACT.md"
	@echo "             (PROGRAMS=folders of programs; BENCH='--limit 10 --jobs 2')"
	@echo "make bench-projects   libraries of Debian, fetched by apt-get: what docs/projects.md shows"
	@echo "make bench-programs   programs of whole packages of Debian: what docs/projects.md shows of them"
	@echo "make bench-bp-from-c   the engines on Boolean programs from C; writes bench-bp/FROM_C.md"
	@echo "             (PROGRAMS=folder of folders of programs *.safe.c, *.unsafe.c)"
	@echo "make bench-growth   time and memory on drivers of 1,000 to 10,000 variables; writes bench-bp/GROWTH.md"
	@echo "make bench-campaign   what a campaign costs beside its tasks (PROGRAMS=folder of C programs)"
	@echo "make bench-campaign-edits   what the second night takes after small edits (PROGRAMS='files in C')"
	@echo "make fuzz    every fuzz target for a minute (FUZZ_SECONDS=60); needs cargo-fuzz and a nightly Rust"
	@echo "make mutants breaks the engines and the checker in 50 ways; the tests must notice each"
	@echo "             (more than an hour)"
	@echo "make mutants-all   one in 48 of what cargo-mutants would break (MUTANTS_SHARD=0/48)"
	@echo "make lint    formatting and clippy"
	@echo "make build   target/release/hardbop"
	@echo "make profiling   the same with symbols and lines, for profilers: target/profiling/hardbop"
	@echo "make capi    the library for C: target/release/libhardbop_c.so and .a (capi/include/hardbop.h)"

build: z3
	$(CARGO) build --release --locked

# As `build`, with symbols and lines: target/profiling/hardbop.
profiling: z3
	$(CARGO) build --profile profiling --locked

# For C, and what can call C: see docs/library.md.
capi: z3
	$(CARGO) build --release --locked -p hardbop-capi

# Nothing is built here: it may be root who installs.
install:
	@tools/install.sh install "$(abspath $(BUILT))"

uninstall:
	@tools/install.sh uninstall "$(abspath $(BUILT))"

# DEB_MAINTAINER='Name <address>' in the environment says who made it.
deb: build capi
	@tools/deb.sh "$(abspath $(BUILT))" "$(abspath $(BUILT)/../deb)"

# The module and the program, for `pip install`.  pip fetches maturin, which builds it.
wheel: z3
	@mkdir -p target/wheels && rm -f target/wheels/hardbop-*.whl
	CARGO="$(CARGO)" $(PYTHON) -m pip wheel --no-deps ./python --wheel-dir target/wheels

check-wheel: wheel
	PYTHON="$(PYTHON)" tests/wheel.sh target/wheels

# CONTAINER=... is the program that builds and runs it.
check-container:
	tests/container.sh

# Z3's library.  Where it cannot be fetched, an installed one will do.
z3:
	@vendor/z3/fetch.sh || echo 'Z3 was not fetched; C programs need an installed one'

# hardbop's exit code is the verdict, so 0 and 10 are both what is expected here.
demo: build
	@echo '$$ hardbop check examples/lock-safe.bp --stats'
	@target/release/hardbop check examples/lock-safe.bp --stats
	@echo
	@echo '$$ hardbop check examples/lock-unsafe.bp'
	@target/release/hardbop check examples/lock-unsafe.bp; test $$? -eq 10

# Cross-checks against DepQBF run where it is installed; a test without it says that it skips.
solvers:
	@command -v depqbf >/dev/null 2>&1 && exit 0; \
	command -v apt-get >/dev/null 2>&1 && test "$$(id -u)" = 0 || exit 0; \
	echo 'installing depqbf (used by tests only)'; \
	DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; \
	{ apt-get install -y -qq --no-install-recommends depqbf >/dev/null 2>&1 \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends depqbf; } >/dev/null 2>&1; } \
	  || echo 'could not install depqbf; its tests will skip'

# With DepQBF as a library (GPL-3.0-or-later, not part of a default build) where it is installed or its sources can be
# fetched: one set of features, so that nothing is compiled twice.
test: z3 solvers
	@if $(DEPQBF); then features='--features depqbf'; \
	else echo 'skipped: the feature depqbf, for there is no DepQBF'; features=; fi; \
	set -x; $(CARGO) test --locked --workspace $$features

# Installs from a copy that is then removed; a crate that depends on hardbop is run as well.
check-install: z3
	CARGO="$(CARGO)" tests/install.sh
	CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_TARGET_DIR="$(CURDIR)/target/install" $(MAKE) check-prefix

# Do `make install` and `make uninstall` what they should?
check-prefix: build capi
	tests/prefix.sh "$(abspath $(BUILT))"

# PYTHON=... is one that has BenchExec.
check-benchexec: build
	$(PYTHON) tools/test_hardbop.py

bench: build
	$(PYTHON) bench-bp/bench.py --hardbop target/release/hardbop --out bench-bp $(BENCH)
	$(PYTHON) bench-bp/engines.py --hardbop target/release/hardbop --out bench-bp/ENGINES.md

# About a quarter of an hour, most of it in DepQBF.
bench-qbf: z3 solvers
	@if ! { $(DEPQBF); }; then echo 'there is no DepQBF to compare with'; exit 1; fi
	$(CARGO) run --release --locked --features depqbf --example qbf_bench -- --out bench-bp/QBF.md

# DIR with C programs: PROGRAMS=... (their folders are the families).
bench-c: build
	$(PYTHON) bench-c/bench.py --hardbop target/release/hardbop --out bench-c $(if $(PROGRAMS),--programs $(PROGRAMS)) $(BENCH)

# DIR with C programs: PROGRAMS=...  BENCH='--limit 3 --sample 5' takes less time.
bench-c-harnesses: build
	@test -n "$(PROGRAMS)" || { echo 'PROGRAMS= says where the C programs are'; exit 2; }
	$(PYTHON) bench-c/harnesses.py $(PROGRAMS) --hardbop target/release/hardbop $(BENCH)

# DIRs with C programs: PROGRAMS=...  Goes on where it was stopped.
bench-c-impact: build
	@test -n "$(PROGRAMS)" || { echo 'PROGRAMS= says where the C programs are'; exit 2; }
	$(PYTHON) bench-c/impact.py --hardbop target/release/hardbop --out bench-c --programs $(PROGRAMS) $(BENCH)

# Sources are fetched once, and kept below target/.
bench-projects: build
	$(PYTHON) bench-c/projects/run.py --hardbop target/release/hardbop --cache target/projects --confirm $(BENCH)

# Whole packages: the same cache.
bench-programs: build
	$(PYTHON) bench-c/projects/programs.py --hardbop target/release/hardbop --cache target/projects $(BENCH)

# DIR of folders of C programs: PROGRAMS=...  BENCH='--made FOLDER' keeps what was made.
bench-bp-from-c: build
	@test -n "$(PROGRAMS)" || { echo 'PROGRAMS= says where the C programs are'; exit 2; }
	$(PYTHON) bench-bp/from_c.py --hardbop target/release/hardbop --out bench-bp --programs $(PROGRAMS) $(BENCH)

bench-growth: build
	$(PYTHON) bench-bp/growth.py --hardbop target/release/hardbop --out bench-bp $(BENCH)

# A folder with C programs: PROGRAMS=...  Goes on where it was stopped; `rm -r target/campaign` begins anew.
bench-campaign: build
	@test -n "$(PROGRAMS)" || { echo 'PROGRAMS= says where the C programs are'; exit 2; }
	$(PYTHON) bench-c/campaign/measure.py --programs $(PROGRAMS) --hardbop target/release/hardbop $(BENCH)

# Programs in C, best such whose proofs take a second or more: PROGRAMS='ssh-simplified/*.c'
bench-campaign-edits: build
	@test -n "$(PROGRAMS)" || { echo 'PROGRAMS= says which C programs are edited'; exit 2; }
	$(PYTHON) bench-c/campaign/edits.py --programs $(PROGRAMS) --hardbop target/release/hardbop $(BENCH)

bench-certificates: build
	$(PYTHON) bench-bp/certificates.py --hardbop target/release/hardbop --out bench-bp/CERTIFICATES.md

# What is found is kept in fuzz/artifacts.  New members of the corpus go to a folder that is not
# kept: fuzz/corpus holds seeds.  The code is safe Rust, so no sanitizer is needed and all is fast.
# The targets c_* read C, with the tests' programs as seeds.
fuzz: z3
	@command -v cargo-fuzz >/dev/null || { echo 'first: cargo install cargo-fuzz'; exit 1; }
	@set -e; for t in $(FUZZ_TARGETS); do \
	  case $$t in \
	    c_*) features='--features c'; words=fuzz/c_keywords.dict; \
	      seeds='tests/c/malformed tests/c/semantics examples';; \
	    *) features=; words=fuzz/keywords.dict; seeds=fuzz/corpus/$$t;; \
	  esac; \
	  mkdir -p fuzz/target/corpus/$$t; \
	  $(CARGO) +nightly fuzz run -s none -O $$features $$t fuzz/target/corpus/$$t $$seeds -- \
	    -dict=$$words -max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=2048 \
	    -max_len=4096 -print_final_stats=1; \
	done

mutants: z3
	$(PYTHON) tests/mutants.py

# .cargo/mutants.toml says which files and tests.  A survivor need not be a gap: budgets, orders,
# guesses and sizes change how long an answer takes, not the answer.
mutants-all: z3
	@command -v cargo-mutants >/dev/null || { echo 'first: cargo install cargo-mutants'; exit 1; }
	CARGO_PROFILE_DEV_DEBUG=0 $(CARGO) mutants --sharding round-robin --shard $(MUTANTS_SHARD) \
	  -o target

lint: z3
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --no-default-features -- -D warnings
	$(CARGO) clippy --locked --no-default-features --features c -- -D warnings
	$(CARGO) check --locked --no-default-features --features command
	@if $(DEPQBF); then \
	  echo '$(CARGO) clippy --features depqbf'; \
	  $(CARGO) clippy --locked --all-targets --features depqbf -- -D warnings; fi

clean:
	$(CARGO) clean
