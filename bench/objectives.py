"""Losses and gradients of methods in PyTorch, in float64, for the tests of models/methods.

    go test ./models/methods -run PyTorch -update    # numbers that are drawn
    python3 bench/objectives.py                      # models/methods/testdata/pytorch.json

Each objective is written from its paper's equation, as a function of what the network puts out in
each pass; gradients are with respect to that. Where the objective looks at inputs or weights, there
is a network: a linear layer for adv-de, two hidden layers for concrete and bayes.
"""

import math

import torch
from torch.distributions import Normal, kl_divergence
from torch.nn.functional import softplus

from reference import ROWS, drawn, layers, linear, normal, reference, write

torch.manual_seed(1)
TESTDATA = "models/methods/testdata"
TARGETS = 2
FLOOR = 1e-12


def outputs(out, k):
    return [out[:, i * TARGETS:(i + 1) * TARGETS] for i in range(k)]


def std(s):
    return softplus(s).clamp_min(FLOOR)


def row_nll(mean, s, y):
    return torch.log(s) + 0.5 * ((y - mean) / s) ** 2


def beta_nll(outs, y):
    m, s = outputs(outs[0], 2)
    return ((std(s) ** (2 * 0.5)).detach() * row_nll(m, std(s), y)).mean()


def crps(outs, y):
    m, s = outputs(outs[0], 2)
    normal = torch.distributions.Normal(0.0, 1.0)
    z = (y - m) / std(s)
    return (std(s) * (z * (2 * normal.cdf(z) - 1) + 2 * torch.exp(normal.log_prob(z)) - 1 / math.sqrt(math.pi))).mean()


def student_t(outs, y):
    m, s, f = outputs(outs[0], 3)
    return -torch.distributions.StudentT(2.05 + softplus(f), m, std(s)).log_prob(y).mean()


def evidential(outs, y):
    gamma, nu, alpha, beta = outputs(outs[0], 4)
    nu, alpha, beta = softplus(nu), softplus(alpha) + 1, softplus(beta)
    omega = 2 * beta * (1 + nu)
    nll = (0.5 * torch.log(math.pi / nu) - alpha * torch.log(omega)
           + (alpha + 0.5) * torch.log((y - gamma) ** 2 * nu + omega)
           + torch.lgamma(alpha) - torch.lgamma(alpha + 0.5))
    return (nll + 0.01 * torch.abs(y - gamma) * (2 * nu + alpha)).mean()


def mdn(outs, y):
    o = outputs(outs[0], 9)
    logits, means, stds = torch.stack(o[:3]), torch.stack(o[3:6]), std(torch.stack(o[6:]))
    joint = torch.log_softmax(logits, 0) + torch.distributions.Normal(means, stds).log_prob(y)
    return -(torch.logsumexp(joint, 0) + 0.5 * math.log(2 * math.pi)).mean()


def quantiles(outs, y):
    total = 0
    for q, out in zip([0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975], outputs(outs[0], 7)):
        e = y - out
        total = total + torch.maximum(q * e, (q - 1) * e)
    return total.mean() / 7


def w_dropout(outs, y):
    draws = torch.stack(outs)
    mean, v = draws.mean(0), draws.var(0, unbiased=False)
    r = (mean - y) ** 2
    return (r + (torch.sqrt(v) - torch.sqrt(r + v)) ** 2).mean()


def mc_pu(outs, y):
    m, s = outputs(outs[0], 2)
    return row_nll(m, std(s), y).clamp_min(-100).mean()


cases = {}
for name, objective, width, passes in [
    ("beta-nll", beta_nll, 2, 1), ("crps", crps, 2, 1), ("student-t", student_t, 3, 1), ("evidential", evidential, 4, 1),
    ("mdn", mdn, 9, 1), ("quantiles", quantiles, 7, 1), ("w-dropout", w_dropout, 1, 5), ("mc-pu", mc_pu, 2, 1),
]:
    y = torch.randn(ROWS, TARGETS)
    outs = [normal(ROWS, width * TARGETS) for _ in range(passes)]
    cases[name] = reference(objective(outs, y), {"y": y}, {f"output {i}": out for i, out in enumerate(outs)})

