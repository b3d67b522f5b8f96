// The channel from the runner to the grader: memory that both have mapped, and a pipe whose bytes
// announce new data in the memory.
//
//   <program> --serve REQUESTS WAKE CHANNEL      three descriptors
//
// The runner maps the memory before any of the student's code runs, and closes the descriptor at
// once: no file of the process leads to the memory, and no code but the functions below can read or
// write the memory. grader/run/channel.py is the other side and has the same layout.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace channel {

// Whether the grader started this program.
bool is_open();
// The pipe of the requests, one per line.
int requests();

// Writes a reply and wakes the grader.
void reply(const std::string& text);
// Writes the profile of the last call.
void profile(const char* text, size_t bytes);
// Writes the number of causes that sanitize has found and, if `lines` is not null, all findings, as
// `count` lines of JSON.
void findings(size_t found, const char* lines, size_t bytes, size_t count);
// Has `write` write an output of `bytes` bytes.
void output(size_t bytes, const std::function<void(unsigned char*)>& write);
// Records that the program ends at the grader's request.
void finished();

}  // namespace channel
