# What those who make and give the course need, beside what the Makefile offers students. A student
# repository (`make handout`) does not have this file.

INSTRUCTOR = PYTHONPATH=. $(PYTHON) -m instructor

.PHONY: handout new-assignment grade-class gradescope record-starters crosscheck points calibrate \
	golden bench-cpudevice nvcc-check gallery

handout: setup  ## the student repository without answers: OUT=dir ONLY=saxpy,scan
	@$(INSTRUCTOR) handout $(if $(OUT),--out '$(OUT)') $(if $(ONLY),--only '$(ONLY)')

new-assignment: setup  ## lay out a small assignment that works: NAME=histogram
	@$(INSTRUCTOR) new-assignment $(if $(NAME),--name '$(NAME)')

CLASS_OPTIONS := SUBMISSIONS OUT ONLY ENGINE JOBS DEVICE MODEL SEED HIDDEN ROSTER NAMES BUNDLE SLURM_OPTIONS

grade-class: setup  ## grade a folder of submissions: SUBMISSIONS=dir OUT=dir, see docs/instructors.md
	@$(INSTRUCTOR) grade-class $(foreach name,$(CLASS_OPTIONS),$(if $($(name)),\
	  --$(subst _,-,$(shell echo $(name) | tr A-Z a-z))='$($(name))'))

gradescope: setup  ## an autograder for Gradescope: build/gradescope.zip; ONLY=scan
	@$(INSTRUCTOR) gradescope $(if $(ONLY),--only '$(ONLY)') $(if $(DEVICE),--device $(DEVICE)) $(if $(MODEL),--model $(MODEL))

record-starters: setup  ## for maintainers: the present student files become the starters
	@$(INSTRUCTOR) record-starters

crosscheck: setup  ## modelled times beside measured ones, into docs/model-against-measurement.md; FIT=1
	@$(INSTRUCTOR) crosscheck $(if $(FIT),--fit) $(if $(MODEL),--model $(MODEL)) \
	  $(if $(DEVICE),--device $(DEVICE))

points: setup  ## what every rung earns, from stored times, into docs/grading.md
	@$(INSTRUCTOR) points

calibrate: setup  ## GPU: keep the rungs' times as thresholds; REPEAT=20 the spread of scores
	@$(INSTRUCTOR) calibrate $(CALIBRATE_OPTIONS)

calibrate-%: setup
	@$(INSTRUCTOR) calibrate $* $(CALIBRATE_OPTIONS)

CALIBRATE_OPTIONS = $(if $(PART),--part $(PART)) $(if $(CASE),--case '$(CASE)') \
	$(if $(REPEAT),--repeat $(REPEAT)) $(if $(SECONDS),--seconds $(SECONDS))

golden: setup  ## counters of every rung anew, as tests expect them: ONLY=saxpy
	@PYTHONPATH=. $(PYTHON) tests/support/golden.py $(ONLY)

gallery: setup  ## every cheat and honest file of the tests, graded, as a table: ONLY=honest
	@PYTHONPATH=.:tests/support $(PYTHON) tests/support/gallery_table.py \
	  $(if $(DEVICE),--device $(DEVICE)) $(if $(ONLY),--only '$(ONLY)')

bench-cpudevice: setup  ## kernels on the CPU device against plain C++
	@cpudevice/bench/run

# Every .cu file that is meant to compile, accepted by nvcc.
ifneq ($(filter nvcc-check,$(MAKECMDGOALS)),)
CUDA_SOURCES := $(shell git ls-files -co --exclude-standard '*.cu' 2>/dev/null | grep -v -e '^tests/' -e '^instructor/' | xargs -r grep -L '^// verdict:.*build_error')
endif
nvcc-check: $(CUDA_SOURCES:%.cu=build/nvcc/%.ptx)  ## is every .cu file accepted by nvcc?
