// Which part of which assignment a program belongs to: one object is compiled for each part.
#pragma once

extern const char* const kAssignmentName;
extern const char* const kPartName;
