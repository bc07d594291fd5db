"""The benchmark's PyTorch side: the same networks, objectives and optimiser.

Says its version and its BLAS, reads lines "case features batch repetitions" and answers
each with the mean time of one repetition in microseconds. One thread, float32, eager mode:
what PyTorch does with the graph as its users write it. The first layer is computed once for
all passes, sub-networks are drawn in one go, what moves the adversary comes from the same
backward pass as the gradient, and Adam is the quicker of its two implementations, as the
convolution is of its two layouts.
"""
import math
import re
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

import losses

torch.set_num_threads(1)
torch.set_num_interop_threads(1)
torch.manual_seed(1)

WIDTH, RATE, SAMPLES, BATCHES = 50, 0.1, 200, 20


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

    def forward(self, x, drop=False):
        return self.rest(F.relu(self.first(x)), drop)


class Concrete(nn.Module):
    """Layers that learn their dropout rates, and what the weights and the rates cost."""

    def __init__(self, features, outputs):
        super().__init__()
        self.first = nn.Linear(features, WIDTH)
        self.second = nn.Linear(WIDTH, WIDTH)
        self.last = nn.Linear(WIDTH, outputs)
        self.logits = nn.ParameterList(nn.Parameter(torch.tensor(math.log(RATE / (1 - RATE)))) for _ in range(2))

    def forward(self, x):
        weights = entropy = 0
        h = x
        for layer, following, logit in zip([self.first, self.second], [self.second, self.last], self.logits):
            h = F.relu(layer(h))
            keep = torch.sigmoid(-logit)
            dropped = torch.sigmoid((torch.rand_like(h).logit_() + logit) * -10)
            h = h * dropped / keep
            weights = weights + following.weight.square().sum() / keep
            entropy = entropy + WIDTH * (torch.sigmoid(logit) * logit - F.softplus(logit))
        return self.last(h), weights, entropy


class Bayes(nn.Module):
    """Layers whose weights are drawn from normal distributions, and what these cost."""

    def __init__(self, features, outputs):
        super().__init__()
        self.means, self.rhos = nn.ParameterList(), nn.ParameterList()
        for layer in nn.Linear(features, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, outputs):
            for mean in layer.weight, layer.bias:
                self.means.append(nn.Parameter(mean.detach()))
                self.rhos.append(nn.Parameter(torch.full_like(mean, -4)))

    def forward(self, x):
        log_std = squares = 0
        drawn = []
        for mean, rho in zip(self.means, self.rhos):
            std = F.softplus(rho)
            log_std = log_std + std.log().sum()
            squares = squares + mean.square().sum() + std.square().sum()
            drawn.append(torch.addcmul(mean, std, torch.randn_like(std)))
        h = F.relu(F.linear(x, drawn[0], drawn[1]))
        h = F.relu(F.linear(h, drawn[2], drawn[3]))
        return F.linear(h, drawn[4], drawn[5]), log_std, squares


def sml(net, x, y, _):
    h = F.relu(net.first(x))
    full, sub = net.rest(h, False), net.rest(h, True)
    center = full.detach()
    second = (sub - center).abs() - (center - y).abs()
    return ((full - y) ** 2).mean() + 0.5 * (second**2).mean()


def mc(net, x, y, _):
    return ((net(x, drop=True) - y) ** 2).mean()


def mc_pu(net, x, y, _):
    return losses.gaussian_nll(net(x, drop=True), y)


def w_dropout(net, x, y, _):
    h = F.relu(net.first(x))
    return losses.w_dropout(net.rest(h.expand(5, *h.shape), True), y)


def adversarial(net, x, y, _):
    x.requires_grad_()
    losses.gaussian_nll(net(x), y).backward()
    worse = x.detach() + 0.05 * x.grad.sign()
    return losses.gaussian_nll(net(worse), y)  # whose gradient is added


def concrete(net, x, y, _):
    out, weights, entropy = net(x)
    rows = BATCHES * len(x)
    return losses.gaussian_nll(out, y) + 1e-8 / 2 / rows * weights + entropy / rows


def bayes(net, x, y, progress):
    out, log_std, squares = net(x)
    rows = BATCHES * len(x)
    return losses.gaussian_nll(out, y) + min(1, progress / 0.2) / rows * (0.5 * squares - log_std)


