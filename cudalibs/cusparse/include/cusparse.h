// Programs include this header by name; all of it is in cudacpu/cusparse/.
//
// Everything is computed in double precision, and rounded at the end. Arrays
// are checked against their allocations, and sanitize sees what is read and
// written in which stream. The time that the library takes on a GPU is not
// modelled.
#pragma once

// Programs ask for this name, which a toolkit's cusparse.h defines.
#define CUSPARSE_H_

#include "cudacpu/cusparse/conversions.h"
#include "cudacpu/cusparse/descriptors.h"
#include "cudacpu/cusparse/handle.h"
#include "cudacpu/cusparse/operations.h"
#include "cudacpu/cusparse/solvers.h"
