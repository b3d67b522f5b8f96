// Errors: the last error of each host thread, the sticky error of the process, and the sentences
// that explain why a call fails.
#pragma once

#include <string>

namespace cudacpu {

// Every later runtime call returns a sticky error until cudaDeviceReset.
void set_sticky_error(int cuda_error);
int sticky_error();
// Sets the last error of the calling thread, for errors that are not sticky, such as a bad launch
// configuration.
void set_last_error(int cuda_error);
int last_error();

// Name and text of a cudaError_t, as from cudaGetErrorName and cudaGetErrorString.
const char* error_name(int cuda_error);
const char* error_text(int cuda_error);

// Prints on stderr, in one sentence, why a call is about to fail: the program itself gets only a
// number. Each process prints a limited number of sentences, so that a failing loop does not flood
// the output.
__attribute__((format(printf, 1, 2))) void explain(const char* format, ...);

// Returns the text without host addresses, which differ from run to run.
std::string repeatable(std::string text);
// Addresses in [begin, end), in device memory, are the same in each run.
void set_repeatable_addresses(const void* begin, const void* end);

}  // namespace cudacpu
