"""The modelled time of a profile: python -m cpudevice.model profile.json [--model t4]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cpudevice.model.gpu import ModelError, known_models, load_gpu
from cpudevice.model.model import LIMITS, estimate
from cpudevice.model.profile import read_profile


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m cpudevice.model", description=__doc__)
    parser.add_argument("profile", type=Path, help="of a program built by cudacc --profile")
    parser.add_argument("--model", default="", help=f"one of {', '.join(known_models())}")
    arguments = parser.parse_args()
    try:
        result = estimate(read_profile(arguments.profile), load_gpu(arguments.model).slice())
    except ModelError as error:
        print(f"model: {error}", file=sys.stderr)
        return 2
    print(f"{result.time_us:12.1f} µs  on an {result.gpu.name}")
    print(f"{'':12}     bound by {LIMITS[result.limit][1]}")
    for timed in result.kernels:
        print(f"{timed.launch_us:12.1f} µs  {timed.kernel.name}, {timed.kernel.launches} launches")
        for name, us in sorted(timed.terms_us.items(), key=lambda term: -term[1]):
            if us > 0:
                print(f"{us:12.1f}       {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
