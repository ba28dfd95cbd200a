# crosswatt: build, test, measure. `make demo` and `make test` need nothing but git and make on Debian:
# what is missing is installed by `make deps` (apt-get, with sudo when not root).
#
#   make             build/crosswatt
#   make demo        the README's first command       make test      the README's second command
#   make accuracy    cost models against references   make validate  simulators against references
#   make bench       instructions and speed           make lint      clang-tidy, cppcheck, clang-format
#   make quick       the daily loop, no sanitizers    make soak      long tests
#   make coverage    lines and branches by room       make mutate    N=100 SEED=1: mistakes that tests notice
#   make kernels     recompile the workloads' PTX     make silicon   docs/silicon.md: machines beside cards
#   make install     PREFIX=/usr/local DESTDIR=
#
# REFERENCE=dir names a folder with measured output of the peer tools; default ../shared/reference.

VERSION   := 0.1.0
PREFIX    ?= /usr/local
REFERENCE ?= $(wildcard ../shared/reference)
CC        ?= gcc
BUILD     ?= build
FUZZ_SECONDS ?= 2
# how often and how long to wait where another apt-get holds the lock of apt or dpkg
APT_TRIES ?= 120
APT_PAUSE ?= 5

PKGS_RUN  := gcc libc6-dev pkg-config libconfig-dev libjansson-dev libcsv-dev libexpat1-dev \
             libzstd-dev liblzma-dev zlib1g-dev libsqlite3-dev graphviz gnuplot-nox
PKGS_TEST := libcmocka-dev clang libclang-rt-14-dev libthrust-dev jq mandoc
PKGS_BROWSER := chromium
PKGS_SLURM := slurmctld slurmd slurm-client munge
PKGS_DEV  := clang-tidy clang-format cppcheck valgrind sqlite3

