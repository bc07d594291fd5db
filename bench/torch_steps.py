"""The benchmark's PyTorch side: the same networks, objectives and optimiser.

    torch_steps.py THREADS

says its version, where sgemm_ is in its memory and what it says of its BLAS, and reads lines.
"CASE WIDTH INPUTS ROWS BATCHES REPETITIONS" is answered with the mean time of one repetition in
microseconds, of so many networks as a case trains at once; "agree FILE" with what a few steps make
of the weights, batches and masks of a file.

Float32, eager mode: what PyTorch does with the graph as its users write it. The first layer is
computed once for all passes, sub-networks are drawn in one go, what moves the adversary comes from
the same backward pass as the gradient, and Adam is the quicker of its two implementations, as the
convolution is of its two layouts.
"""
import ctypes
import json
import math
import re
import sys
import time
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

import losses
from stacked import NETWORKS, Stack

THREADS = int(sys.argv[1])
torch.set_num_threads(THREADS)
torch.set_num_interop_threads(1)
torch.manual_seed(1)

RATE, SAMPLES = 0.1, 200


class Progress(NamedTuple):
    share: float  # of the training that is done
    rows: int  # that are trained on


class Net(nn.Module):
    dropout = staticmethod(F.dropout)

    def __init__(self, width, features, outputs):
        super().__init__()
        self.first = nn.Linear(features, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, outputs)

    def rest(self, h, drop):
        if drop:
            h = self.dropout(h, RATE)
        h = F.relu(self.second(h))
        if drop:
            h = self.dropout(h, RATE)
        return self.last(h)

    def forward(self, x, drop=False):
        return self.rest(F.relu(self.first(x)), drop)


class Concrete(nn.Module):
    """Layers that learn their dropout rates, and what the weights and the rates cost."""

    def __init__(self, width, features, outputs):
        super().__init__()
        self.first = nn.Linear(features, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, outputs)
        self.logits = nn.ParameterList(nn.Parameter(torch.tensor(math.log(RATE / (1 - RATE)))) for _ in range(3))

    def forward(self, x):
        weights = entropy = 0
        h = x
        for layer, logit in zip([self.first, self.second, self.last], self.logits):
            keep = torch.sigmoid(-logit)
            kept = torch.sigmoid((torch.rand_like(h).logit_() + logit) * -10)
            h = layer(h * kept / keep)
            if layer is not self.last:
                h = F.relu(h)
            weights = weights + layer.weight.square().sum() / keep
            entropy = entropy + layer.in_features * (torch.sigmoid(logit) * logit - F.softplus(logit))
        return h, weights, entropy


class Bayes(nn.Module):
    """Layers whose weights are drawn from normal distributions, and what these cost."""

    def __init__(self, width, features, outputs):
        super().__init__()
        self.means, self.rhos = nn.ParameterList(), nn.ParameterList()
        for layer in nn.Linear(features, width), nn.Linear(width, width), nn.Linear(width, outputs):
            for mean in layer.weight, layer.bias:
                self.means.append(nn.Parameter(mean.detach()))
                self.rhos.append(nn.Parameter(torch.full_like(mean, -4)))

    def forward(self, x):
        divergence = 0
        drawn = []
        for mean, rho in zip(self.means, self.rhos):
            std, noise = F.softplus(rho), torch.randn_like(mean)
            w = torch.addcmul(mean, std, noise)
            squares = w.square()
            prior = torch.logaddexp(squares * -0.5 - math.log(2), squares * (-0.5 * math.exp(12)) + (6 - math.log(2)))
            divergence = divergence - (noise.square() * 0.5 + std.log() + prior).sum()
            drawn.append(w)
        h = F.relu(F.linear(x, drawn[0], drawn[1]))
        h = F.relu(F.linear(h, drawn[2], drawn[3]))
        return F.linear(h, drawn[4], drawn[5]), divergence


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
    worse = x.detach() + 0.01 * 4 * x.grad.sign()  # a hundredth of a range of four standard deviations
    return losses.gaussian_nll(net(worse), y)  # whose gradient is added


