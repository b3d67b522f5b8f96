# The build rules of one assignment. Its Makefile sets NAME and PARTS and includes this file:
#   NAME  := saxpy                 the directory's name
#   PARTS := saxpy saxpy_host      one <part>.cu for the student each
#
# Everything is built from the repository's root under build/<device>/, device cpu or gpu, and the
# path of a program mirrors that of its source:
#   build/cpu/saxpy/saxpy                     saxpy/saxpy.cu, the student's
#   build/cpu/saxpy/solution/saxpy            saxpy/solution/saxpy.cu
#   build/cpu/saxpy/path/saxpy/tmp/mine       /tmp/mine.cu
#   build/judge/saxpy                         the trusted judge, without CUDA
#   build/gpu/saxpy/target/saxpy              saxpy/target/saxpy.o, a handout's sealed target rung
#   build/registers/sm_90/saxpy/saxpy.ptxas         what nvcc says of saxpy/saxpy.cu's kernels
#   build/sealed/saxpy/ladder/…/02_grid_stride.o    that object, as `make handout` makes it
# Inside the assignment's directory this file only forwards `make check` and the like to the root.
$(if $(NAME),,$(error set NAME before including rules.mk))
$(if $(PARTS),,$(error set PARTS before including rules.mk))

ifeq ($(wildcard harness/rules.mk),)

FORWARDED := check predict sanitize ladder explain compare registers sass debug watch hint reset
.PHONY: $(FORWARDED)
$(FORWARDED):
	@CUDA_LADDER_FROM="$$PWD" $(MAKE) --no-print-directory -C .. $@-$(NAME)

FROM_ALL := help progress report findings clean
.DEFAULT_GOAL := help
.PHONY: $(FROM_ALL)
$(FROM_ALL):
	@$(MAKE) --no-print-directory -C .. $@

# make ignores a word that is the name of a folder.
$(foreach word,$(filter-out $(FORWARDED) $(FROM_ALL),$(MAKECMDGOALS)), \
  $(error there is no target "$(word)" here, but $(FORWARDED) $(FROM_ALL)))

else

ASSIGNMENTS := $(ASSIGNMENTS) $(NAME)

ifndef RULES_INCLUDED
RULES_INCLUDED := 1
.SECONDARY:
.DELETE_ON_ERROR:

