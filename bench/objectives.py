"""Losses and gradients of the methods that ship, for the tests of models/methods.

    go test ./models/methods -run PyTorch -update    # numbers that are drawn
    python3 bench/objectives.py                      # models/methods/testdata/pytorch.json

Gradients are with respect to what the network puts out in each pass. Where the objective looks at
inputs or weights, there is a network: a linear layer for adv-de, two hidden layers for concrete and
bayes. Cases of TabM, embeddings and bins have gradients with respect to all weights of a network.
"""

import math

import torch
from torch.distributions import Categorical, MixtureSameFamily, Normal
from torch.nn.functional import cross_entropy, softplus

from losses import beta_nll, crps, evidential, gaussian_nll, mdn, quantiles, row_nll, second_moment, std, student_t, w_dropout
from networks import bin_buffers, embedding, indicators, mean_loss, piecewise_linear, smooth_clip, tabm, tabm_parameters
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

# Networks and encodings of inputs.
COPIES, HIDDEN, BINS, WIDTH = 3, [5, 4], 4, 2


def batch():
    return torch.randn(ROWS, INPUTS), torch.randn(ROWS, TARGETS)


def mlp_parameters(inputs):
    p = {}
    for name, units, width in layers(inputs, HIDDEN, 2 * TARGETS):
        p[name + ".weight"], p[name + ".bias"] = normal(units, width, std=0.5), normal(1, width, std=0.5)
    return p


def mlp(p, h):
    for name in ["hidden1", "hidden2"]:
        h = torch.tanh(linear(p, name, h))
    return linear(p, "output", h)


(x, y), p = batch(), tabm_parameters(COPIES, INPUTS, HIDDEN, 2 * TARGETS)
cases["pu tabm"] = reference(mean_loss(gaussian_nll, [tabm(p, COPIES, HIDDEN, x)], y), {"x": x, "y": y}, p)

(x, y), p = batch(), tabm_parameters(COPIES, INPUTS, HIDDEN, TARGETS)
given = drawn(TESTDATA, "sml tabm")
masks = [given[f"mask of sub-network 0, layer {i}"] for i in range(2)]
passes = [tabm(p, COPIES, HIDDEN, x), tabm(p, COPIES, HIDDEN, x, masks)]
cases["sml tabm"] = reference(mean_loss(second_moment, passes, y), {"x": x, "y": y}, p)

# Numbers are inputs 0 and 4, between the indicators of 3 and of 4 categories.
numbers, y = torch.randn(ROWS, 2), torch.randn(ROWS, TARGETS)
first, second = torch.tensor([0, 2, 1, -1, 1, 2, 0]), torch.tensor([3, 1, -1, 1, 0, 2, 3])
x = torch.cat([numbers[:, :1], indicators(first, 3), numbers[:, 1:], indicators(second, 4)], 1)
p = {**mlp_parameters(2 + 2 * WIDTH), "embedding1.weight": normal(3, WIDTH), "embedding2.weight": normal(4, WIDTH)}
encoded = torch.cat([numbers, embedding(p["embedding1.weight"], first), embedding(p["embedding2.weight"], second)], 1)
cases["pu embeddings"] = reference(gaussian_nll(mlp(p, encoded), y), {"x": x, "y": y}, p)

# Input 1 is an indicator, which has no bins. Input 2 has edges for only two bins.
edges = [torch.tensor([-1.25, -0.5, 0.0, 0.75, 1.5]), torch.tensor([-0.5, 0.25, 1.0])]
(x, y), p = batch(), mlp_parameters(INPUTS + 2 * BINS)
x[:, 1] = torch.tensor([0.0, 1, 1, 0, 1, 0, 0])
encoded = torch.cat([smooth_clip(x), piecewise_linear(x[:, [0, 2]], edges, BINS)], 1)
p.update(bin_buffers(edges, BINS))
cases["pu bins"] = reference(gaussian_nll(mlp(p, encoded), y), {"x": x, "y": y}, p)


def encode(p, x):
    """Numbers are inputs 0 and 4. Indicators that the adversary moved choose mixtures of rows of the table."""
    numbers = x[..., [0, 4]]
    plain = torch.cat([numbers, x[..., 1:4] @ p["embedding1.weight"]], -1)
    return torch.cat([smooth_clip(plain), piecewise_linear(numbers, edges, BINS)], -1)


# All together: the adversary moves the inputs of each copy for itself.
numbers, y = torch.randn(ROWS, 2), torch.randn(ROWS, TARGETS)
x = torch.cat([numbers[:, :1], indicators(first, 3), numbers[:, 1:]], 1)
ranges = torch.tensor([[3.5, 1.0, 1.0, 1.0, 2.25]])
p = {**tabm_parameters(COPIES, 2 + WIDTH + 2 * BINS, HIDDEN, 2 * TARGETS), "embedding1.weight": normal(3, WIDTH)}
p.update(bin_buffers(edges, BINS))
own = x.repeat(COPIES, 1, 1).requires_grad_()
clean = mean_loss(gaussian_nll, [tabm(p, COPIES, HIDDEN, encode(p, own))], y)
(slope,) = torch.autograd.grad(clean, own, retain_graph=True)
moved = (own + 0.01 * ranges * slope.sign()).detach()
loss = clean + mean_loss(gaussian_nll, [tabm(p, COPIES, HIDDEN, encode(p, moved))], y)
cases["adv-de tabm embeddings bins"] = reference(loss, {"x": x, "y": y, "x range": ranges}, p)

write(TESTDATA, cases)
