# CUDA Ladder: every task is one target; `make help` lists them.
SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := help

# `make new-assignment NAME=histogram` names one that is not there yet, and would rename all others.
ifeq ($(filter new-assignment,$(MAKECMDGOALS)),)
# Where only programs are to be built, as for the grader, just the assignments that they belong to.
ifeq ($(filter-out build/%,$(or $(MAKECMDGOALS),help)),)
NAMED := $(filter $(patsubst %,%/Makefile,$(subst /, ,$(MAKECMDGOALS))),$(wildcard */Makefile))
endif
# In teaching order, as each grade.py says (`order=`).
ifneq ($(NAMED),)
include $(NAMED)
else
IN_ORDER := $(shell grep -Hso '^ *order=[0-9]*' $(wildcard */grading/grade.py) | sort -t= -k2n | \
	sed 's|/.*|/Makefile|')
include $(IN_ORDER) $(filter-out $(IN_ORDER),$(sort $(wildcard */Makefile)))
endif
endif

# Values from the command line reach a shell through the environment, as they were typed: no character
# in them means anything to make or to the shell. $(call given,--part,PART) is an option if PART is given.
given = $(if $($(2)),$(1) "$$$(2)")
quoted = '$(subst ','\'',$(1))'
define AS_TYPED
$(if $(value $(1)),override $(1) := $$(value $(1))
export $(1))
endef
$(foreach name,PART CASE WITH DEVICE MODEL SEED HIDDEN A B BLOCK THREAD HINT KERNEL ONLY RUNG \
    PREDICTION FORMAT, \
  $(eval $(call AS_TYPED,$(name))))

# grader/setup.sh chooses the interpreter and writes its path here.
PYTHON = $(shell cat build/setup/python 2>/dev/null || echo python3)
GRADER = PYTHONPATH=. $(call quoted,$(PYTHON)) -m grader

COMMA := ,
.PHONY: help setup check findings job-summary progress report submit test clean
help:  ## this list
	@echo "CUDA Ladder. Assignments: $(ASSIGNMENTS)"
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { sub(/%/, "<name>", $$1); printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST)) $(wildcard instructor.mk)
	@echo
	@echo "  PART=saxpy_host            only that part           CASE=8192x8192   only that case"
	@echo "  WITH=/tmp/mine.cu          grade another file: any path, or one inside the assignment"
	@echo "$(if $(wildcard */solution*),  WITH=solution$(COMMA) WITH=ladder/02_shared.cu   the solution$(COMMA) a rung)"
	@echo "  ALL=1                      a row for every case, also for those that are right"
	@echo "  DEVICE=cpu|gpu             default: the GPU if there is one    SEED=7   repeat a run"
	@echo "  MODEL=t4                   the GPU whose times the CPU device models (h200, a100, rtx3090)"

setup:  ## install what is missing, or print the command that would
	@grader/setup.sh

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
test: setup  ## everything the repository promises, as tests
	@PYTHONPATH=. $(call quoted,$(PYTHON)) -m pytest $(TEST_PROCESSES)

clean:  ## remove everything that was built; build/reset/ stays
	rm -rf $(filter-out build/reset,$(wildcard build/*)) compile_commands.json

-include instructor.mk
