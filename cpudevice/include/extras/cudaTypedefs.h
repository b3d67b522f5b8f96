// Programs include this header by name; it is in cudacpu/driver/pointers.h.
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H
#include "cudacpu/driver/pointers.h"
#endif
