"""Runs the load generator: one short slice at a time, contenders in turns, so that noise hits all alike."""

import json
import statistics
import subprocess
import sys

IDLE_SECONDS_MAX = 3


class LoadGenerator:
    def __init__(self, program, items, seconds, warmup, connections=64):
        self.program = str(program)
        self.items = items
        self.seconds = seconds
        self.warmup = warmup
        self.connections = connections

    def run(self, contender, *arguments):
        command = [self.program, "bench", "--endpoint", contender.endpoint, "--items", self.items, *arguments]
        found = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            raise RuntimeError(f"{contender.name}: {' '.join(map(str, command))}\n{found.stderr}")
        return found.stdout

    def load(self, contender, workload, *arguments):
        self.run(contender, "--workload", workload, "--load-only", *arguments)
        contender.wait_until_idle(IDLE_SECONDS_MAX)

    def drop(self, contender, workload):
        self.run(contender, "--workload", workload, "--delete-only")

    def slice(self, contender, workload, *arguments):
        """One measurement, with the CPU that the server used for one operation."""
        before = contender.cpu_seconds()
        text = self.run(contender, "--workload", workload, "--skip-load", "--seconds", self.seconds, "--warmup",
                        self.warmup, "--connections", self.connections, "--json", "-", *arguments)
        result = json.loads(text)
        result["cpu_us"] = None
        if before is not None:
            operations = result["all"]["ops_per_second"] * (self.seconds + self.warmup)
            result["cpu_us"] = (contender.cpu_seconds() - before) * 1e6 / max(operations, 1)
        contender.wait_until_idle(1)
        return result


class Rounds:
    """The slices of one workload by contender, one for each round."""

    def __init__(self):
        self.slices = {}

    def add(self, name, result):
        self.slices.setdefault(name, []).append(result)

    def __contains__(self, name):
        return name in self.slices

    def names(self):
        return list(self.slices)

    def median(self, name, figure):
        values = [figure(result) for result in self.slices[name]]
        return None if None in values else statistics.median(values)

    def ops(self, name):
        return self.median(name, lambda result: result["all"]["ops_per_second"])

    def latency_us(self, name, quantile):
        return self.median(name, lambda result: result["all"][f"{quantile}_us"])

    def cpu_us(self, name):
        return self.median(name, lambda result: result["cpu_us"])

    def errors(self, name):
        return sum(result["error_count"] for result in self.slices[name])

    def body_bytes(self, name):
        return self.median(name, lambda result: result["body_bytes_mean"])

    def ratio(self, name, floor):
        """The median of the rounds' ratios: what disturbs a whole round does not count."""
        if name not in self or floor not in self:
            return None
        return statistics.median(
            a["all"]["ops_per_second"] / max(b["all"]["ops_per_second"], 1e-9)
            for a, b in zip(self.slices[name], self.slices[floor]))

    def as_json(self):
        return self.slices


def take_turns(generator, contenders, workload, rounds, *arguments):
    """Every other round goes backwards: who comes first is not always the same."""
    result = Rounds()
    for number in range(rounds):
        order = contenders if number % 2 == 0 else list(reversed(contenders))
        for contender in order:
            result.add(contender.name, generator.slice(contender, workload, *arguments, "--seed", number + 1))
        progress(f"{workload}: round {number + 1} of {rounds}")
    return result


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def end_progress():
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
