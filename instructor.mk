# What those who make and give the course need, beside what the Makefile offers students. A student
# repository (`make handout`) does not have this file.

INSTRUCTOR = PYTHONPATH=. $(call quoted,$(PYTHON)) -m instructor

CLASS_OPTIONS := SUBMISSIONS OUT ONLY ENGINE JOBS DEVICE MODEL SEED HIDDEN ROSTER NAMES BUNDLE SLURM_OPTIONS
INSTRUCTOR_TYPED := $(CLASS_OPTIONS) REPEAT SECONDS $(if $(filter new-assignment,$(MAKECMDGOALS)),NAME)
$(foreach name,$(INSTRUCTOR_TYPED),$(eval $(call AS_TYPED,$(name))))
INSTRUCTOR_TYPED += FIT

.PHONY: handout new-assignment grade-class gradescope record-starters crosscheck points calibrate measure \
	golden suite bench-cpudevice nvcc-check gallery climb test-quick test-all test-cudalibs \
	lock

handout: setup  ## the student repository without answers: OUT=dir ONLY=saxpy,scan
	@$(INSTRUCTOR) handout $(call given,--out,OUT) $(call given,--only,ONLY)

new-assignment: setup  ## lay out a small assignment that works: NAME=histogram
	@$(INSTRUCTOR) new-assignment $(call given,--name,NAME)

grade-class: setup  ## grade a folder of submissions: SUBMISSIONS=dir OUT=dir, see docs/instructors.md
	@$(INSTRUCTOR) grade-class $(foreach name,$(CLASS_OPTIONS),$(if $($(name)),\
	  --$(subst _,-,$(shell echo $(name) | tr A-Z a-z))="$$$(name)"))

gradescope: setup  ## an autograder for Gradescope: build/gradescope.zip; ONLY=scan
	@$(INSTRUCTOR) gradescope $(call given,--only,ONLY) $(call given,--device,DEVICE) $(call given,--model,MODEL)

record-starters: setup  ## for maintainers: the present student files become the starters
	@$(INSTRUCTOR) record-starters

crosscheck: setup  ## modelled times beside measured ones, into docs/model-against-measurement.md; FIT=1
	@$(INSTRUCTOR) crosscheck $(if $(FIT),--fit) $(call given,--model,MODEL) \
	  $(call given,--device,DEVICE)

points: setup  ## what every rung earns, from stored times, into docs/grading.md
	@$(INSTRUCTOR) points

climb: setup  ## a student repository climbed from each starter to the target: points of each step
	@$(INSTRUCTOR) climb $(call given,--part,PART)

climb-%: setup
	@$(INSTRUCTOR) climb $(call quoted,$*) $(call given,--part,PART)

calibrate: setup  ## GPU: keep the rungs' times as thresholds, CASE= of one; REPEAT=20 the spread of scores
	@$(INSTRUCTOR) calibrate $(CALIBRATE_OPTIONS)

calibrate-%: setup
	@$(INSTRUCTOR) calibrate $(call quoted,$*) $(CALIBRATE_OPTIONS)

measure: setup  ## GPU: every time that handouts, tables and thresholds state, once more; PART=
	@$(INSTRUCTOR) measure $(call given,--part,PART)

measure-%: setup
	@$(INSTRUCTOR) measure $(call quoted,$*) $(call given,--part,PART)

CALIBRATE_OPTIONS = $(call given,--part,PART) $(call given,--case,CASE) \
	$(call given,--repeat,REPEAT) $(call given,--seconds,SECONDS)

golden: setup  ## counters of every rung again, as tests expect them: ONLY=saxpy
	@PYTHONPATH=. $(call quoted,$(PYTHON)) tests/support/golden.py $(foreach one,$(ONLY),$(call quoted,$(one)))

gallery: setup  ## every cheat and honest file of the tests, graded, as a table: ONLY=honest
	@PYTHONPATH=.:tests/support $(PYTHON) tests/support/gallery_table.py \
	  $(call given,--device,DEVICE) $(call given,--only,ONLY)

suite: setup  ## the faults that sanitize finds of the labelled suite, as a table: ONLY=race
	@PYTHONPATH=.:tests/support $(PYTHON) tests/support/suite.py $(call given,--only,ONLY)

# tests/README.md says what each tier of tests leaves out. A student repository has one tier.
test: TIER = --tier test

# The tests start make, which would read ONLY from the environment.
test-quick: setup-tests  ## the tests of the grader and of one assignment, in minutes: ONLY=scan
	@env -u ONLY $(TESTS) --tier quick $(call given,--assignments,ONLY)

test-all: setup-tests  ## all tests, for an hour: the gallery, CUDA's libraries, arm64, clang++, nvcc
	@$(TESTS)

test-cudalibs: setup-tests  ## the tests of CUDA's libraries on the CPU device
	@$(TESTS) tests/cudalibs

LOCK := uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --upgrade --no-header
lock:  ## for maintainers: the newest Python packages into grader/requirements/; needs `uv`
	cd grader/requirements && $(LOCK) grading.txt --output-file grading.lock
	cd grader/requirements && $(LOCK) tests.txt --constraint grading.lock --output-file tests.lock

bench-cpudevice: setup  ## kernels on the CPU device against plain C++
	@instructor/bench/run

# Every .cu file that is meant to compile, accepted by nvcc.
ifneq ($(filter nvcc-check,$(MAKECMDGOALS)),)
CUDA_SOURCES := $(shell git ls-files -co --exclude-standard '*.cu' 2>/dev/null | grep -v -e '^tests/' -e '^instructor/new_assignment/' | xargs -r grep -L '^// verdict:.*build_error')
endif
nvcc-check: $(CUDA_SOURCES:%.cu=build/nvcc/%.ptx)  ## is every .cu file accepted by nvcc?
