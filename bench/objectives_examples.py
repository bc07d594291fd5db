"""Losses and gradients of objectives and networks in PyTorch, for the tests of examples/objectives.

    go test ./examples/objectives -run PyTorch -update    # numbers that are drawn
    python3 bench/objectives_examples.py                  # examples/objectives/testdata/pytorch.json

Each is written as its paper or torch.nn has it, over a small tanh network; gradients are by its
weights. The two networks are trained with the second-moment loss, which runs them with and without
a dropout mask.
"""

import torch
from torch.nn import functional as F
from torch.nn.functional import softplus

from losses import second_moment
from reference import ROWS, drawn, layers, linear, normal, reference, write

torch.manual_seed(2)
TESTDATA = "examples/objectives/testdata"
INPUTS, HIDDEN = 3, [5, 4]
cases = {}


def weights(shapes):
    p = {}
    for name, units, width in shapes:
        p[name + ".weight"], p[name + ".bias"] = normal(units, width, std=0.5), normal(1, width, std=0.5)
    return p


def mlp(p, x, hidden=HIDDEN):
    for i in range(len(hidden)):
        x = torch.tanh(linear(p, f"hidden{i + 1}", x))
    return linear(p, "output", x)


def batch(targets):
    return torch.randn(ROWS, INPUTS), torch.randn(ROWS, targets)


# Gradient penalty, of weight 0.5.
(x, y), p = batch(2), weights(layers(INPUTS, HIDDEN, 2))
x.requires_grad_()
f = mlp(p, x)
(slope,) = torch.autograd.grad(f.sum(), x, create_graph=True)
cases["smooth"] = reference(F.mse_loss(f, y) + 0.5 * (slope**2).sum(1).mean(), {"x": x, "y": y}, p)

# Targets that are lower bounds in some rows.
(x, y), p = batch(2), weights(layers(INPUTS, HIDDEN, 4))
censored = torch.tensor([[0.0], [1], [0], [0], [1], [1], [0]])
mean, std = mlp(p, x).split(2, 1)
normals = torch.distributions.Normal(mean, softplus(std))
observed = -normals.log_prob(y) - 0.5 * torch.log(torch.tensor(2 * torch.pi))
beyond = -torch.special.log_ndtr((mean - y) / softplus(std))
cases["tobit"] = reference(torch.where(censored == 1, beyond, observed).mean(), {"x": x, "y": y, "column censored": censored}, p)

# Three classes.
(x, _), p = batch(1), weights(layers(INPUTS, HIDDEN, 3))
label = torch.tensor([0, 2, 1, 1, 0, 2, 2])
cases["classes"] = reference(F.cross_entropy(mlp(p, x), label), {"x": x, "y": label[:, None].double()}, p)

# Half of the trust is in a teacher, whose columns have scales of their own. Its weights are float32.
(x, y), p = batch(2), weights(layers(INPUTS, HIDDEN, 2))
teacher = {name: w.detach().float().double() for name, w in weights(layers(INPUTS, [4], 2)).items()}
(x_mean, x_own_mean), (y_mean, y_own_mean) = torch.randn(2, 1, INPUTS), torch.randn(2, 1, 2)
(x_std, x_own_std), (y_std, y_own_std) = torch.rand(2, 1, INPUTS) + 0.5, torch.rand(2, 1, 2) + 0.5
told = mlp(teacher, (x * x_std + x_mean - x_own_mean) / x_own_std, [4]) * y_own_std + y_own_mean
f = mlp(p, x)
cases["student"] = reference(
    F.mse_loss(f, y) + 0.5 * F.mse_loss(f, (told - y_mean) / y_std),
    {"x": x, "y": y, "frozen 0 x factor": x_std / x_own_std, "frozen 0 x shift": (x_mean - x_own_mean) / x_own_std,
     "frozen 0 y factor": y_own_std / y_std, "frozen 0 y shift": (y_own_mean - y_mean) / y_std}, p)
cases["teacher"] = {"parameters": {name: w.flatten().tolist() for name, w in teacher.items()}}

