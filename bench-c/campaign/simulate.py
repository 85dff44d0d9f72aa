"""Campaigns on many machines, simulated: when does the driver become the limit?

    python3 bench-c/campaign/simulate.py target/campaign/measure.csv --driver-ms 1 --client-ms 3 --store-ms 0.05

Measured times of tasks are drawn at random for the tasks of a larger campaign.  A node runs a task on each of its
processors and has as many again waiting.  The driver, the client of the cluster and the store take their time for each task,
one task after the other; they work at the same time as each other.  A node gets its next task when all of them have had it.
"""

import argparse
import csv
import heapq
import random


def simulate(times, nodes, processors, costs, tasks, ahead=2, latency=0.002):
    """Seconds until all tasks have ended, and the share of the time in which processors of nodes work."""
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
            stages[i] = now = max(now, stages[i]) + cost
        seconds = random.choice(times)
        begin = max(heapq.heappop(free), now + latency)
        heapq.heappush(free, begin + seconds)
        heapq.heappush(back, begin + seconds + latency)
        work, end, started = work + seconds, max(end, begin + seconds), started + 1
    return end, work / (end * slots)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="what `hardbop campaign --csv` has written")
    parser.add_argument("--driver-ms", type=float, default=1.0, help="time of the driver for each task")
    parser.add_argument("--client-ms", type=float, default=3.0, help="time of the client of Ray for each task")
    parser.add_argument("--store-ms", type=float, default=0.1, help="time of the store for each result")
    parser.add_argument("--processors", type=int, default=16, help="of each node")
    parser.add_argument("--per-processor", type=int, default=40, help="tasks of the campaign for each processor")
    arguments = parser.parse_args()
    with open(arguments.table, newline="") as file:
        times = [float(row["seconds"]) for row in csv.DictReader(file) if row["seconds"]]
    costs = [ms / 1000 for ms in (arguments.driver_ms, arguments.client_ms, arguments.store_ms)]
    print(f"{len(times)} measured times, mean {sum(times) / len(times):.2f} s; {arguments.processors} processors per node")
    print("| nodes | mean time of a task | tasks per second | processors at work |")
    print("|---|---|---|---|")
    for factor in (1, 10, 60):
        scaled = [t * factor for t in times]
        for nodes in (10, 100, 1000):
            tasks = nodes * arguments.processors * arguments.per_processor
            end, share = simulate(scaled, nodes, arguments.processors, costs, tasks)
            mean = sum(scaled) / len(scaled)
            print(f"| {nodes} | {mean:.1f} s | {tasks / end:.0f} | {100 * share:.0f} % |")
    slowest = max(costs)
    print(f"the slowest stage takes {1 / slowest:.0f} tasks per second")


if __name__ == "__main__":
    main()
