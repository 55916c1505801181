"""The paper's network in plain PyTorch, written from its specification: the peer that our kernels are timed against.

Shapes: B instances, N nodes, d width, H heads, c = d / H, P trajectories.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F


def zscored(distance):
    """(B,N,N) -> (B,N,N), by the mean and the unbiased deviation of all entries."""
    flat = distance.flatten(1)
    mean, deviation = flat.mean(1), flat.std(1)
    return (distance - mean[:, None, None]) / (deviation[:, None, None] + 1e-9)


def svd_features(z, rank):
    """(B,N,N) -> (B,N,2 rank): how each node is left and how it is reached."""
    u, s, v = torch.svd_lowrank(z, q=rank)
    root = s.sqrt()[:, None, :]
    return torch.cat([u * root, v * root], dim=2)


def sinkhorn(scores, iterations):
    """(B,H,N,N): rows, then columns, in the log domain."""
    scores = scores - scores.amax(-1, keepdim=True)
    for _ in range(iterations):
        scores = scores - scores.logsumexp(-1, keepdim=True)
        scores = scores - scores.logsumexp(-2, keepdim=True)
    return scores.exp()


class Block(nn.Module):
    def __init__(self, width, heads, hidden, mixed, iterations):
        super().__init__()
        self.heads, self.iterations = heads, iterations
        self.Wq = nn.Linear(width, width)
        self.Wk = nn.Linear(width, width)
        self.Wv = nn.Linear(width, width, bias=False)
        self.mixed_score_MHA = Mixing(heads, mixed)
        self.multi_head_combine = nn.Linear(width, width)
        self.add_n_normalization_1 = InstanceNorm(width)
        self.add_n_normalization_2 = InstanceNorm(width)
        self.feed_forward = FeedForward(width, hidden)

    def forward(self, h, z):
        q, k, v = (split(layer(h), self.heads) for layer in (self.Wq, self.Wk, self.Wv))
        dot = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        weights = sinkhorn(self.mixed_score_MHA(dot, z), self.iterations)
        attention = joined(weights @ v)
        h = self.add_n_normalization_1(h + self.multi_head_combine(attention))
        return self.add_n_normalization_2(h + self.feed_forward(h)), attention


class Mixing(nn.Module):
    def __init__(self, heads, hidden):
        super().__init__()
        inner, outer = 1.0, math.sqrt(3 / 16)
        self.mix1_weight = nn.Parameter(torch.empty(heads, 3, hidden).uniform_(-inner, inner))
        self.mix1_bias = nn.Parameter(torch.empty(heads, hidden).uniform_(-inner, inner))
        self.mix2_weight = nn.Parameter(torch.empty(heads, hidden, 1).uniform_(-outer, outer))
        self.mix2_bias = nn.Parameter(torch.empty(heads, 1).uniform_(-outer, outer))

    def forward(self, dot, z):
        """(B,H,N,N) and (B,N,N) -> (B,H,N,N)."""
        batch, heads, nodes, _ = dot.shape
        both = [m[:, None].expand(batch, heads, nodes, nodes) for m in (z, z.transpose(1, 2))]
        inputs = torch.stack([dot, *both], dim=4).transpose(1, 2)  # (B,N,H,N,3)
        inner = F.relu(inputs @ self.mix1_weight + self.mix1_bias[:, None, :])
        outer = inner @ self.mix2_weight + self.mix2_bias[:, None, :]
        return outer.squeeze(4).transpose(1, 2)


class InstanceNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.InstanceNorm1d(width, affine=True, track_running_stats=False)

    def forward(self, h):
        return self.norm(h.transpose(1, 2)).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.W1, self.W2 = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, h):
        return self.W2(F.relu(self.W1(h)))


class Encoder(nn.Module):
    def __init__(self, layers, *sizes):
        super().__init__()
        self.layers = nn.ModuleList(Block(*sizes) for _ in range(layers))

    def forward(self, h, z):
        seen = []
        for layer in self.layers:
            h, attention = layer(h, z)
            seen.append((attention, h))
        return h, seen


class Decoder(nn.Module):
    def __init__(self, width, heads, clip, is_tour):
        super().__init__()
        self.heads, self.clip, self.width, self.is_tour = heads, clip, width, is_tour
        self.Wq_0 = nn.Linear(width if is_tour else width + 1, width, bias=False)
        if is_tour:
            self.Wq_1 = nn.Linear(width, width, bias=False)
        self.Wk = nn.Linear(width, width, bias=False)
        self.Wv = nn.Linear(width, width, bias=False)
        self.multi_head_combine = nn.Linear(width, width)

    def begin(self, h):
        self.h, self.k, self.v = h, split(self.Wk(h), self.heads), split(self.Wv(h), self.heads)

    def first(self, starts):
        self.q_first = self.Wq_1(gathered(self.h, starts))

    def forward(self, current, load, mask):
        """(B,P), (B,P) or None, (B,P,N) of 0 and -inf -> probabilities (B,P,N)."""
        here = gathered(self.h, current)
        if self.is_tour:
            query = self.Wq_0(here) + self.q_first
        else:
            query = self.Wq_0(torch.cat([here, load[:, :, None]], dim=2))
        q = split(query, self.heads)
        scores = q @ self.k.transpose(2, 3) / math.sqrt(q.shape[-1]) + mask[:, None]
        glimpse = self.multi_head_combine(joined(scores.softmax(-1) @ self.v))
        logits = glimpse @ self.h.transpose(1, 2) / math.sqrt(self.width)
        return (self.clip * logits.tanh() + mask).softmax(-1)


class Network(nn.Module):
    def __init__(self, task="atsp", width=256, heads=8, layers=5, hidden=512, mixed=16, rank=10, iterations=10, clip=10.0):
        super().__init__()
        self.rank, self.is_tour = rank, task == "atsp"
        self.projection = nn.Linear(2 * rank + (not self.is_tour), width)
        self.encoder = Encoder(layers, width, heads, hidden, mixed, iterations)
        self.decoder = Decoder(width, heads, clip, self.is_tour)

    def encode(self, distance, demand=None, features=None):
        z = zscored(distance)
        if features is None:
            features = svd_features(z, self.rank)
            if demand is not None:
                whole = F.pad(demand, (1, 0))
                features = torch.cat([features, (whole / (whole.sum(1, keepdim=True) + 1e-6))[:, :, None]], dim=2)
        embedding = self.projection(features)
        h, seen = self.encoder(embedding, z)
        self.decoder.begin(h)
        return embedding, seen

    def tours(self, distance, choose):
        """Rolls out from every start. `choose(probabilities, step)` gives (B,P). Returns nodes, chosen
        probabilities, all probabilities, costs."""
        batch, nodes, _ = distance.shape
        current = torch.arange(nodes).expand(batch, nodes)
        self.decoder.first(current)
        mask = torch.zeros(batch, nodes, nodes).scatter(2, current[:, :, None], -math.inf)
        path, chosen, every = [current], [torch.ones(batch, nodes)], []
        for step in range(1, nodes):
            p = self.decoder(current, None, mask)
            current = choose(p, step)
            every.append(p)
            chosen.append(p.gather(2, current[:, :, None]).squeeze(2))
            path.append(current)
            mask = mask.scatter(2, current[:, :, None], -math.inf)
        return finish(distance, path, chosen, every)

    def routes(self, distance, demand, choose):
        """The same for a depot and capacities; `demand` (B,n) in vehicles."""
        batch, nodes, _ = distance.shape
        starts = nodes - 1
        rows = torch.arange(batch)[:, None]
        whole = F.pad(demand, (1, 0))[:, None, :].expand(batch, starts, nodes)
        depot = torch.zeros(batch, starts, dtype=torch.long)
        current = torch.arange(1, nodes).expand(batch, starts)
        visited = torch.zeros(batch, starts, nodes, dtype=torch.bool).scatter(2, current[:, :, None], True)
        load = 1 - whole.gather(2, current[:, :, None]).squeeze(2)
        path = [depot, current]
        chosen, every = [torch.ones(batch, starts)] * 2, []
        step = 2
        while not (visited[:, :, 1:].all() and (current == 0).all()):
            closed = visited | (load[:, :, None] + 1e-5 < whole)
            done = visited[:, :, 1:].all(2)
            closed[:, :, 0] = (current == 0) & ~done
            p = self.decoder(current, load, torch.zeros(closed.shape).masked_fill(closed, -math.inf))
            current = choose(p, step)
            every.append(p)
            chosen.append(p.gather(2, current[:, :, None]).squeeze(2))
            path.append(current)
            visited = visited.scatter(2, current[:, :, None], True)
            visited[:, :, 0] = False
            load = torch.where(current == 0, 1.0, load - whole.gather(2, current[:, :, None]).squeeze(2))
            step += 1
        return finish(distance, path, chosen, every)


def finish(distance, path, chosen, every):
    path, chosen = torch.stack(path, 2), torch.stack(chosen, 2)
    rows = torch.arange(distance.shape[0])[:, None, None]
    cost = distance[rows, path, path.roll(-1, 2)].sum(2)
    return path, chosen, torch.stack(every, 2) if every else None, cost


def reinforce(chosen, cost):
    """The loss with the mean over starts as its baseline."""
    advantage = cost.mean(1, keepdim=True) - cost
    return -(advantage * chosen.log().sum(2)).mean()


def split(x, heads):
    """(B,P,d) -> (B,H,P,c)"""
    return x.unflatten(2, (heads, -1)).transpose(1, 2)


def joined(x):
    """(B,H,P,c) -> (B,P,d)"""
    return x.transpose(1, 2).flatten(2)


def gathered(h, nodes):
    """(B,N,d) and (B,P) -> (B,P,d)"""
    return h.gather(1, nodes[:, :, None].expand(-1, -1, h.shape[2]))
