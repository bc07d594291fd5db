"""Losses of methods in PyTorch, each written from its paper's equation, as a function of what
the network puts out, [rows, k targets], and in as few operations as PyTorch has for it.
"""

import functools
import math

import torch
from torch.distributions import Normal, StudentT
from torch.nn.functional import mse_loss, softplus

FLOOR = 1e-12


def std(s):
    return softplus(s).clamp_min(FLOOR)


def row_nll(mean, s, y):
    return torch.log(s) + 0.5 * ((y - mean) / s) ** 2


def gaussian_nll(out, y):
    m, s = out.chunk(2, 1)
    return row_nll(m, std(s), y).clamp_min(-100).mean()


def beta_nll(out, y):
    m, s = out.chunk(2, 1)
    s = std(s)
    return ((s ** (2 * 0.5)).detach() * row_nll(m, s, y)).mean()


def crps(out, y):
    m, s = out.chunk(2, 1)
    s = std(s)
    z = (y - m) / s
    density = torch.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    return (s * (z * torch.erf(z / math.sqrt(2)) + 2 * density - 1 / math.sqrt(math.pi))).mean()


def student_t(out, y):
    m, s, f = out.chunk(3, 1)
    return -StudentT(2.05 + softplus(f), m, std(s), validate_args=False).log_prob(y).mean()


def evidential(out, y):
    gamma, nu, alpha, beta = out.chunk(4, 1)
    nu, alpha, beta = softplus(nu), softplus(alpha) + 1, softplus(beta)
    omega = 2 * beta * (1 + nu)
    nll = (0.5 * torch.log(math.pi / nu) - alpha * torch.log(omega)
           + (alpha + 0.5) * torch.log((y - gamma) ** 2 * nu + omega)
           + torch.lgamma(alpha) - torch.lgamma(alpha + 0.5))
    return (nll + 0.01 * torch.abs(y - gamma) * (2 * nu + alpha)).mean()


def mdn(out, y):
    logits, means, stds = (o.unflatten(1, (3, -1)) for o in out.chunk(3, 1))
    joint = torch.log_softmax(logits, 1) + Normal(means, std(stds), validate_args=False).log_prob(y.unsqueeze(1))
    return -torch.logsumexp(joint, 1).mean()


@functools.cache
def levels(dtype):
    return torch.tensor([0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975], dtype=dtype).unsqueeze(1)


def quantiles(out, y):
    q = levels(out.dtype)
    e = y.unsqueeze(1) - out.unflatten(1, (7, -1))
    return torch.maximum(q * e, (q - 1) * e).mean()


def w_dropout(draws, y):
    """draws is [sub-networks, rows, targets]."""
    mean, v = draws.mean(0), draws.var(0, unbiased=False)
    r = (mean - y) ** 2
    return (r + (torch.sqrt(v) - torch.sqrt(r + v)) ** 2).mean()


def second_moment(full, sub, y):
    center = full.detach()
    return mse_loss(full, y) + 0.5 * mse_loss((sub - center).abs(), (y - center).abs())
