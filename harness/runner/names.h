// Which part of which assignment a program belongs to: the one object that is compiled for each.
#pragma once

extern const char* const kAssignmentName;
extern const char* const kPartName;