x, y = normal(ROWS, 3), torch.randn(ROWS, TARGETS)
weight, bias = normal(3, 2 * TARGETS), normal(1, 2 * TARGETS)


def likelihood(x):
    m, s = outputs(x @ weight + bias, 2)
    return row_nll(m, std(s), y).mean()


clean = likelihood(x)
(slope,) = torch.autograd.grad(clean, x, retain_graph=True)
loss = clean + likelihood((x + 0.05 * slope.sign()).detach())
cases["adv-de"] = reference(loss, {"x": x, "y": y}, {"output.weight": weight, "output.bias": bias})

INPUTS, TRAINING_ROWS = 3, 100
LAYERS = list(layers(INPUTS, [5, 4], 2 * TARGETS))


def concrete(p, x, y, uniform):
    """Gal et al. 2017, of length scale 0.5; the parameter is the logit of the dropout rate."""
    h, keep, loss = x, None, 0
    for i, (name, _, width) in enumerate(LAYERS):
        if keep is not None:
            loss = loss + 0.5**2 / 2 * (p[name + ".weight"] ** 2).sum() / keep / TRAINING_ROWS
        h = linear(p, name, h)
        if name == "output":
            break
        u, rate = uniform[f"uniform noise of sub-network 0, stream {i}"].reshape(ROWS, width), torch.sigmoid(p[name + ".dropout"])
        dropped = torch.sigmoid((rate.log() - (1 - rate).log() + u.log() - (1 - u).log()) / 0.1)
        keep = 1 - rate
        h = torch.tanh(h) * (1 - dropped) / keep
        loss = loss + width * (rate * rate.log() + keep * keep.log()) / TRAINING_ROWS
    return mc_pu([h], y) + loss.sum()


def bayes(p, x, y, normals, progress):
    """Blundell et al. 2015, with prior N(0, 0.5²), but for a constant; a fifth of the training warms up."""
    h, divergence, stream = x, 0, 0
    for name, _, _ in LAYERS:
        w = []
        for part in [".weight", ".bias"]:
            mean, spread = p[name + part], softplus(p[name + part + ".rho"])
            constant = mean.numel() * (math.log(0.5) - 0.5)
            divergence = divergence + kl_divergence(Normal(mean, spread), Normal(0.0, 0.5)).sum() - constant
            w.append(mean + spread * normals[f"normal noise of sub-network 0, stream {stream}"].reshape(mean.shape))
            stream += 1
        h = h @ w[0] + w[1]
        if name != "output":
            h = torch.tanh(h)
    return mc_pu([h], y) + min(1, progress / 0.2) * divergence / TRAINING_ROWS


x, y, progress = torch.randn(ROWS, INPUTS), torch.randn(ROWS, TARGETS), 0.05
p = {}
for name, units, width in LAYERS:
    p[name + ".weight"], p[name + ".bias"] = normal(units, width, std=0.5), normal(1, width, std=0.5)
    if name != "output":
        p[name + ".dropout"] = torch.full((1, 1), {"hidden1": 0.5, "hidden2": 1.25}[name], requires_grad=True)
cases["concrete"] = reference(concrete(p, x, y, drawn(TESTDATA, "concrete")),
                              {"x": x, "y": y, "training rows": torch.tensor(TRAINING_ROWS)}, p)

p = {}
for name, units, width in LAYERS:
    for part, rows in [(".weight", units), (".bias", 1)]:
        p[name + part], p[name + part + ".rho"] = normal(rows, width, std=0.5), normal(rows, width, mean=-2)
cases["bayes"] = reference(bayes(p, x, y, drawn(TESTDATA, "bayes"), progress),
                           {"x": x, "y": y, "training rows": torch.tensor(TRAINING_ROWS), "progress": torch.tensor(progress)}, p)
write(TESTDATA, cases)
