#include "names.h"

const char* const kAssignmentName = ASSIGNMENT;
const char* const kPartName = PART;