def concrete(net, x, y, progress):
    out, weights, entropy = net(x)
    rows = progress.rows
    return losses.gaussian_nll(out, y) + 1e-8 / 2 / rows * weights + entropy / rows


def bayes(net, x, y, progress):
    out, divergence = net(x)
    return losses.gaussian_nll(out, y) + min(1, progress.share / 0.2) / progress.rows * divergence


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


def training(net, objective, batch, table, labels, order, foreach):
    """A step over the rows that order says, a row of it for each network."""
    optimiser = torch.optim.Adam(net.parameters(), lr=0.001, foreach=foreach)
    batches = order.shape[-1] // batch
    done = 0

    def once():
        nonlocal done
        start = done % batches * batch
        rows = order[..., start : start + batch]
        optimiser.zero_grad(set_to_none=True)
        loss = objective(net, table[rows], labels[rows], Progress(done / (1000 * batches), len(table)))
        loss.backward()
        optimiser.step()
        done += 1
        return loss

    return once


def all_of(objective):
    """The sum over a stack's networks, of an objective that ends with a mean: each has its own gradient."""
    return lambda net, *batch: NETWORKS * objective(net, *batch)


def step(method, width, features, batch, batches):
    objective, network, outputs = STEPS[method]
    rows = batches * batch
    data = torch.randn(rows, features), torch.randn(rows, 1), torch.randperm(rows)
    return quicker(*(training(network(width, features, outputs), objective, batch, *data, foreach) for foreach in (False, True)))


def stacked(width, features, batch, batches):
    rows = batches * batch
    data = torch.randn(rows, features), torch.randn(rows, 1), torch.stack([torch.randperm(rows) for _ in range(NETWORKS)])

    def way(foreach):
        stack = Stack([Net(width, features, 1) for _ in range(NETWORKS)], RATE, F.dropout)
        return training(stack, all_of(sml), batch, *data, foreach)

    return quicker(way(False), way(True))


def predict(width, features, rows, _):
    net = Net(width, features, 1)
    x = torch.randn(rows, features)

    def once():
        with torch.no_grad():
            h = F.relu(net.first(x))
            draws = net.rest(h.expand(SAMPLES, rows, width), True)
            return draws.mean(0), draws.std(0), net.rest(h, False)

    return quicker(once)


def convolution(kernels, channels, rows, _):
    """3×3, on images 16×16, with bias and ReLU, and all gradients."""

    def of(layout):
        x = torch.randn(rows, channels, 16, 16).to(memory_format=layout).requires_grad_()
        layer = nn.Conv2d(channels, kernels, 3, padding=1).to(memory_format=layout)
        weights = torch.randn(rows, kernels, 16, 16).to(memory_format=layout)

        def once():
            x.grad = None
            layer.zero_grad(set_to_none=True)
            (F.relu(layer(x)) * weights).sum().backward()

        return once

    return quicker(of(torch.contiguous_format), of(torch.channels_last))


def products(kernels, channels, rows, _):
    """The three products of the convolution by themselves."""
    patches, kernel = torch.randn(rows * 256, 9 * channels), torch.randn(9 * channels, kernels)
    slope = torch.randn(rows * 256, kernels)

    def once():
        return patches @ kernel, patches.T @ slope, slope @ kernel.T

    return quicker(once)


CASES = {
    "predict": predict, "convolution": convolution, "conv-products": products,
    "sml-stacked": stacked,
}


def quicker(*ways):
    """The quickest, on one of torch's own threads or on all; those of its BLAS stay."""

    def took(way):
        for_a_while(*way, 0.02)
        return for_a_while(*way, 0.06)

    return min(((once, n) for once in ways for n in {1, THREADS}), key=took)


def for_a_while(once, threads, seconds):
    """Microseconds of a repetition."""
    torch.set_num_threads(threads)
    start, repetitions = time.perf_counter(), 0
    while not repetitions or time.perf_counter() - start < seconds:
        once()
        repetitions += 1
    return (time.perf_counter() - start) / repetitions * 1e6


