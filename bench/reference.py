"""Files of losses and gradients by PyTorch's autograd, in float64, that tests hold ours to.

What networks here draw at random, masks and noise, is given: the tests write it into
testdata/drawn.json, by the names of cases and of the nodes.
"""

import json
import re

import torch

torch.set_default_dtype(torch.float64)
ROWS = 7


def normal(*shape, mean=0, std=1):
    return (mean + std * torch.randn(*shape)).requires_grad_()


def layers(inputs, hidden, outputs):
    """Names of dense layers in order, and the shapes of their weights."""
    units = inputs
    for name, width in [*((f"hidden{i + 1}", width) for i, width in enumerate(hidden)), ("output", outputs)]:
        yield name, units, width
        units = width


def linear(p, name, h):
    return h @ p[name + ".weight"] + p[name + ".bias"]


def drawn(directory, case):
    with open(directory + "/drawn.json") as file:
        return {name: torch.tensor(values) for name, values in json.load(file)[case].items()}


def reference(loss, inputs, parameters):
    """Parameters without a gradient are buffers; a network here has gradients of 0 for them."""
    loss.backward()

    def lists(tensors):
        return {name: values.detach().flatten().tolist() for name, values in tensors.items()}

    return {"inputs": lists(inputs), "parameters": lists(parameters),
            "loss": loss.item(), "gradients": lists({name: p.grad if p.requires_grad else torch.zeros_like(p) for name, p in parameters.items()})}


def write(directory, cases):
    text = json.dumps({"torch": torch.__version__, "cases": cases}, indent=1)
    text = re.sub(r"\[[^]]*\]", lambda numbers: "".join(numbers[0].split()), text)  # each tensor in a line
    with open(directory + "/pytorch.json", "w") as file:
        file.write(text + "\n")
