// The door to the core: the only headers of cpudevice/src that the libraries include.
//
// A library may also include the headers of cpudevice/include, its own headers, and headers of the
// libraries that stand before the library in README.md. The core includes nothing of cudalibs/.
// tests/cudalibs/test_layers.py checks both rules.
#pragma once

#include "base/call.h"
#include "base/devices.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/map_search.h"
#include "diagnostics/observer.h"
#include "memory/arena.h"
#include "memory/location.h"
#include "streams/call_in_stream.h"
#include "streams/stream_thread.h"