def timed(once, threads, repetitions):
    torch.set_num_threads(threads)
    start = time.perf_counter()
    for _ in range(repetitions):
        once()
    return (time.perf_counter() - start) / repetitions * 1e6


def agree(path):
    """What steps of SML make of the networks of a file, one by one and stacked: losses and weights."""
    with open(path) as file:
        given = json.load(file)
    width, features, batch = given["width"], given["inputs"], given["rows"]
    nets, tables, labels, masks = [], [], [], []
    for g in given["networks"]:
        net, values = Net(width, features, 1), torch.tensor(g["values"])
        for layer in net.first, net.second, net.last:
            inputs, outputs = layer.in_features, layer.out_features
            weight, bias, values = values.split([inputs * outputs, outputs, len(values) - (inputs + 1) * outputs])
            layer.weight.data, layer.bias.data = weight.reshape(inputs, outputs).T.clone(), bias.clone()
        nets.append(net)
        tables.append(torch.tensor(g["x"]).reshape(-1, features))
        labels.append(torch.tensor(g["y"]).reshape(-1, 1))
        masks.append(torch.tensor(g["masks"]).reshape(-1, batch, width))
    order = torch.arange(len(tables[0]))
    steps = len(order) // batch

    def trained(net, objective, *data):
        once = training(net, objective, batch, *data, False)
        return [once().item() for _ in range(steps)]

    stack = Stack(nets, RATE, given_masks(torch.stack(masks, 1)))
    orders = torch.stack([order + i * len(order) for i in range(NETWORKS)])
    sums = trained(stack, all_of(sml), torch.cat(tables), torch.cat(labels), orders)
    found = []
    for net, table, y, m in zip(nets, tables, labels, masks):
        net.dropout = given_masks(m)
        found.append({"losses": trained(net, sml, table, y, order), "values": flat(net.first, net.second, net.last)})
    return {"networks": found, "sums": sums, "stacked": [flat(*stack.layers(i)) for i in range(NETWORKS)]}


def given_masks(masks):
    masks = iter(masks)
    return lambda h, _: h * next(masks)


def flat(*layers):
    return torch.cat([t.detach().flatten() for layer in layers for t in (layer.weight.T, layer.bias)]).tolist()


def blas():
    """Where sgemm_ is that libtorch calls, 0 for what is hidden in it, and a name with a version."""
    built = torch.__config__.show()
    name = re.search(r"(Intel.*Math Kernel Library Version \S+)", built) or re.search(r"BLAS_INFO=(\w*)", built)
    name = name[1] if name else ""
    try:
        with open("/proc/self/maps") as maps:
            libtorch = next(line.split(maxsplit=5)[5].strip() for line in maps if "/libtorch_cpu.so" in line)
    except (OSError, StopIteration):
        return 0, name
    for scope in ctypes.CDLL(None), ctypes.CDLL(libtorch):  # as the loader looks
        if hasattr(scope, "sgemm_"):
            if hasattr(scope, "openblas_get_config"):
                text = ctypes.CFUNCTYPE(ctypes.c_char_p)
                version, core = (text((f, scope))().decode() for f in ("openblas_get_config", "openblas_get_corename"))
                return address(scope.sgemm_), f"{' '.join(version.split()[:2])} for {core}"
            return address(scope.sgemm_), name
    return 0, name


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def main():
    ready, size = {}, None
    print(torch.__version__, *blas(), sep="\t", flush=True)
    for line in sys.stdin:
        case, *numbers = line.split()
        if case == "agree":
            print(json.dumps(agree(line.split(maxsplit=1)[1].strip())), flush=True)
            continue
        *sizes, repetitions = map(int, numbers)
        if sizes != size:
            ready, size = {}, sizes
        if case not in ready:
            ready[case] = CASES[case](*size) if case in CASES else step(case.removesuffix("-step"), *size)
        print(timed(*ready[case], repetitions), flush=True)


main()
