// How an operation rounds: named by older programs, taken by no function here.
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__
#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