# The loss of VICReg (Bardes et al. 2022, equation 6) beside the squared error.
(x, y), p = batch(1), weights(layers(INPUTS, HIDDEN, 4))
noise = drawn(TESTDATA, "vicreg")["normal noise of stream 0"].reshape(ROWS, INPUTS)
clean, noisy = mlp(p, x), mlp(p, x + 0.1 * noise)


def spread(z):
    covariance = torch.cov(z.T)
    variance = torch.relu(1 - torch.sqrt(z.var(0) + 1e-4)).mean()
    return 25 * variance + (covariance - covariance.diagonal().diag()).pow(2).sum() / z.shape[1]


cases["vicreg"] = reference(
    F.mse_loss(clean[:, :1], y) + 25 * ((clean - noisy) ** 2).sum(1).mean() + spread(clean) + spread(noisy), {"x": x, "y": y}, p)


def network_loss(network, p, x, y, masks):
    full, sub = network(p, x, None), network(p, x, [masks[f"mask of sub-network 0, layer {i}"] for i in range(len(masks))])
    return second_moment(full, sub, y)


def layer_norm(p, x, masks):
    for i, width in enumerate([5, 5, 4]):
        name = f"block{i + 1}"
        if x.shape[1] != width:
            x = linear(p, name + ".in", x)
        gain, bias = p[name + ".norm.weight"].flatten(), p[name + ".norm.bias"].flatten()
        block = torch.tanh(linear(p, name, F.layer_norm(x, [width], gain, bias)))
        x = x + (block if masks is None else block * masks[i].reshape(ROWS, width))
    return linear(p, "output", x)


def conv1d(p, x, masks):
    x = x[:, None, :]  # channels before places
    for i in range(2):
        kernel = p[f"conv{i + 1}.weight"].reshape(3, x.shape[1], -1).permute(2, 1, 0)
        x = torch.tanh(F.conv1d(x, kernel, p[f"conv{i + 1}.bias"].flatten(), padding=1))
        if masks is not None:
            x = x * masks[i].reshape(ROWS, INPUTS, -1).transpose(1, 2)
    return linear(p, "output", x.transpose(1, 2).flatten(1))


(x, y), p = batch(2), weights([
    ("block1.in", INPUTS, 5), ("block1", 5, 5), ("block2", 5, 5), ("block3.in", 5, 4), ("block3", 4, 4), ("output", 4, 2)])
for i, width in enumerate([5, 5, 4]):
    p[f"block{i + 1}.norm.weight"], p[f"block{i + 1}.norm.bias"] = normal(1, width, mean=1, std=0.3), normal(1, width, std=0.3)
cases["layer-norm"] = reference(network_loss(layer_norm, p, x, y, drawn(TESTDATA, "layer-norm")), {"x": x, "y": y}, p)

(x, y), p = batch(2), weights([("conv1", 3, 5), ("conv2", 15, 4), ("output", 4 * INPUTS, 2)])
cases["conv1d"] = reference(network_loss(conv1d, p, x, y, drawn(TESTDATA, "conv1d")), {"x": x, "y": y}, p)

# Counts, standardised like any target.
(x, _), p = batch(2), weights(layers(INPUTS, HIDDEN, 2))
count = torch.tensor([[0.0, 3], [2, 1], [11, 0], [1, 1], [4, 2], [0, 7], [3, 5]])
scale = {"y mean": torch.tensor([[3.0, 19 / 7]]), "y std": torch.tensor([[3.5, 2.25]])}
nll = F.poisson_nll_loss(mlp(p, x), count, log_input=True) + torch.lgamma(count + 1).mean()
cases["counts"] = reference(nll, {"x": x, "y": (count - scale["y mean"]) / scale["y std"], **scale}, p)

# The loss at the worst weights within 0.5, which stay where they are when the others move.
(x, y), p = batch(2), weights(layers(INPUTS, HIDDEN, 2))
slopes = torch.autograd.grad(F.mse_loss(mlp(p, x), y), list(p.values()))
length = torch.sqrt(sum((g**2).sum() for g in slopes))
worst = {name: w + 0.5 * g / length for (name, w), g in zip(p.items(), slopes)}
cases["sam"] = reference(F.mse_loss(mlp(worst, x), y), {"x": x, "y": y}, p)

write(TESTDATA, cases)
