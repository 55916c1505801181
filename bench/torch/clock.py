"""Times the PyTorch peer: python clock.py inference|training NODES WIDTH LAYERS BATCH THREADS REPEATS. Prints one JSON line."""

import json
import resource
import sys
import time

import torch

from network import Network, reinforce


def tmat(batch, nodes):
    """Shortest paths over uniform matrices."""
    d = torch.rand(batch, nodes, nodes)
    d.diagonal(dim1=1, dim2=2).zero_()
    for k in range(nodes):
        d = torch.minimum(d, d[:, :, k, None] + d[:, k, None, :])
    return d


def greedy(p, _):
    return p.argmax(2)


def sampled(p, _):
    batch, starts, nodes = p.shape
    return p.reshape(batch * starts, nodes).multinomial(1).reshape(batch, starts)


def main(mode, nodes, width, layers, batch, threads, repeats):
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    network = Network(width=width, layers=layers, heads=8, hidden=2 * width)
    optimiser = torch.optim.Adam(network.parameters(), lr=4e-4, weight_decay=1e-6)
    seconds = []
    for _ in range(repeats + 1):
        distance = tmat(batch, nodes)
        begun = time.perf_counter()
        if mode == "inference":
            with torch.no_grad():
                network.encode(distance)
                network.tours(distance, greedy)[3].amin(1)
        else:
            network.encode(distance)
            _, chosen, _, cost = network.tours(distance, sampled)
            optimiser.zero_grad()
            reinforce(chosen, cost).backward()
            optimiser.step()
        seconds.append(time.perf_counter() - begun)
    # The first warms caches and allocators.
    best = min(seconds[1:])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"instances_per_second": batch / best, "peak_mb": memory, "torch": torch.__version__}))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:8]))