SRC_DIRS := base noc cache energy sim cuda gen
SRCS := $(sort $(wildcard $(SRC_DIRS:%=%/*.c) $(SRC_DIRS:%=%/*/*.c)))
LIB_SRCS := $(filter-out gen/main.c,$(SRCS))
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/*_test.c)))
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/*_fuzz.c)))

STD      := -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
WERROR   := $(if $(CI),-Werror)
CFLAGS   ?= -O3 -g
CPPFLAGS += -I. -Icuda/include -DCW_VERSION='"$(VERSION)"' -DCW_DATA_DIR='"$(PREFIX)/share/crosswatt"'
LIBS     := -lconfig -ljansson -lcsv -lexpat -lzstd -llzma -lz -lsqlite3 -lm -lpthread
# the same bits on every machine and at every -O: no contraction of a*b+c into fma
ALL_CFLAGS = $(STD) $(WARN) $(WERROR) -ffp-contract=off $(CFLAGS)

SAN := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
QUICK := -O1 -g
# gnu11: with it fork and exec are known to the counters, which are written before a child becomes another program
COV := -std=gnu11 -O0 -g --coverage -DCW_ONE_COPY

.PHONY: all demo test test-browser test-slurm unit cli fuzz faults pairs quick coverage mutate soak sanitize accuracy validate bench lint kernels silicon install clean \
        deps deps-test deps-dev
all: deps
	@$(MAKE) --no-print-directory $(BUILD)/crosswatt $(BUILD)/cuda/libcrosswatt_cudart.so

# ---- packages -----------------------------------------------------------------------------------
# Usage: $(call need,packages). Does nothing when all are there; elsewhere than Debian it says what to install.
define need
@missing=""; \
if command -v dpkg-query >/dev/null 2>&1; then \
  for p in $(1); do dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
  if [ -n "$$missing" ]; then \
    echo "installing:$$missing"; \
    run=""; [ "$$(id -u)" = 0 ] || run=sudo; \
    log=$(BUILD).apt.log; left=$(APT_TRIES); \
    apt() { \
      until $$run env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$$@" >/dev/null 2>$$log; do \
        grep -q 'Could not get lock\|Unable to lock\|Unable to acquire' $$log && [ $$left -gt 0 ] || return 1; \
        [ $$left -lt $(APT_TRIES) ] || echo "waiting for another program that installs packages (at most $(APT_TRIES) x $(APT_PAUSE) s)"; \
        left=$$((left - 1)); sleep $(APT_PAUSE); \
      done; }; \
    { apt update && apt install -y --no-install-recommends $$missing; } || \
    { cat $$log >&2; echo "cannot install:$$missing" >&2; exit 3; }; rm -f $$log; \
  fi; \
elif ! pkg-config --exists libconfig jansson 2>/dev/null; then \
  echo "not a Debian system: please install what these packages hold: $(1)" >&2; \
fi
endef
deps:
	$(call need,$(PKGS_RUN))
deps-test: deps
	$(call need,$(PKGS_TEST))
deps-dev: deps-test
	$(call need,$(PKGS_DEV))

# ---- building -----------------------------------------------------------------------------------
# libconfig before 1.7.3 does not look whether it got the memory that it asked for: the program links a copy of its
# archive whose calls go to gen/memory.c. Where there is no archive the shared library serves.
LIBCONFIG_A := $(wildcard $(shell $(CC) -print-file-name=libconfig.a 2>/dev/null))
LIBCONFIG := $(if $(LIBCONFIG_A),$(BUILD)/libconfig.a)
$(BUILD)/libconfig.a: $(LIBCONFIG_A)
	@mkdir -p $(@D)
	@objcopy --redefine-sym malloc=cw_malloc --redefine-sym calloc=cw_calloc --redefine-sym realloc=cw_realloc \
	  --redefine-sym strdup=cw_strdup $< $@ && objcopy --redefine-sym __strdup=cw_strdup $@

# Results are kept under a hash of the sources that make numbers (gen/store/sources.h): what resolves defaults,
# elaborates, prices, simulates and accounts. The file changes only when the hash does.
NUMBER_DIRS := base noc noc/topology cache energy $(wildcard energy/*/.) sim $(wildcard sim/*/.) gen/config gen/design gen/price gen/run gen/workload
NUMBER_SRCS := $(sort $(wildcard $(NUMBER_DIRS:%=%/*.c) $(NUMBER_DIRS:%=%/*.h)))
$(BUILD)/sources.hash: $(NUMBER_SRCS)
	@mkdir -p $(@D)
	@cat $(NUMBER_SRCS) | sha256sum | cut -c1-16 >$@.new
	@if cmp -s $@.new $@; then rm $@.new; touch $@; else mv $@.new $@; fi
SOURCES_HASH = -DCW_SOURCES_HASH='"$(shell cat $(BUILD)/sources.hash 2>/dev/null)"'
%/gen/store/sources.o: NUMBERS = $(SOURCES_HASH)

# $(1) folder, $(2) flags: one library, one program and the unit tests, with tracked headers
define variant
$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "cc $$<"
	@$(CC) $(STD) $(WARN) $(WERROR) -ffp-contract=off $(2) $(CPPFLAGS) $$(NUMBERS) -MMD -MP -c $$< -o $$@
$(1)/gen/store/sources.o: $(BUILD)/sources.hash
$(1)/libcrosswatt.a: $(LIB_SRCS:%.c=$(1)/%.o)
	@rm -f $$@
	@ar rcs $$@ $$^
$(1)/crosswatt: $(1)/gen/main.o $(1)/libcrosswatt.a $(LIBCONFIG)
	@echo "link $$@"
	@$(CC) $(2) -o $$@ $$^ $(LDFLAGS) $(LIBS)
$(1)/unit/%: $(1)/tests/unit/%.o $(1)/libcrosswatt.a
	@mkdir -p $$(@D)
	@$(CC) $(2) -o $$@ $$^ $(LDFLAGS) -lcmocka $(LIBS)
-include $(SRCS:%.c=$(1)/%.d) $(UNIT_TESTS:%=$(1)/tests/unit/%.d)
endef
$(eval $(call variant,$(BUILD),$(CFLAGS)))
$(eval $(call variant,$(BUILD)/san,$(SAN)))
$(eval $(call variant,$(BUILD)/quick,$(QUICK)))
$(eval $(call variant,$(BUILD)/cov,$(COV)))
.SECONDARY:

# the runtime library of CUDA programs: what it needs of the sources above, position-independent. It stands in for
# the shared runtime of nvcc under that one's names. $(1) folder, $(2) flags
CUDART_SRCS := $(wildcard base/*.c sim/trace/*.c sim/ptx/*.c sim/runtime/*.c)
CUDART_API  := $(wildcard cuda/runtime/*.c)
define runtime
$(1)/pic/cuda/%.o: VISIBILITY := default
$(1)/pic/%.o: %.c
	@mkdir -p $$(@D)
	@echo "cc -fPIC $$<"
	@$(CC) $(STD) $(WARN) $(WERROR) -ffp-contract=off $(2) -fPIC -fvisibility=$$(or $$(VISIBILITY),hidden) $(CPPFLAGS) -MMD -MP -c $$< -o $$@
$(1)/pic/libruntime.a: $(CUDART_SRCS:%.c=$(1)/pic/%.o)
	@rm -f $$@
	@ar rcs $$@ $$^
$(1)/cuda/libcrosswatt_cudart.so: $(CUDART_API:%.c=$(1)/pic/%.o) $(1)/pic/libruntime.a cuda/runtime/versions.map
	@mkdir -p $$(@D)
	@echo "link $$@"
	@$(CC) $(2) -shared -o $$@ -Wl,-soname,libcrosswatt_cudart.so -Wl,--version-script,cuda/runtime/versions.map \
	  $(CUDART_API:%.c=$(1)/pic/%.o) $(1)/pic/libruntime.a $(LDFLAGS) -lzstd -lm -lpthread
	@for v in 11.0 12 13; do ln -sf libcrosswatt_cudart.so $$(@D)/libcudart.so.$$$$v; done; ln -sf libcrosswatt_cudart.so $$(@D)/libcudart.so
-include $(CUDART_SRCS:%.c=$(1)/pic/%.d) $(CUDART_API:%.c=$(1)/pic/%.d)
endef
$(eval $(call runtime,$(BUILD),$(CFLAGS)))
$(eval $(call runtime,$(BUILD)/cov,$(COV)))

# tools of the tests: a library that makes calls fail, and programs of one file
$(BUILD)/tools/%.so: tests/tools/%.c
	@mkdir -p $(@D)
	@$(CC) $(STD) $(WARN) $(WERROR) -O1 -g -shared -fPIC -o $@ $<
$(BUILD)/tools/%: tests/tools/%.c
	@mkdir -p $(@D)
	@$(CC) $(STD) $(WARN) $(WERROR) -O1 -g -o $@ $<

# fuzz targets: clang's libFuzzer with the sanitizers
$(BUILD)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	@echo "clang $<"
	@clang $(STD) -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all $(CPPFLAGS) $(NUMBERS) -MMD -MP -c $< -o $@
$(BUILD)/fuzz/gen/store/sources.o: $(BUILD)/sources.hash
$(BUILD)/fuzz/libcrosswatt.a: $(LIB_SRCS:%.c=$(BUILD)/fuzz/%.o)
	@rm -f $@
	@ar rcs $@ $^
$(BUILD)/fuzz/%_fuzz: $(BUILD)/fuzz/tests/fuzz/%_fuzz.o $(BUILD)/fuzz/libcrosswatt.a
	@clang -fsanitize=address,undefined,fuzzer -o $@ $^ $(LIBS)
-include $(LIB_SRCS:%.c=$(BUILD)/fuzz/%.d) $(FUZZERS:%=$(BUILD)/fuzz/tests/fuzz/%.d)

# ---- what users run -----------------------------------------------------------------------------
FAULT_TOOLS := $(BUILD)/tools/faults.so $(BUILD)/tools/every_fault
JOBS := $(shell nproc 2>/dev/null || echo 2)
demo: all
	@sh tests/demo.sh $(BUILD)/crosswatt

test: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/crosswatt $(BUILD)/cuda/libcrosswatt_cudart.so $(BUILD)/san/crosswatt $(UNIT_TESTS:%=$(BUILD)/san/unit/%) $(FUZZERS:%=$(BUILD)/fuzz/%) $(FAULT_TOOLS)
	@sh tests/run.sh $(BUILD) $(FUZZ_SECONDS)
unit: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(UNIT_TESTS:%=$(BUILD)/san/unit/%)
	@sh tests/run.sh $(BUILD) 0 unit
cli: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/san/crosswatt $(BUILD)/cuda/libcrosswatt_cudart.so
	@sh tests/run.sh $(BUILD) 0 cli
fuzz: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(FUZZERS:%=$(BUILD)/fuzz/%)
	@sh tests/run.sh $(BUILD) $(FUZZ_SECONDS) fuzz
faults: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/crosswatt $(FAULT_TOOLS)
	@sh tests/run.sh $(BUILD) 0 faults
pairs: all
	@sh tests/run.sh $(BUILD) 0 pairs
test-browser: all
	$(call need,$(PKGS_BROWSER))
	@sh tests/browser.sh $(BUILD)/crosswatt $(SCREENSHOTS)
test-slurm: all
	$(call need,$(PKGS_SLURM))
	@sh tests/slurm.sh $(BUILD)/crosswatt
sanitize: deps
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/san/crosswatt
accuracy: all
	@sh tests/accuracy.sh $(BUILD)/crosswatt "$(REFERENCE)"
validate: all
	@sh tests/validate.sh $(BUILD)/crosswatt "$(REFERENCE)"
bench: all deps-dev
	@sh tests/bench.sh $(BUILD)/crosswatt "$(REFERENCE)"
silicon: all deps-test
	@sh tests/silicon.sh $(BUILD)/crosswatt "$(REFERENCE)"
kernels: deps-test
	@sh cfg/workloads/build.sh

# ---- what developers run ------------------------------------------------------------------------
# $(1) folder of a variant
everything = $(1)/crosswatt $(UNIT_TESTS:%=$(1)/unit/%)
# with ONLY="names", those unit programs and no others are built
quick: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/cuda/libcrosswatt_cudart.so $(if $(ONLY),$(BUILD)/quick/crosswatt \
	    $(patsubst %,$(BUILD)/quick/unit/%,$(filter $(ONLY),$(UNIT_TESTS))),$(call everything,$(BUILD)/quick))
	@sh tests/run.sh $(BUILD) 0 quick
coverage: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(call everything,$(BUILD)/cov) $(BUILD)/cov/cuda/libcrosswatt_cudart.so $(FAULT_TOOLS)
	@sh tests/coverage.sh $(BUILD)
N    ?= 100
SEED ?= 1
mutate: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(call everything,$(BUILD)/quick) $(call everything,$(BUILD)/san) \
	  $(call everything,$(BUILD)/cov) $(FAULT_TOOLS) $(BUILD)/cov/cuda/libcrosswatt_cudart.so $(BUILD)/cuda/libcrosswatt_cudart.so $(BUILD)/tools/mutants
	@CC="$(CC)" sh tests/mutate.sh $(BUILD) $(N) $(SEED)
soak: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/crosswatt $(FAULT_TOOLS) $(FUZZERS:%=$(BUILD)/fuzz/%) \
	  $(BUILD)/quick/unit/random_config_test $(BUILD)/quick/unit/net_options_test
	@sh tests/soak.sh $(BUILD)/crosswatt $(BUILD)
HEADERS := $(filter-out cuda/include/%,$(sort $(wildcard $(SRC_DIRS:%=%/*.h) $(SRC_DIRS:%=%/*/*.h))))
lint: deps-dev
	clang-format --dry-run -Werror $(SRCS) $(HEADERS) $(wildcard tests/*/*.c tests/*/*.h)
	@for h in $(HEADERS); do $(CC) $(STD) $(WARN) -Werror $(CPPFLAGS) -fsyntax-only -x c $$h || exit 1; done
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability --suppress=missingIncludeSystem --suppress=internalAstError:gen/config/keys.c -I. -Icuda/include $(SRCS)
	clang-tidy --quiet $(SRCS) -- $(STD) $(CPPFLAGS) -DCW_SOURCES_HASH='""'

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/crosswatt/cuda \
	  $(DESTDIR)$(PREFIX)/lib/crosswatt \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(MAKE) --no-print-directory BUILD=$(BUILD) $(BUILD)/crosswatt $(BUILD)/cuda/libcrosswatt_cudart.so
	install $(BUILD)/crosswatt $(DESTDIR)$(PREFIX)/bin/
	cp -R cfg templates $(DESTDIR)$(PREFIX)/share/crosswatt/
	cp -R cuda/include $(DESTDIR)$(PREFIX)/share/crosswatt/cuda/
	[ ! -e $(BUILD)/cuda/libcrosswatt_cudart.so ] || cp -P $(BUILD)/cuda/lib* $(DESTDIR)$(PREFIX)/lib/crosswatt/
	[ ! -f docs/crosswatt.1 ] || install -m 644 docs/crosswatt.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	[ ! -f docs/crosswatt.bash ] || install -m 644 docs/crosswatt.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/crosswatt

clean:
	rm -rf $(BUILD)
