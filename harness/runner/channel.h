// The way from this program to the grader: memory that both have mapped, and a pipe whose bytes
// announce that something in it is new.
//
//   <program> --serve REQUESTS WAKE CHANNEL      three descriptors
//
// The memory is mapped before any of the student's code runs, and its descriptor is closed at once:
// no file of the process leads to it, and outside the functions below nothing can read or write it.
// grader/run/channel.py is the other side and has the same layout.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace channel {

// Whether the grader started this program.
bool is_open();
// The pipe that requests come from, one per line.
int requests();

// Writes a reply and wakes the grader.
void reply(const std::string& text);
// Writes the profile of the last call.
void profile(const char* text, size_t bytes);
// Writes the number of causes that sanitize has found and, if `lines` is not null, all its
// findings, as `count` lines of JSON.
void findings(size_t found, const char* lines, size_t bytes, size_t count);
// Has `write` write an output of this many bytes.
void output(size_t bytes, const std::function<void(unsigned char*)>& write);
// Records that the program ends because it was asked to.
void finished();

}  // namespace channel