JUDGE := judge/judge shared/options shared/image
HARNESS := $(addprefix runner/,channel fill fingerprint stopwatch output_archive no_peers) shared/options shared/image
CPUDEVICE := cpudevice/cudacc $(shell find cpudevice/compiler -name '*.py') $(shell find cpudevice/include -type f)
CPUDEVICE_LIBRARY := $(shell find cpudevice/src -type f)
# A starter does not use its parameters yet.
WARNINGS := -Wall -Wextra -Wno-unused-parameter
# Uses the Python that setup chose, if it did: a python3 found by name may be a slow wrapper.
CUDACC = $(if $(PYTHON),$(call quoted,$(PYTHON))) cpudevice/cudacc
# Debug information names sources from the root, so that a checkout can be moved with its programs.
# g++ takes the name of the working directory from PWD, where links may be part of it.
unexport PWD
FROM_ROOT := -fdebug-prefix-map=$(call quoted,$(CURDIR))=. -fdebug-prefix-map=$(call quoted,$(CURDIR)/)=
COMPILE_cpu = $(CUDACC) -O2 -std=c++17 $(WARNINGS) $(FROM_ROOT)
COMPILE_FOR = nvcc -O3 -std=c++17 $(1) -lineinfo --extended-lambda -Xcompiler -Wall,-Wextra,-Wno-unused-parameter
# Compiles for the machine's GPU; for Hopper with its special instructions (wgmma, setmaxnreg). The
# first recipe that compiles for the GPU asks for its architecture, once. -arch=sm_90a would compile
# each file twice: it adds PTX for compute_90.
HOPPER := -gencode arch=compute_90a,code=sm_90a
NATIVE = $(eval NATIVE := $(if $(filter 9.0,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)),$(HOPPER),-arch=native))$(NATIVE)
COMPILE_gpu = $(call COMPILE_FOR,$(NATIVE))
# The CPU device's diagnostic modes have build trees of their own. Code that nvcc would reject is found
# when the program to be graded is compiled; another check would take a quarter of the time.
COMPILE_sanitize = CUDACC_CHECK=0 $(CUDACC) --sanitize -std=c++17 $(WARNINGS) $(FROM_ROOT)
COMPILE_profile = CUDACC_CHECK=0 $(CUDACC) --profile -std=c++17 $(WARNINGS) $(FROM_ROOT)
# A student's file hides nothing, and replaces no function of another file. The diagnostic modes do not
# look at the harness's own kernels, which read and write every array.
GRADED_cpu := --graded
GRADED_sanitize := --graded
GRADED_profile := --graded
HARNESS_sanitize := --uninstrumented
HARNESS_profile := --uninstrumented
KIND_OF = $(if $(filter harness/%,$(1)),$(HARNESS_$(2)),$(if $(findstring /grading/,$(1)),,$(GRADED_$(2))))
# For gdb.
COMPILE_debug = CUDACC_CHECK=0 $(CUDACC) -O0 -g -std=c++17 $(WARNINGS)
# The preprocessed text of a .cu file is kept beside the object: the grader checks it.
KEEP_TEXT_cpu = --preprocessed=$(@:.o=.ii)
KEEP_TEXT_sanitize = $(KEEP_TEXT_cpu)
KEEP_TEXT_profile = $(KEEP_TEXT_cpu)
KEEP_TEXT_gpu = --keep --keep-dir $(@:.o=.keep)
TIDY_gpu = @find $(@:.o=.keep) -type f ! -name '*.ii' -delete
BUILD_GOALS := $(filter build/%,$(MAKECMDGOALS))
BUILD_TREES := $(sort host $(foreach goal,$(BUILD_GOALS),$(word 2,$(subst /, ,$(goal)))))
# Where only programs are to be built, make reads the rules of their devices alone, as that takes most
# of its time if nothing has changed: the grader starts make for each file that it grades.
DEVICES := cpu gpu sanitize profile debug
DEVICES := $(if $(filter-out build/%,$(or $(MAKECMDGOALS),all)),$(DEVICES),$(filter $(BUILD_TREES),$(DEVICES)))
COMPILER_cpu := $(CPUDEVICE)
COMPILER_sanitize := $(CPUDEVICE)
COMPILER_profile := $(CPUDEVICE)
COMPILER_debug := $(CPUDEVICE)
LIBRARY_cpu := $(CPUDEVICE_LIBRARY)
LIBRARY_sanitize := $(CPUDEVICE_LIBRARY)
LIBRARY_profile := $(CPUDEVICE_LIBRARY)
LIBRARY_debug := $(CPUDEVICE_LIBRARY)
# The least architecture that a file of ours is for, which one of its first lines names
# (grader/course/needs.py).
NEEDED = $(or $(shell sed -n '1,4{s|^// needs: compute capability \([0-9]*\)\.\([0-9]\).*|\1\2|p}' $<),75)
# The options that line 2 of a student file asks for; the grader compares them with its allow-list.
# They go through a shell, so a line with a character that means something to a shell is ignored.
STUDENT_FLAGS = $(shell sed -n '2{s|\r$$||;s|^// flags:\([-=_ a-zA-Z0-9]*\)$$|\1|p}' $<)
MAKE_DIRECTORY = @mkdir -p $(@D) $(if $(filter build/gpu/%.o,$@),$(@:.o=.keep))
# Where a source finds headers. $(1): its path, the assignment's directory first. What student code
# includes is in harness/student/ and harness/shared/ and on top of the assignment; harness/runner/ and
# the assignment's grading/ are for programs that call student code, harness/judge/ for the judge.
DIRECTORY_OF = $(firstword $(subst /, ,$(1)))
GRADING_OF = $(if $(findstring /grading/,$(1)),-I$(DIRECTORY_OF)/grading)
STUDENT_INCLUDES = -Iharness/student -Iharness/shared -I$(DIRECTORY_OF) $(MORE_INCLUDES)
RUNNER_INCLUDES = -Iharness/runner $(STUDENT_INCLUDES) $(GRADING_OF)
JUDGE_INCLUDES = -Iharness/judge -Iharness/shared -I$(DIRECTORY_OF) $(GRADING_OF)
# The programs of a handout's figures and tables: harness/figures/programs.py builds them.
FIGURE_INCLUDES = -Iharness/figures $(STUDENT_INCLUDES) -I$(DIRECTORY_OF)/grading -I$(DIRECTORY_OF)/grading/runner
INCLUDES = $(if $(findstring /figures/,$(1)),$(FIGURE_INCLUDES),$(if $(filter harness/%,$(1))$(findstring /grading/,$(1)),$(RUNNER_INCLUDES),$(STUDENT_INCLUDES)))

