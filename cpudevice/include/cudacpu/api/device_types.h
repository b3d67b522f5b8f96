// The rounding of an operation: older programs name the enumerators, but no function takes any.
#pragma once
#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