def of_outputs(objective):
    return lambda net, x, y, _: objective(net(x), y)


STEPS = {
    "sml": (sml, Net, 1),
    "mc": (mc, Net, 1),
    "pu": (of_outputs(losses.gaussian_nll), Net, 2),
    "mc-pu": (mc_pu, Net, 2),
    "beta-nll": (of_outputs(losses.beta_nll), Net, 2),
    "crps": (of_outputs(losses.crps), Net, 2),
    "student-t": (of_outputs(losses.student_t), Net, 3),
    "evidential": (of_outputs(losses.evidential), Net, 4),
    "mdn": (of_outputs(losses.mdn), Net, 9),
    "quantiles": (of_outputs(losses.quantiles), Net, 7),
    "adv-de": (adversarial, Net, 2),
    "w-dropout": (w_dropout, Net, 1),
    "concrete": (concrete, Concrete, 2),
    "bayes": (bayes, Bayes, 2),
}


def step(method, features, batch):
    objective, network, outputs = STEPS[method]
    net = network(features, outputs)
    table, labels = torch.randn(BATCHES * batch, features), torch.randn(BATCHES * batch, 1)
    order = torch.randperm(BATCHES * batch)

    def with_adam(foreach):
        optimiser = torch.optim.Adam(net.parameters(), lr=0.001, foreach=foreach)
        done = 0

        def once():
            nonlocal done
            start = done % BATCHES * batch
            rows = order[start : start + batch]
            optimiser.zero_grad(set_to_none=True)
            objective(net, table[rows], labels[rows], done / (1000 * BATCHES)).backward()
            optimiser.step()
            done += 1

        return once

    return quicker(with_adam(False), with_adam(True))


def predict(features, rows):
    net = Net(features, 1)
    x = torch.randn(rows, features)

    def once():
        with torch.no_grad():
            h = F.relu(net.first(x))
            draws = net.rest(h.expand(SAMPLES, rows, WIDTH), True)
            return draws.mean(0), draws.std(0), net.rest(h, False)

    return once


def convolution(channels, rows):
    """3×3, on images 16×16, to twice the channels, with bias and ReLU, and all gradients."""

    def of(layout):
        x = torch.randn(rows, channels, 16, 16).to(memory_format=layout).requires_grad_()
        layer = nn.Conv2d(channels, 2 * channels, 3, padding=1).to(memory_format=layout)
        weights = torch.randn(rows, 2 * channels, 16, 16).to(memory_format=layout)

        def once():
            x.grad = None
            layer.zero_grad(set_to_none=True)
            (F.relu(layer(x)) * weights).sum().backward()

        return once

    return quicker(of(torch.contiguous_format), of(torch.channels_last))


def products(channels, rows):
    """The three products of the convolution by themselves."""
    patches, kernel = torch.randn(rows * 256, 9 * channels), torch.randn(9 * channels, 2 * channels)
    slope = torch.randn(rows * 256, 2 * channels)

    def once():
        return patches @ kernel, patches.T @ slope, slope @ kernel.T

    return once


CASES = {"predict": predict, "convolution": convolution, "conv-products": products}


def quicker(*ways):
    for once in ways:
        timed(once, 20)
    return min(ways, key=lambda once: timed(once, 50))


def timed(once, repetitions):
    start = time.perf_counter()
    for _ in range(repetitions):
        once()
    return (time.perf_counter() - start) / repetitions * 1e6


def blas():
    """The files of a BLAS that are mapped, or what torch says that it was built with."""
    with open("/proc/self/maps") as maps:
        files = {line.split(maxsplit=5)[5].strip() for line in maps if line.count("/")}
    found = sorted(f for f in files if re.search(r"/(lib)?(cblas|blas|openblas|mkl|blis|atlas)[^/]*$", f))
    return " ".join(found) or "BLAS " + re.search(r"BLAS_INFO=(\w+)", torch.__config__.show())[1]


def main():
    ready = {}
    print(torch.__version__, blas(), sep="\t", flush=True)
    for line in sys.stdin:
        case, features, batch, repetitions = line.split()
        key = case, int(features), int(batch)
        if key not in ready:
            make = CASES[case] if case in CASES else lambda *size: step(case.removesuffix("-step"), *size)
            ready[key] = make(*key[1:])
            ready[key]()
        print(timed(ready[key], int(repetitions)), flush=True)


main()
