"""Campaigns on many machines, simulated: when does the driver become the limit?

    python3 bench-c/campaign/simulate.py target/campaign/measure.csv --driver-ms 0.6 --client-ms 0.7 --batch-ms 3.7 --store-ms 0.03

Measured times of tasks are drawn at random for the tasks of a larger campaign.  A node runs a task on each of its
processors and has as many again waiting.  The driver, the client of the cluster and the store take their time for each task,
one task after the other; they work at the same time as each other.  A node gets its next task when all of them have had it.
Short tasks go in batches, as python/hardbop/ray.py makes them: the client takes some time for each task, and some for each batch.
"""

import argparse
import csv
import heapq
import random


BATCH, BATCH_SECONDS = 16, 1.0
"""As in python/hardbop/ray.py."""


def batch_size(times):
    return max(1, min(BATCH, int(BATCH_SECONDS / (sum(times) / len(times)))))


def simulate(times, nodes, processors, costs, batch_cost, tasks, size, ahead=2, latency=0.002):
    """Seconds until all tasks have ended, and the share of the time in which processors of nodes work.

    costs: of each stage for each task; the second one is the client, which also has a cost for each batch.
    """
    random.seed(1)
    slots = nodes * processors
    # When each processor is free, and when each stage of the driver is.
    free = [0.0] * slots
    stages = [0.0] * len(costs)
    # Results on their way back, which make room for further tasks: the driver deals with the first that comes.
    back, work, end, started = [0.0] * (slots * ahead), 0.0, 0.0, 0
    heapq.heapify(back)
    heapq.heapify(free)
    while started < tasks:
        now = heapq.heappop(back)
        for i, cost in enumerate(costs):
            stages[i] = now = max(now, stages[i]) + cost * size + (batch_cost if i == 1 else 0.0)
        seconds = sum(random.choice(times) for _ in range(size))
        begin = max(heapq.heappop(free), now + latency)
        heapq.heappush(free, begin + seconds)
        heapq.heappush(back, begin + seconds + latency)
        work, end, started = work + seconds, max(end, begin + seconds), started + size
    return end, work / (end * slots)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="what `hardbop campaign --csv` has written")
    parser.add_argument("--driver-ms", type=float, default=1.0, help="time of the driver for each task")
    parser.add_argument("--client-ms", type=float, default=0.7, help="time of the client of Ray for each task")
    parser.add_argument("--batch-ms", type=float, default=3.7, help="time of the client of Ray for each batch")
    parser.add_argument("--store-ms", type=float, default=0.1, help="time of the store for each result")
    parser.add_argument("--single", action="store_true", help="no batches, for comparison")
    parser.add_argument("--processors", type=int, default=16, help="of each node")
    parser.add_argument("--per-processor", type=int, default=40, help="tasks of the campaign for each processor")
    arguments = parser.parse_args()
    with open(arguments.table, newline="") as file:
        times = [float(row["seconds"]) for row in csv.DictReader(file) if row["seconds"]]
    costs = [ms / 1000 for ms in (arguments.driver_ms, arguments.client_ms, arguments.store_ms)]
    print(f"{len(times)} measured times, mean {sum(times) / len(times):.2f} s; {arguments.processors} processors per node")
    print("| nodes | mean time of a task | in a batch | tasks per second | processors at work |")
    print("|---|---|---|---|---|")
    for factor in (1, 10, 60):
        scaled = [t * factor for t in times]
        size = 1 if arguments.single else batch_size(scaled)
        for nodes in (10, 100, 1000):
            tasks = nodes * arguments.processors * arguments.per_processor
            batch = arguments.batch_ms / 1000
            end, share = simulate(scaled, nodes, arguments.processors, costs, batch, tasks, size)
            mean = sum(scaled) / len(scaled)
            print(f"| {nodes} | {mean:.1f} s | {size} | {tasks / end:.0f} | {100 * share:.0f} % |")


if __name__ == "__main__":
    main()
