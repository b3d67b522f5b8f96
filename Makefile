# CUDA Ladder: every task is one target; `make help` lists them.
SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := help

ONLY_BUILDS := $(if $(filter-out build/%,$(or $(MAKECMDGOALS),help)),,yes)

# The assignments in teaching order, as each grade.py says (`order=`). A folder is an assignment if it
# has a grade.py and its Makefile sets NAME to the folder's name: a copy of an assignment would replace
# the rules of the original, and a checkout inside the checkout would start itself. A folder with a
# grade.py and another NAME is listed as folder=NAME.
FIND_ASSIGNMENTS := awk '{ split(FILENAME, at, "/") } \
  FILENAME ~ /Makefile$$/ && /^NAME *:= *[a-z0-9_]+ *$$/ { name[at[2]] = $$NF } \
  FILENAME ~ /py$$/ && FNR == 1 { order[at[2]] = 99 } \
  FILENAME ~ /py$$/ && /^ *order=[0-9]+/ { order[at[2]] = $$0; gsub(/[^0-9]/, "", order[at[2]]) } \
  END { for (folder in order) if (folder in name) { \
    other = folder == name[folder] ? "" : "=" name[folder]; place = order[folder]; \
    gsub(/[^A-Za-z0-9_.-]/, "?", folder); print place, folder other } }' \
  ./*/Makefile ./*/grading/grade.py 2>/dev/null | sort -k1n -k2 | sed 's/^[0-9]* //'
# `make new-assignment NAME=histogram` names an assignment that is not there yet, and NAME would rename
# all others.
ifeq ($(filter new-assignment,$(MAKECMDGOALS)),)
FOUND := $(shell $(FIND_ASSIGNMENTS))
# Where only programs are to be built, as for the grader, just the assignments that they belong to.
NAMED := $(if $(ONLY_BUILDS),$(filter $(subst /, ,$(MAKECMDGOALS)),$(FOUND)))
COPIES := $(foreach name,$(FOUND),$(if $(findstring =,$(name)),$(name)))
include $(patsubst %,%/Makefile,$(or $(NAMED),$(filter-out $(COPIES),$(FOUND))))
$(if $(ONLY_BUILDS),,$(foreach name,$(COPIES),$(warning $(subst =,/ is not graded: its Makefile and \
    grading/grade.py are those of ,$(name)))))
endif

# Values from the command line reach a shell through the environment, as they were typed: no character
# in them means anything to make or to the shell. $(call given,--part,PART) is an option if PART is given.
given = $(if $($(2)),$(1) "$$$(2)")
quoted = '$(subst ','\'',$(1))'
define AS_TYPED
$(if $(value $(1)),override $(1) := $$(value $(1))
export $(1))
endef
TYPED := PART CASE WITH DEVICE MODEL SEED HIDDEN A B BLOCK THREAD HINT KERNEL ONLY RUNG PREDICTION FORMAT
$(foreach name,$(TYPED),$(eval $(call AS_TYPED,$(name))))

# grader/setup.sh chooses the interpreter and writes its path here.
PYTHON = $(shell cat build/setup/python 2>/dev/null || echo python3)
GRADER = PYTHONPATH=. $(call quoted,$(PYTHON)) -m grader

COMMA := ,
.PHONY: help setup setup-tests check findings job-summary progress report submit test clean
help:  ## this list
	@echo "CUDA Ladder. Assignments: $(strip $(ASSIGNMENTS))"
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { sub(/%/, "<name>", $$1); printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST)) $(wildcard instructor.mk)
	@echo
	@echo "  PART=saxpy_host            only that part           CASE=8192x8192   only that case"
	@echo "  WITH=/tmp/mine.cu          grade another file: any path, or one inside the assignment"
	@$(if $(wildcard $(ASSIGNMENTS:%=%/solution*)),echo "  WITH=solution$(COMMA) WITH=ladder/02_shared.cu   the solution$(COMMA) a rung",:)
	@echo "  ALL=1                      a row for every case, also for those that are right"
	@echo "  DEVICE=cpu|gpu             default: the GPU if there is one    SEED=7   repeat a run"
	@echo "  MODEL=t4                   the GPU whose times the CPU device models (h200, a100, rtx3090)"

setup:  ## install what is missing, or print the command that would
	@grader/setup.sh

setup-tests:  ## setup, and the packages that the tests import besides
	@grader/setup.sh tests

check: setup  ## grade all assignments
	@$(GRADER) check $(ASSIGNMENTS) $(CHECK_OPTIONS)

check-%: setup  ## grade one: make check-saxpy
	@$(GRADER) check $(call quoted,$*) $(CHECK_OPTIONS)

predict-%: setup  ## answer the handout's next question, then grade; PREDICTION= RUNG=
	@$(GRADER) predict $(call quoted,$*) $(call given,--part,PART) $(call given,--rung,RUNG) \
	  $(call given,--prediction,PREDICTION) $(call given,--device,DEVICE) $(call given,--model,MODEL)

sanitize-%: setup  ## races, bad accesses and the like, found on the CPU device
	@$(GRADER) sanitize $(call quoted,$*) $(SANITIZE_OPTIONS)

ladder-%: setup  ## every rung of an assignment: table and plot
	@$(GRADER) ladder $(call quoted,$*) $(call given,--device,DEVICE) $(call given,--part,PART) \
	  $(call given,--model,MODEL)

explain-%: setup  ## what makes a kernel slow, line by line: terminal and HTML page
	@$(GRADER) explain $(call quoted,$*) $(COUNT_OPTIONS) $(call given,--with,WITH)

compare-%: setup  ## two versions' counters side by side: A= and B=, files as for WITH=
	@$(GRADER) compare $(call quoted,$*) $(COUNT_OPTIONS) $(call given,--a,A) $(call given,--b,B)

