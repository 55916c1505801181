"""Makes a parity case of any size with the PyTorch peer: python case.py FILE [key=value ...], sampled actions."""

import sys

import torch
from safetensors.torch import save_file

from network import Network, reinforce, zscored

SIZES = dict(task="atsp", nodes=20, embedding=64, heads=4, layers=2, feed_forward=128, mixed_score_hidden=16, rank=10,
             sinkhorn_iterations=10, logit_clipping=10, batch=2, seed=1)


def closed(matrix):
    """(B,N,N): no way is longer than over another node."""
    matrix = matrix.clone()
    matrix.diagonal(dim1=1, dim2=2).zero_()
    for via in range(matrix.shape[1]):
        matrix = torch.minimum(matrix, matrix[:, :, via, None] + matrix[:, None, via, :])
    return matrix


def exact_features(z, rank):
    """(B,N,N) -> (B,N,2 rank)."""
    u, s, v = torch.linalg.svd(z.double())
    root = s[:, None, :rank].sqrt()
    return torch.cat([u[:, :, :rank] * root, v.transpose(1, 2)[:, :, :rank] * root], dim=2).float()


def make(file, sizes):
    torch.manual_seed(int(sizes["seed"]))
    batch, stops, is_tour = int(sizes["batch"]), int(sizes["nodes"]), sizes["task"] == "atsp"
    nodes = stops if is_tour else stops + 1
    names = ["embedding", "heads", "layers", "feed_forward", "mixed_score_hidden", "rank", "sinkhorn_iterations"]
    network = Network(sizes["task"], *(int(sizes[name]) for name in names), float(sizes["logit_clipping"]))
    distance = closed(torch.rand(batch, nodes, nodes))
    demand = None if is_tour else torch.randint(1, 10, (batch, stops)) / 50
    features = exact_features(zscored(distance), int(sizes["rank"]))
    if demand is not None:
        whole = torch.nn.functional.pad(demand, (1, 0))
        features = torch.cat([features, (whole / (whole.sum(1, keepdim=True) + 1e-6))[:, :, None]], dim=2)
    embedding, seen = network.encode(distance, demand, features)
    draw = lambda p, _: torch.multinomial(p.detach().flatten(0, 1), 1).view(p.shape[:2])
    actions, chosen, every, cost = network.tours(distance, draw) if is_tour else network.routes(distance, demand, draw)
    loss = reinforce(chosen, cost)
    loss.backward()
    case = {"in.distance": distance, "act.features": features, "act.embedding": embedding, "loss": loss[None],
            "rollout.actions": actions.int(), "rollout.chosen_probability": chosen, "rollout.cost": cost,
            "rollout.step_probabilities": every}
    if demand is not None:
        case["in.demand"] = demand
    for at, (attention, h) in enumerate(seen):
        case[f"act.encoder.{at}.attention"], case[f"act.encoder.{at}"] = attention, h
    for name, parameter in network.named_parameters():
        case[f"weight.{name}"], case[f"grad.{name}"] = parameter, parameter.grad
    save_file({key: value.detach().contiguous() for key, value in case.items()}, file, {k: str(v) for k, v in sizes.items()})


if __name__ == "__main__":
    given = dict(pair.split("=", 1) for pair in sys.argv[2:])
    unknown = given.keys() - SIZES.keys()
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(SIZES)}")
    make(sys.argv[1], SIZES | given)