# $(1) device: every source compiles to the same path under build/<device>/.
define DEVICE_RULES
build/$(1)/%.o: %.cu $(COMPILER_$(1))
	$$(MAKE_DIRECTORY)
	$$(COMPILE_$(1)) $$(call KIND_OF,$$*,$(1)) $$(KEEP_TEXT_$(1)) $$(STUDENT_FLAGS) $$(call INCLUDES,$$*) -MD -MP -MF $$(@:.o=.d) -c $$< -o $$@
	$$(TIDY_$(1))
build/$(1)/%.o: %.cpp $(COMPILER_$(1))
	$$(MAKE_DIRECTORY)
	$$(COMPILE_$(1)) $$(call INCLUDES,$$*) -MD -MP -MF $$(@:.o=.d) -c $$< -o $$@
build/$(1)/libharness.a: $(HARNESS:%=build/$(1)/harness/%.o)
	rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach device,$(DEVICES),$(eval $(call DEVICE_RULES,$(device))))

build/host/%.o: %.cpp
	$(MAKE_DIRECTORY)
	$(CXX) -O2 -std=c++17 $(WARNINGS) $(call JUDGE_INCLUDES,$*) -MMD -MP -c $< -o $@

# Checks that nvcc accepts the file: compiles it to PTX of the oldest architecture that CUDA 13 knows
# and that the file is for, without most optimisations, because it never runs.
build/nvcc/%.ptx: %.cu
	$(MAKE_DIRECTORY)
	nvcc -std=c++17 --extended-lambda -arch=compute_$(NEEDED) -ptx --Ofast-compile=max $(if $(findstring /figures/,$*),-rdc=true) $(STUDENT_FLAGS) $(call INCLUDES,$*) -MD -MP -MF $(@:.ptx=.d) $< -o $@

# What nvcc says of each kernel, for the architecture that the grader names: registers, stack, spills,
# shared memory. PTX and machine code stay beside it, for `make sass-<name>`.
ARCHITECTURE := 90
LISTINGS = build/registers/sm_$(ARCHITECTURE)
LIST_KERNELS = $(call COMPILE_FOR,$(if $(filter 90,$(ARCHITECTURE)),$(HOPPER),-arch=sm_$(ARCHITECTURE))) -Xptxas -v $(STUDENT_FLAGS) -MD -MP -MF $(@:.ptxas=.d) -MT $@ --keep --keep-dir $(@:.ptxas=.keep) -cubin $< -o $(@:.ptxas=.cubin)
LISTED = > $@ 2>&1 || { cat $@ >&2; false; }
LISTING_DIRECTORY = @mkdir -p $(@:.ptxas=.keep)
KEEP_PTX = @find $(@:.ptxas=.keep) -type f ! -name '*.ptx' -delete
$(LISTINGS)/%.ptxas: %.cu
	$(LISTING_DIRECTORY)
	$(LIST_KERNELS) $(call INCLUDES,$*) $(LISTED)
	$(KEEP_PTX)

# A target rung for a handout: machine code alone, without a word of its source.
SEALED_FOR := 75 80 86 89 90 100 120
SERVED = $(shell printf '%s\n' $(SEALED_FOR) | awk '$$1 >= $(NEEDED)')
build/sealed/%.o: %.cu
	$(MAKE_DIRECTORY)
	nvcc -O3 -std=c++17 --extended-lambda $(foreach a,$(SERVED),-gencode arch=compute_$(a),code=sm_$(a)) -DSEALED -no-compress $(STUDENT_FLAGS) $(call INCLUDES,$*) -MD -MP -MF $(@:.o=.d) -c $< -o $@
	strip --strip-unneeded $@

# Includes the header lists of the programs to be built only: if everything has been built, reading all
# lists would take make longer than everything else it does.
BUILD_NAMES := $(sort harness $(foreach goal,$(BUILD_GOALS),$(word 3,$(subst /, ,$(goal)))))
-include $(shell find $(foreach tree,$(BUILD_TREES),$(BUILD_NAMES:%=build/$(tree)/%)) \
  $(if $(filter nvcc-check,$(MAKECMDGOALS)),build/nvcc) -name '*.d' 2>/dev/null)
