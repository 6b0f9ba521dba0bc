"""Which part of many workers, RabbitMQ and Redis is full first, computed from what a message costs each of them."""

# Name: (value, meaning). The values are those of deploy/performance-many-workers.md.
FIGURES = {
    "worker_us": (15.0, "CPU of a worker a message, µs"),
    "redis_us": (14.0, "CPU of Redis a message, µs; it has one thread"),
    "broker_us": (65.0, "CPU of the broker a message on quorum queues, in and out, µs"),
    "broker_cores": (16.0, "cores of the broker's node"),
    "queue_rate": (28_000.0, "messages a second through one queue, in and out: one Erlang process"),
    "shards_a_worker": (1.0, "queues of updates for each worker"),
    "fanout_queues": (1.0, "queues that take the outcomes between them"),
    "redis_servers": (1.0, "Redis servers, each with a part of the deployments' accounts"),
    "message_bytes": (1_100.0, "on the wire between broker and worker, in and out together"),
    "redis_bytes": (1_200.0, "on the wire between worker and Redis, in and out together"),
    "network_gbit": (10.0, "of the network card of the broker, and of Redis, Gbit/s"),
    "full": (0.7, "part of its capacity to which anything is to be used"),
}


def capacities(workers, figures):
    """Messages a second that each part can take: name, rate, how that comes about."""
    f = figures
    wire = f["network_gbit"] * 1e9 / 8
    return [
        ("workers", workers * 1e6 / f["worker_us"], f"{workers} × 10⁶ / {f['worker_us']:g} µs"),
        (
            "update queues",
            workers * f["shards_a_worker"] * f["queue_rate"],
            f"{workers} × {f['shards_a_worker']:g} × {f['queue_rate']:g}/s",
        ),
        ("fan-out queues", f["fanout_queues"] * f["queue_rate"], f"{f['fanout_queues']:g} × {f['queue_rate']:g}/s"),
        (
            "broker's cores",
            f["broker_cores"] * 1e6 / f["broker_us"],
            f"{f['broker_cores']:g} × 10⁶ / {f['broker_us']:g} µs",
        ),
        ("Redis", f["redis_servers"] * 1e6 / f["redis_us"], f"{f['redis_servers']:g} × 10⁶ / {f['redis_us']:g} µs"),
        (
            "broker's network",
            wire / f["message_bytes"],
            f"{f['network_gbit']:g} Gbit/s / {f['message_bytes']:g} bytes",
        ),
        (
            "Redis' network",
            f["redis_servers"] * wire / f["redis_bytes"],
            f"{f['redis_servers']:g} × {f['network_gbit']:g} Gbit/s / {f['redis_bytes']:g} bytes",
        ),
    ]


def plan(counts, figures):
    """Tables in Markdown: the capacity of each part, and what is full first."""
    parts = [capacities(count, figures) for count in counts]
    full = f"{figures['full']:.0%}"
    heads = ["messages a second"] + [f"{count} worker{'s' * (count > 1)}" for count in counts]
    heads.append(f"of {counts[-1]}: {full} of")
    rows = []
    for place, (name, _, arithmetic) in enumerate(parts[-1]):
        rows.append([name] + [f"{figures['full'] * each[place][1]:,.0f}" for each in parts] + [arithmetic])
    firsts = [min(each, key=lambda part: part[1]) for each in parts]
    rows.append(["**all of it**"] + [f"**{figures['full'] * first[1]:,.0f}**" for first in firsts] + ["the least"])
    rows.append(["full first"] + [first[0] for first in firsts] + [""])
    return table(heads, rows)


def table(heads, rows):
    """Markdown, its columns aligned."""
    widths = [max(len(row[column]) for row in [heads] + rows) for column in range(len(heads))]
    lines = [heads, ["-" * width for width in widths]] + rows
    return "\n".join("| " + " | ".join(f"{cell:{width}}" for cell, width in zip(line, widths)) + " |" for line in lines)
