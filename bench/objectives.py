"""Losses and gradients of the methods that ship, for the tests of models/methods.

    go test ./models/methods -run PyTorch -update    # numbers that are drawn
    python3 bench/objectives.py                      # models/methods/testdata/pytorch.json

Gradients are with respect to what the network puts out in each pass. Where the objective looks at
inputs or weights, there is a network: a linear layer for adv-de, two hidden layers for concrete and
bayes.
"""

import math

import torch
from torch.distributions import Categorical, MixtureSameFamily, Normal
from torch.nn.functional import cross_entropy, softplus

from losses import beta_nll, crps, evidential, gaussian_nll, mdn, quantiles, row_nll, std, student_t, w_dropout
from reference import ROWS, drawn, layers, linear, normal, reference, write

torch.manual_seed(1)
TESTDATA = "models/methods/testdata"
TARGETS = 2

cases = {}
for name, objective, width, passes in [
    ("beta-nll", beta_nll, 2, 1), ("crps", crps, 2, 1), ("student-t", student_t, 3, 1), ("evidential", evidential, 4, 1),
    ("mdn", mdn, 9, 1), ("quantiles", quantiles, 7, 1), ("w-dropout", w_dropout, 1, 5), ("mc-pu", gaussian_nll, 2, 1),
]:
    y = torch.randn(ROWS, TARGETS)
    outs = [normal(ROWS, width * TARGETS) for _ in range(passes)]
    cases[name] = reference(objective(outs[0] if passes == 1 else torch.stack(outs), y), {"y": y}, {f"output {i}": out for i, out in enumerate(outs)})

x, y = normal(ROWS, 3), torch.randn(ROWS, TARGETS)
weight, bias = normal(3, 2 * TARGETS), normal(1, 2 * TARGETS)


def likelihood(x):
    m, s = (x @ weight + bias).chunk(2, 1)
    return row_nll(m, std(s), y).mean()


clean = likelihood(x)
(slope,) = torch.autograd.grad(clean, x, retain_graph=True)
ranges = torch.tensor([[3.5, 4.0, 0.25]])
loss = clean + likelihood((x + 0.01 * ranges * slope.sign()).detach())
cases["adv-de"] = reference(loss, {"x": x, "y": y, "x range": ranges}, {"output.weight": weight, "output.bias": bias})

INPUTS, TRAINING_ROWS = 3, 100
LAYERS = list(layers(INPUTS, [5, 4], 2 * TARGETS))


def concrete(p, x, y, uniform):
    """Gal et al. 2017, of length scale 0.5; parameters are the logits of the dropout rates. The
    likelihood is a mean over rows and targets, and the penalty a part of the sum over them."""
    h, penalty, before = x, 0, "input"
    for i, (name, units, _) in enumerate(LAYERS):
        u, rate = uniform[f"uniform noise of sub-network 0, stream {i}"].reshape(ROWS, units), torch.sigmoid(p[before + ".dropout"])
        dropped = torch.sigmoid((rate.log() - (1 - rate).log() + u.log() - (1 - u).log()) / 0.1)
        h = linear(p, name, h * (1 - dropped) / (1 - rate))
        penalty = penalty + 0.5**2 / 2 * (p[name + ".weight"] ** 2).sum() / (1 - rate)
        penalty = penalty + units * (rate * rate.log() + (1 - rate) * (1 - rate).log())
        if name != "output":
            h = torch.tanh(h)
        before = name
    return gaussian_nll(h, y) + penalty.sum() / TRAINING_ROWS / TARGETS


def bayes(p, x, y, normals, progress):
    """Blundell et al. 2015; a fifth of the training warms up."""
    prior = MixtureSameFamily(Categorical(torch.tensor([0.5, 0.5])), Normal(torch.zeros(2), torch.tensor([1.0, math.exp(-6)])))
    h, divergence, stream = x, 0, 0
    for name, _, _ in LAYERS:
        w = []
        for part in [".weight", ".bias"]:
            mean, spread = p[name + part], softplus(p[name + part + ".rho"])
            drawn = mean + spread * normals[f"normal noise of sub-network 0, stream {stream}"].reshape(mean.shape)
            divergence = divergence + (Normal(mean, spread).log_prob(drawn) - prior.log_prob(drawn)).sum()
            w.append(drawn)
            stream += 1
        h = h @ w[0] + w[1]
        if name != "output":
            h = torch.tanh(h)
    return gaussian_nll(h, y) + min(1, progress / 0.2) * divergence / TRAINING_ROWS / TARGETS


x, y, progress = torch.randn(ROWS, INPUTS), torch.randn(ROWS, TARGETS), 0.05
p = {}
for name, units, width in LAYERS:
    p[name + ".weight"], p[name + ".bias"] = normal(units, width, std=0.5), normal(1, width, std=0.5)
    if name != "output":
        p[name + ".dropout"] = torch.full((1, 1), {"hidden1": 0.5, "hidden2": 1.25}[name], requires_grad=True)
p["input.dropout"] = torch.full((1, 1), 2.0, requires_grad=True)
cases["concrete"] = reference(concrete(p, x, y, drawn(TESTDATA, "concrete")),
                              {"x": x, "y": y, "training rows": torch.tensor(TRAINING_ROWS)}, p)

p = {}
for name, units, width in LAYERS:
    for part, rows in [(".weight", units), (".bias", 1)]:
        p[name + part], p[name + part + ".rho"] = normal(rows, width, std=0.5), normal(rows, width, mean=-2)
cases["bayes"] = reference(bayes(p, x, y, drawn(TESTDATA, "bayes"), progress),
                           {"x": x, "y": y, "training rows": torch.tensor(TRAINING_ROWS), "progress": torch.tensor(progress)}, p)
y, logits = torch.randint(0, 3, (ROWS, TARGETS)).double(), normal(ROWS, 3 * TARGETS)
loss = cross_entropy(logits.reshape(ROWS, 3, TARGETS), y.long())  # outputs: a class of all targets, then the next
cases["classes"] = reference(loss, {"y": y}, {"output 0": logits})

write(TESTDATA, cases)