registers-%: setup  ## what nvcc says of each kernel: registers, stack, spills, occupancy
	@$(GRADER) registers $(call quoted,$*) $(call given,--part,PART) $(call given,--case,CASE) \
	  $(call given,--with,WITH) $(call given,--device,DEVICE) \
	  $(call given,--model,MODEL)

sass-%: setup  ## PTX and the GPU's machine code below each line of the source; KERNEL=
	@$(GRADER) sass $(call quoted,$*) $(call given,--part,PART) $(call given,--with,WITH) \
	  $(call given,--kernel,KERNEL) $(call given,--device,DEVICE) $(call given,--model,MODEL)

debug-%: setup  ## gdb stopped in the kernel on the CPU device; BLOCK=1,0,0 THREAD=5
	@$(GRADER) debug $(call quoted,$*) $(call given,--part,PART) $(call given,--case,CASE) \
	  $(call given,--seed,SEED) $(call given,--with,WITH) \
	  $(call given,--block,BLOCK) $(call given,--thread,THREAD)

COUNT_OPTIONS = $(call given,--part,PART) $(call given,--case,CASE) \
	$(call given,--seed,SEED) $(call given,--model,MODEL)

watch-%: setup  ## check again on each save; Ctrl-C ends
	@$(GRADER) watch $(call quoted,$*) $(call given,--part,PART) $(call given,--device,DEVICE) \
	  $(call given,--model,MODEL)

hint-%: setup  ## a hint, one more each time; HINT=2 shows the second again
	@$(GRADER) hint $(call quoted,$*) $(call given,--part,PART) $(call given,--hint,HINT)

progress: setup  ## all assignments and parts at a glance; PART= draws the attempts at one
	@$(GRADER) progress $(call given,--part,PART)

report: setup  ## all that was graded so far as a page: build/report/index.html
	@$(GRADER) report

WITH_NAME = predict sanitize ladder explain compare registers sass debug watch hint reset
.PHONY: $(WITH_NAME)
$(WITH_NAME):
	@echo "make $@-<name>: of which assignment? $(ASSIGNMENTS:%=$@-%)" >&2; exit 2

submit: setup  ## pack your files and last results into submission.tar.gz: ONLY=saxpy,scan
	@$(GRADER) submit $(call given,--only,ONLY)

reset-%: setup  ## put the starter back (your file is kept in build/reset/)
	@$(GRADER) reset $(call quoted,$*) $(call given,--part,PART)

findings: setup  ## what the last check or sanitize found, a line each; FORMAT=github
	@$(GRADER) findings $(call given,--format,FORMAT)

job-summary: setup  ## the last results as Markdown, for a build server's page
	@$(GRADER) job-summary

SANITIZE_OPTIONS = $(call given,--part,PART) $(call given,--case,CASE) \
	$(call given,--with,WITH) $(call given,--seed,SEED)
CHECK_OPTIONS = $(SANITIZE_OPTIONS) $(call given,--device,DEVICE) \
	$(call given,--model,MODEL) $(call given,--hidden,HIDDEN) $(if $(ALL),--all)

# Several tests at a time where pytest-xdist is installed; times on a GPU are taken one by one.
TEST_PROCESSES = $(if $(filter gpu,$(DEVICE)),,$(shell $(call quoted,$(PYTHON)) -c 'import xdist' 2>/dev/null && \
	echo --numprocesses auto --dist worksteal))
TESTS = PYTHONPATH=. $(call quoted,$(PYTHON)) -m pytest $(TEST_PROCESSES)
test: setup-tests  ## the tests
	@$(TESTS) $(TIER)

clean:  ## remove everything that was built; build/reset/ stays
	rm -rf $(filter-out build/reset,$(wildcard build/*)) compile_commands.json

-include instructor.mk

# make ignores a variable without a meaning, and a word that is the name of a folder: here both are
# errors that name the nearest known variable or target.
ifndef ONLY_BUILDS
VARIABLES := $(sort $(TYPED) $(INSTRUCTOR_TYPED) ALL CXX PYTHON TEST_PROCESSES)
TARGETS := $(shell sed -n 's/^\([a-z][a-z%-]*\):.*/\1/p' Makefile instructor.mk 2>/dev/null) $(WITH_NAME)
# $(1) variable or target, $(2) the unknown name, $(3) the known names
NEAREST := import difflib, sys; kind, name, *known = sys.argv[1:]; lower = {k.lower(): k for k in known}; \
  near = difflib.get_close_matches(name.lower(), lower, 1); \
  print(f": the nearest is {lower[near[0]]}" if near else ": `make help` lists what there is")
nearest = there is no $(1) "$(2)"$(shell python3 -c '$(NEAREST)' $(1) $(call quoted,$(2)) $(3))
AS_COMMAND := $(filter $(WITH_NAME) check calibrate climb measure,$(MAKECMDGOALS))
targets_near = $(if $(filter $(ASSIGNMENTS),$(1)),$(addsuffix -$(1),$(or $(AS_COMMAND),check)),$(foreach \
  target,$(TARGETS),$(if $(findstring %,$(target)),$(foreach name,$(ASSIGNMENTS),$(subst %,$(name),$(target))),$(target))))
from_command_line = $(if $(filter command,$(firstword $(origin $(1)))),$(1))
$(foreach name,$(filter-out $(VARIABLES),$(foreach one,$(.VARIABLES),$(call from_command_line,$(one)))), \
  $(error $(call nearest,variable,$(name),$(VARIABLES))))
$(foreach name,$(filter-out build/% $(TARGETS),$(MAKECMDGOALS)), \
  $(error $(call nearest,target,$(name),$(call targets_near,$(name)))))
endif
