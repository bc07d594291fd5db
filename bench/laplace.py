"""Prints the reference numbers of TestLaplaceAgreesWithNumPy (models/methods): Laplace approximations of a small
network by the published formulas, with complete matrices, derivatives by the chain rule in float64, and the marginal
likelihood maximised by golden sections. Needs NumPy.

    python3 bench/laplace.py
"""
import numpy as np

ROWS, INPUTS, UNITS, TARGETS = 21, 2, 3, 2


def values(rows, columns, a, b, modulus, scale):
    """Numbers from about -1 to 1 that a test in another language can compute, too."""
    i, j = np.mgrid[:rows, :columns]
    return ((i * a + j * b) % modulus - modulus // 2) / scale


X = values(ROWS, INPUTS, 5, 3, 13, 6)
Y = values(ROWS, TARGETS, 7, 5, 17, 8)
WEIGHTS = np.array([0.5, 1, 1.5])[np.arange(ROWS) % 3]
LAYERS = [  # weights, and the biases as the last row
    values(INPUTS + 1, UNITS, 7, 4, 11, 10),
    values(UNITS + 1, TARGETS, 3, 8, 11, 10),
]


def with_one(h):
    return np.hstack([h, np.ones((len(h), 1))])


def forward(x):
    """Outputs of the network, the inputs of each layer and the slopes of each output by the layer's outputs."""
    hidden = np.tanh(with_one(x) @ LAYERS[0])
    outputs = with_one(hidden) @ LAYERS[1]
    last = np.broadcast_to(np.eye(TARGETS), (len(x), TARGETS, TARGETS))  # rows, targets, units
    first = last @ LAYERS[1][:-1].T * (1 - hidden**2)[:, None, :]
    return outputs, [with_one(x), with_one(hidden)], [first, last]


def jacobian(inputs, slopes):
    """Derivatives of the outputs by the weights of a layer, [rows, targets, weights]."""
    return np.einsum("ni,nkj->nkij", inputs, slopes).reshape(len(inputs), TARGETS, -1)


OUTPUTS, H, S = forward(X)
SCALES = np.sqrt((WEIGHTS[:, None] * (OUTPUTS - Y) ** 2).mean(axis=0))


def curvature(layer, diagonal):
    """Generalised Gauss-Newton matrix of a layer for noise of the size of the residuals."""
    inputs, slopes = H[layer], S[layer] / SCALES[:, None]
    if diagonal:
        return np.diag(np.einsum("n,nkp->p", WEIGHTS, jacobian(inputs, slopes) ** 2))
    a = np.einsum("n,ni,nj->ij", WEIGHTS, inputs, inputs)
    g = np.einsum("n,nki,nkj->ij", WEIGHTS, slopes, slopes) / ROWS
    return np.kron(a, g)


def golden(f, low, high):
    """Place of the largest value of f."""
    ratio = (np.sqrt(5) - 1) / 2
    for _ in range(100):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if f(a) > f(b):
            high = b
        else:
            low = a
    return (low + high) / 2


def maximise(matrices, theta, noise_is_known):
    n = ROWS * TARGETS

    def log_likelihood(log_prior, log_noise):
        prior, noise = np.exp(log_prior), np.exp(log_noise)
        total = n * log_noise + n / noise + prior * (theta**2).sum() - theta.size * log_prior
        for m in matrices:
            total += np.linalg.slogdet(m / noise + prior * np.eye(len(m)))[1]
        return -total / 2

    def best_noise(log_prior):
        return 0 if noise_is_known else golden(lambda v: log_likelihood(log_prior, v), -10, 10)

    log_prior = golden(lambda t: log_likelihood(t, best_noise(t)), -10, 10)
    return np.exp(log_prior), np.exp(best_noise(log_prior))


NEW = np.array([[0.3, -0.7], [2, 1.5]])
for name, layers, diagonal in [
    ("laplace-ll", [1], False),
    ("laplace-ll-diag", [1], True),
    ("laplace-kron", [0, 1], False),
    ("laplace-diag", [0, 1], True),
]:
    matrices = [curvature(l, diagonal) for l in layers]
    theta = np.concatenate([LAYERS[l].ravel() for l in layers])
    prior, noise = maximise(matrices, theta, len(layers) == 2)
    _, h, s = forward(NEW)
    variance = 0
    for l, m in zip(layers, matrices):
        j = jacobian(h[l], s[l])
        covariance = np.linalg.inv(m / noise + prior * np.eye(len(m)))
        variance = variance + np.einsum("nkp,pq,nkq->nk", j, covariance, j)
    print(name, "noise", SCALES * np.sqrt(noise), "epistemic", np.sqrt(variance).ravel(), "prior", prior)
