// The header that programs include by name; all declarations are in cudacpu/cusparse/.
//
// All values are computed in double precision, and rounded at the end. Arrays are checked against
// their allocations, and sanitize sees which elements are read and written in which stream. The
// library's time on a GPU is not modelled.
#pragma once

// Programs test the name, which a toolkit's cusparse.h defines.
#define CUSPARSE_H_

#include "cudacpu/cusparse/conversions.h"
#include "cudacpu/cusparse/descriptors.h"
#include "cudacpu/cusparse/handle.h"
#include "cudacpu/cusparse/operations.h"
#include "cudacpu/cusparse/solvers.h"
