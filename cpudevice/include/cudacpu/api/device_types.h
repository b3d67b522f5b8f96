// How an operation rounds: named by older programs, taken by no function here.
#pragma once
#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
