"""Networks and encodings of inputs in PyTorch, each written from its paper and the project's
documentation. Parameters are matrices in a dictionary, by the names that networks here give them.
"""

import torch
from torch.nn import functional as F

from reference import layers, normal


def tabm_parameters(copies, inputs, hidden, outputs):
    p = {}
    for name, units, width in layers(inputs, hidden, outputs):
        if name == "output":
            p["output.weight"] = normal(copies * width, units, std=0.5)
        else:
            p[name + ".weight"] = normal(units, width, std=0.5)
            p[name + ".factor"] = normal(1, copies * width)
        p[name + ".bias"] = normal(1, copies * width, std=0.5)
    return p


def tabm(p, copies, hidden, x, masks=None):
    """Outputs [copies, rows, outputs] of TabM (Gorishniy et al. 2025, section 3.3) with tanh units.

    The inputs are [rows, inputs], or [copies, rows, inputs] if each copy has its own. The weight
    matrices are shared. Each copy scales the units of a hidden layer by factors of its own, before
    its own bias, and has its own output layer. There is a mask [rows, copies * units] for each
    hidden layer, or none.
    """
    h = x.expand(copies, *x.shape[-2:])
    for i in range(len(hidden)):
        name = f"hidden{i + 1}"
        factor, bias = (p[name + part].reshape(copies, 1, -1) for part in [".factor", ".bias"])
        h = torch.tanh((h @ p[name + ".weight"]) * factor + bias)
        if masks is not None:
            h = h * masks[i].reshape(h.shape[1], copies, -1).transpose(0, 1)
    output = p["output.weight"].reshape(copies, -1, h.shape[2])
    return torch.einsum("cri,coi->cro", h, output) + p["output.bias"].reshape(copies, 1, -1)


def mean_loss(objective, passes, y):
    """The mean of the losses of the copies, not the loss of their mean (section 3.1)."""
    return torch.stack([objective(*copy, y) for copy in zip(*passes)]).mean()


def indicators(index, categories):
    """Inputs of a categorical column: all are 0 for the index -1, a row without a category."""
    return F.one_hot(index + 1, categories + 1)[:, 1:].double()


def embedding(table, index):
    """Rows of the table (Guo and Berkhahn 2016), zeros for the index -1."""
    return F.embedding(index.clamp(min=0), table) * (index >= 0)[:, None]


def smooth_clip(x):
    """Holzmüller et al. 2024, appendix A."""
    return x / torch.sqrt(1 + (x / 3) ** 2)


def piecewise_linear(x, edges, bins):
    """Encoding [..., inputs * bins] of x [..., inputs] (Gorishniy et al. 2022, equation 1).

    Unlike in the paper, the first bin is not below 0, and the last not above 1. Bins that an input
    has no edges for are 0.
    """
    encodings = []
    for i, e in enumerate(edges):
        encoded = ((x[..., i, None] - e[:-1]) / e.diff()).clamp(0, 1)
        encodings.append(F.pad(encoded, (0, bins - len(e) + 1)))
    return torch.cat(encodings, -1)


def bin_buffers(edges, bins):
    """Edges as networks here keep them, which training does not change."""
    def row(values):
        return torch.cat([F.pad(v, (0, bins - len(v))) for v in values])[None]

    return {"bins.start": row([e[:-1] for e in edges]), "bins.scale": row([1 / e.diff() for e in edges])}
