// The way from this program to the grader: memory that both have mapped, and a pipe whose bytes say
// only that something new is there.
//
//   <program> --serve REQUESTS WAKE CHANNEL      three descriptors
//
// The memory is mapped before anything of the student's runs, and its descriptor is closed at once:
// no file of the process leads there, and outside the functions below nobody can read or write it.
// grader/run/channel.py is the other side and has the same layout.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace channel {

// Has the grader started this program?
bool is_open();
// The pipe that requests come from, one per line.
int requests();

// Puts a reply where the grader finds it and wakes it.
void reply(const std::string& text);
// Puts there what has been counted of the last call.
void profile(const char* text, size_t bytes);
// Puts there how many causes sanitize has found and, if `lines` is not null, all it says of them,
// as `count` lines of JSON.
void findings(size_t found, const char* lines, size_t bytes, size_t count);
// Has `write` put an output of so many bytes there.
void output(size_t bytes, const std::function<void(unsigned char*)>& write);
// Says that the program comes to its end because it was asked to.
void finished();

}  // namespace channel
