"""Losses and gradients of methods in PyTorch, in float64, for the tests of models/methods.

    python3 bench/objectives.py > models/methods/testdata/pytorch.json

Each objective is written from its paper's equation, as a function of what the network puts out in
each pass; gradients are with respect to that. Of adv-de, whose adversary looks at the inputs, the
network is a linear layer.
"""

import json
import math

import torch
from torch.nn.functional import softplus

torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
ROWS, TARGETS = 7, 2
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


cases = []
for name, objective, width, passes in [
    ("beta-nll", beta_nll, 2, 1), ("crps", crps, 2, 1), ("student-t", student_t, 3, 1), ("evidential", evidential, 4, 1),
    ("mdn", mdn, 9, 1), ("quantiles", quantiles, 7, 1), ("w-dropout", w_dropout, 1, 5), ("mc-pu", mc_pu, 2, 1),
]:
    y = torch.randn(ROWS, TARGETS)
    outs = [torch.randn(ROWS, width * TARGETS, requires_grad=True) for _ in range(passes)]
    loss = objective(outs, y)
    loss.backward()
    cases.append({"method": name, "y": y.flatten().tolist(), "outputs": [o.detach().flatten().tolist() for o in outs],
                  "loss": loss.item(), "gradients": [o.grad.flatten().tolist() for o in outs]})

x, y = torch.randn(ROWS, 3, requires_grad=True), torch.randn(ROWS, TARGETS)
weight, bias = torch.randn(3, 2 * TARGETS, requires_grad=True), torch.randn(1, 2 * TARGETS, requires_grad=True)


def likelihood(x):
    m, s = outputs(x @ weight + bias, 2)
    return row_nll(m, std(s), y).mean()


clean = likelihood(x)
(slope,) = torch.autograd.grad(clean, x, retain_graph=True)
loss = clean + likelihood((x + 0.05 * slope.sign()).detach())
loss.backward()
adversarial = {"x": x.flatten().tolist(), "y": y.flatten().tolist(), "weight": weight.flatten().tolist(), "bias": bias.flatten().tolist(),
               "loss": loss.item(), "weight gradient": weight.grad.flatten().tolist(), "bias gradient": bias.grad.flatten().tolist()}
print(json.dumps({"torch": torch.__version__, "cases": cases, "adv-de": adversarial}, indent=1))
