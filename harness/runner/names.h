// The assignment and part of a program: an object is compiled for each part.
#pragma once

extern const char* const kAssignmentName;
extern const char* const kPartName;
