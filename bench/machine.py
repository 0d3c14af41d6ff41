"""What a figure was measured on."""

import os
import platform
import subprocess
from pathlib import Path


def cpu_model():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory_gb():
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) / 2**20
    return 0.0


def filesystem_of(directory):
    found = subprocess.run(["stat", "-f", "-c", "%T", str(directory)], capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def describe(directory):
    """Lines about the machine and how busy it is before anything is measured."""
    load = os.getloadavg()
    cores = len(os.sched_getaffinity(0))
    lines = [
        f"{cores} cores of {cpu_model()}, {memory_gb():.0f} GB, Linux {platform.release()}",
        f"data on {filesystem_of(directory)}; load before the start {load[0]:.2f} {load[1]:.2f} {load[2]:.2f}",
    ]
    if load[0] > 0.5 * cores:
        lines.append("others are using this machine: look at the ratios, not at the figures")
    return lines
