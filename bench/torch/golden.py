"""Holds the PyTorch peer to a parity case: python golden.py FILE; exits 1 when it is off."""

import sys

import torch
from safetensors import safe_open

from network import Network, reinforce


def compare(file):
    with safe_open(file, "pt") as case:
        meta = case.metadata()
        t = {key: case.get_tensor(key) for key in case.keys()}
    network = Network(
        meta["task"], int(meta["embedding"]), int(meta["heads"]), int(meta["layers"]), int(meta["feed_forward"]),
        int(meta["mixed_score_hidden"]), int(meta["rank"]), int(meta["sinkhorn_iterations"]), float(meta["logit_clipping"]),
    )
    weights = {key.removeprefix("weight."): value for key, value in t.items() if key.startswith("weight.")}
    extra = network.load_state_dict(weights, strict=False)
    assert not extra.missing_keys, extra.missing_keys
    distance, demand, actions = t["in.distance"], t.get("in.demand"), t["rollout.actions"].long()
    embedding, seen = network.encode(distance, demand, t["act.features"])
    errors = {"embedding": (embedding, t["act.embedding"])}
    for at, (attention, h) in enumerate(seen):
        errors[f"encoder.{at}.attention"] = (attention, t[f"act.encoder.{at}.attention"])
        errors[f"encoder.{at}"] = (h, t[f"act.encoder.{at}"])
    given = lambda _, step: actions[:, :, step]
    roll = network.tours(distance, given) if network.is_tour else network.routes(distance, demand, given)
    errors["probabilities"] = (roll[2], t["rollout.step_probabilities"])
    errors["cost"] = (roll[3], t["rollout.cost"])
    loss = reinforce(roll[1], roll[3])
    errors["loss"] = (loss[None], t["loss"])
    loss.backward()
    worst = {name: (a.detach() - b).abs().max().item() for name, (a, b) in errors.items()}
    for name, parameter in network.named_parameters():
        expected = t.get(f"grad.{name}")
        # Some gradients are zero by algebra (biases before a norm): the case holds noise there.
        if expected is not None and expected.abs().max() > 1e-5:
            scale = max(expected.abs().max().item(), 1e-4)
            # A tenth: gradients are held to 1e-3, all else to 1e-4.
            worst[f"grad.{name}"] = (parameter.grad - expected).abs().max().item() / scale / 10
    for name, error in worst.items():
        print(f"{name:<60} {error:.2e}")
    return max(worst.values()) <= 1e-4


if __name__ == "__main__":
    sys.exit(0 if all([compare(file) for file in sys.argv[1:]]) else 1)