endif

# $(1) part, $(2) "<part>/" or nothing; in grading/: $(3) the part's runner, $(4) its peers, without ending
# The same list of sources serves one part alone or several side by side.
define PART_RULES
$(foreach device,$(DEVICES),$(call PROGRAM_RULES,$(1),$(2),$(3),$(4),$(device)))
$(LISTINGS)/$(NAME)/path/$(1)/%.ptxas: /%.cu
	$$(LISTING_DIRECTORY)
	$$(LIST_KERNELS) $$(call INCLUDES,$(NAME)) $$(LISTED)
	$$(KEEP_PTX)
endef

# Our objects come before the student's, so that no other object can replace what they define.
# (Peers come first always, as they name their list.)
# $(5) device
define PROGRAM_RULES
build/$(5)/$(NAME)/$(1).names.o: harness/runner/names.cpp $(COMPILER_$(5))
	$$(MAKE_DIRECTORY)
	$$(COMPILE_$(5)) $$(call INCLUDES,$$<) -DASSIGNMENT='"$(NAME)"' -DPART='"$(1)"' -MD -MP -MF $$(@:.o=.d) -c $$< -o $$@
build/$(5)/$(NAME)/path/$(1)/%.o: /%.cu $(COMPILER_$(5))
	$$(MAKE_DIRECTORY)
	$$(COMPILE_$(5)) $$(GRADED_$(5)) $$(KEEP_TEXT_$(5)) $$(STUDENT_FLAGS) $$(call INCLUDES,$(NAME)) -MD -MP -MF $$(@:.o=.d) -c $$< -o $$@
	$$(TIDY_$(5))

RUNNER_$(5)_$(1) := build/$(5)/harness/runner/runner.o build/$(5)/$(NAME)/$(1).names.o build/$(5)/$(NAME)/grading/$(3).o build/$(5)/libharness.a
LINK_$(5)_$(1) = $$(COMPILE_$(5)) $$(filter %.o %.a,$$^) -o $$@ -lpng
build/$(5)/$(NAME)/$(1): $$(RUNNER_$(5)_$(1)) build/$(5)/$(NAME)/$(1).o $(LIBRARY_$(5))
	$$(LINK_$(5)_$(1))
build/$(5)/$(NAME)/ladder/$(2)%: $$(RUNNER_$(5)_$(1)) build/$(5)/$(NAME)/ladder/$(2)%.o $(LIBRARY_$(5))
	$$(LINK_$(5)_$(1))
build/$(5)/$(NAME)/wrong/$(2)%: $$(RUNNER_$(5)_$(1)) build/$(5)/$(NAME)/wrong/$(2)%.o $(LIBRARY_$(5))
	$$(LINK_$(5)_$(1))
build/$(5)/$(NAME)/path/$(1)/%: $$(RUNNER_$(5)_$(1)) build/$(5)/$(NAME)/path/$(1)/%.o $(LIBRARY_$(5))
	$$(LINK_$(5)_$(1))
build/$(5)/$(NAME)/solution$(2:%/=/%): $$(RUNNER_$(5)_$(1)) build/$(5)/$(NAME)/solution$(2:%/=/%).o $(LIBRARY_$(5))
	$$(LINK_$(5)_$(1))
build/$(5)/$(NAME)/target/$(1): $(NAME)/target/$(1).o $$(RUNNER_$(5)_$(1))
	$$(MAKE_DIRECTORY)
	$$(LINK_$(5)_$(1))
build/$(5)/$(NAME)/grading/$(4): build/$(5)/$(NAME)/grading/$(4).o $$(RUNNER_$(5)_$(1)) $(LIBRARY_$(5))
	$$(LINK_$(5)_$(1)) -lcublas

endef

ifeq ($(words $(PARTS)),1)
$(eval $(call PART_RULES,$(PARTS),,runner,peers))
else
$(foreach part,$(PARTS),$(eval $(call PART_RULES,$(part),$(part)/,runner/$(part),peers/$(part))))
endif

build/judge/$(NAME): $(JUDGE:%=build/host/harness/%.o) build/host/$(NAME)/grading/reference.o
	$(MAKE_DIRECTORY)
	$(CXX) $^ -o $@ -lpng

endif
