"""What clients feel while a tenth of a large table expires at once."""

import concurrent.futures
import json
import statistics
import time
import urllib.request

import contenders
from large import LOAD_OF_CAPACITY, TABLE, call, direct
from slices import LoadGenerator, end_progress, progress

CACHE_MB = 512
BATCH = 25
LOADERS = 8
SLICES_MAX = 60
ENABLE_SECONDS_MAX = 300


def metric(server, name):
    with direct.open(f"{server.endpoint}/metrics", timeout=30) as page:
        lines = page.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def clock(server, body=None):
    request = urllib.request.Request(f"{server.endpoint}/_stator/clock", body and json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with direct.open(request, timeout=30) as answer:
        return json.load(answer)["now"]


def enable(server):
    """Items that were there are looked through first; that is not what is measured."""
    call(server.endpoint, "UpdateTimeToLive", {"TableName": TABLE, "TimeToLiveSpecification": {
        "Enabled": True, "AttributeName": "expires"}})
    deadline = time.monotonic() + ENABLE_SECONDS_MAX
    while call(server.endpoint, "DescribeTimeToLive", {"TableName": TABLE})["TimeToLiveDescription"][
            "TimeToLiveStatus"] != "ENABLED":
        if time.monotonic() > deadline:
            raise RuntimeError("time to live did not become ENABLED")
        time.sleep(0.1)


def put_expiring(server, count, second):
    """Items of their own beside those that the load generator reads, all due in the same second."""
    filler = "x" * 800

    def put(first):
        requests = [{"PutRequest": {"Item": {"pk": {"S": f"expiring{number:09}"}, "note": {"S": filler},
                                             "expires": {"N": str(second)}}}}
                    for number in range(first, min(first + BATCH, count))]
        call(server.endpoint, "BatchWriteItem", {"RequestItems": {TABLE: requests}})

    with concurrent.futures.ThreadPoolExecutor(LOADERS) as loaders:
        list(loaders.map(put, range(0, count, BATCH)))


def measure(options, data):
    items = options.expiry_items
    expiring = items // 10
    print(f"\n{items:,} items, of which {expiring:,} expire in one second")
    stable = contenders.Stable(options.build, data, items, CACHE_MB)
    generator = LoadGenerator(stable.program(), items - expiring, options.seconds, options.warmup)
    ratios = {}
    with stable.stator("expiry") as server:
        progress("loading")
        generator.load(server, "get")
        second = int(clock(server)) + 3600
        enable(server)
        put_expiring(server, expiring, second)
        capacity = generator.slice(server, "mix-a")["all"]["ops_per_second"]
        rate = ["--rate", int(capacity * LOAD_OF_CAPACITY)]

        def p99():
            return generator.slice(server, "mix-a", *rate)["all"]["p99_us"]

        quiet = [p99() for _ in range(options.rounds)]
        clock(server, {"now": second + 1})
        busy = []
        while metric(server, "stator_expired_items_total") < expiring and len(busy) < SLICES_MAX:
            progress(f"expiring: slice {len(busy) + 1}")
            busy.append(p99())
        deleted = metric(server, "stator_expired_items_total")
        if deleted < expiring:
            raise RuntimeError(f"only {deleted:,.0f} of {expiring:,} items were deleted in time")
        ratios["expiry_p99"] = statistics.median(busy) / statistics.median(quiet) if busy else None
    end_progress()
    if not busy:
        print("  everything was deleted before a slice had begun")
        return {}
    print(f"  p99 of half reads, half updates at {rate[1]:,}/s: {statistics.median(quiet):,.0f} us, "
          f"{statistics.median(busy):,.0f} us while items expire ({len(busy)} slices)")
    return ratios
