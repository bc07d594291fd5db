"""The benchmark's PyTorch side: the same networks, objectives and optimiser.

Reads lines "case features batch repetitions" and answers each with the mean
time of one repetition in microseconds. One thread, float32, eager mode: what
PyTorch does with the graph as its users write it. The first layer of the SML step
is computed once for both passes, and Adam is the quicker of its two
implementations.
"""
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.set_num_interop_threads(1)
torch.manual_seed(1)

WIDTH, RATE, SAMPLES = 50, 0.1, 200


class Net(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.first = nn.Linear(features, WIDTH)
        self.second = nn.Linear(WIDTH, WIDTH)
        self.last = nn.Linear(WIDTH, outputs)

    def rest(self, h, drop):
        if drop:
            h = F.dropout(h, RATE)
        h = F.relu(self.second(h))
        if drop:
            h = F.dropout(h, RATE)
        return self.last(h)


def sml(net, x, y):
    h = F.relu(net.first(x))
    full, sub = net.rest(h, False), net.rest(h, True)
    center = full.detach()
    second = (sub - center).abs() - (center - y).abs()
    return ((full - y) ** 2).mean() + 0.5 * (second**2).mean()


def mc(net, x, y):
    return ((net.rest(F.relu(net.first(x)), True) - y) ** 2).mean()


def pu(net, x, y):
    out = net.rest(F.relu(net.first(x)), False)
    mean, std = out[:, :1], F.softplus(out[:, 1:])
    nll = std.log() + 0.5 * ((y - mean) / std) ** 2
    return nll.clamp(min=-100).mean()


OBJECTIVES = {"sml-step": (sml, 1), "mc-step": (mc, 1), "pu-step": (pu, 2)}


def step(case, features, batch):
    objective, outputs = OBJECTIVES[case]
    net = Net(features, outputs)
    table, labels = torch.randn(20 * batch, features), torch.randn(20 * batch, 1)
    order = torch.randperm(20 * batch)
    best = None
    for foreach in (False, True):
        optimiser = torch.optim.Adam(net.parameters(), lr=0.001, foreach=foreach)

        def once(i=[0], optimiser=optimiser):
            start = i[0] % 20 * batch
            i[0] += 1
            rows = order[start : start + batch]
            loss = objective(net, table[rows], labels[rows])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()

        for _ in range(20):
            once()
        took = timed(once, 50)
        if best is None or took < best[0]:
            best = took, once
    return best[1]


def predict(features, rows):
    net = Net(features, 1)
    x = torch.randn(rows, features)

    def once():
        with torch.no_grad():
            h = F.relu(net.first(x))
            draws = net.rest(h.expand(SAMPLES, rows, WIDTH), True)
            return draws.mean(0), draws.std(0), net.rest(h, False)

    return once


def timed(once, repetitions):
    start = time.perf_counter()
    for _ in range(repetitions):
        once()
    return (time.perf_counter() - start) / repetitions * 1e6


def main():
    ready = {}
    print(torch.__version__, flush=True)
    for line in sys.stdin:
        case, features, batch, repetitions = line.split()
        key = case, int(features), int(batch)
        if key not in ready:
            ready[key] = predict(*key[1:]) if case == "predict" else step(*key)
            ready[key]()
        print(timed(ready[key], int(repetitions)), flush=True)


main()
