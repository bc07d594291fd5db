"""Expected numbers of the measures' tests, by the formulas that uncertainty-toolbox
(github.com/uncertainty-toolbox/uncertainty-toolbox, commit 0066226) and the papers
publish, with NumPy, SciPy and scikit-learn. Weighted ones are those of rows repeated
as often as they weigh."""

import itertools
import numpy as np
from scipy import stats
from sklearn.metrics import roc_auc_score

mean = np.array([0.3, -1.2, 0.7, 2.1, -0.4, 0.05, 1.5, -2.2, 0.9, -0.15, 0.6, 3.3])
std = np.array([0.5, 0.4, 1.1, 0.263, 0.25, 0.9, 2.0, 0.7, 0.15, 0.6, 0.8, 1.4])
y = np.array([0.1, -0.7, 1.9, 2.0, -0.9, 0.05, -1.1, -2.9, 1.35, 0.2, 0.75, 1.2])
weights = np.array([1, .5, 2, 3, 0, 1.5, .25, 1, 4, 2, .1, 1])


def observed(mean, std, y):
    """Expected and observed proportions of prop_type "interval", of 100 bins."""
    expected = np.linspace(0, 1, 100)
    r = (mean - y) / std
    low, high = stats.norm.ppf(0.5 - expected / 2), stats.norm.ppf(0.5 + expected / 2)
    return expected, np.array([np.mean((l <= r) & (r <= h)) for l, h in zip(low, high)])


def mace(mean, std, y):
    expected, got = observed(mean, std, y)
    return np.mean(np.abs(expected - got))


def rmsce(mean, std, y):
    expected, got = observed(mean, std, y)
    return np.sqrt(np.mean((expected - got) ** 2))


def area(mean, std, y):
    """The polygons between curve and diagonal, each line cut where it crosses."""
    expected, got = observed(mean, std, y)
    d, total = got - expected, 0.0
    for a, b in zip(d[:-1], d[1:]):
        x = np.linspace(0, 1, 2) if a * b >= 0 else np.array([0, a / (a - b), 1])
        total += np.trapz(np.abs(a + (b - a) * x), x) / 99
    return total


def interval_score(mean, std, y, coverages=np.linspace(0.01, 0.99, 99)):
    each = []
    for p in coverages:
        low, high = stats.norm.ppf(0.5 - p / 2, mean, std), stats.norm.ppf(0.5 + p / 2, mean, std)
        each.append(np.mean(high - low + 2 / (1 - p) * (low - y) * (y < low) + 2 / (1 - p) * (y - high) * (y > high)))
    return np.mean(each)


def sharpness(mean, std, y):
    return np.sqrt(np.mean(std ** 2))


def nll(mean, std, y):
    return -np.mean(stats.norm.logpdf(mean - y, scale=std))


def coverage(p):
    return lambda mean, std, y: np.mean(np.abs(y - mean) <= stats.norm.ppf(0.5 + p / 2) * std)


def width(p):
    return lambda mean, std, y: np.mean(stats.norm.ppf(0.5 + p / 2, mean, std) - stats.norm.ppf(0.5 - p / 2, mean, std))


def ause(mean, std, y, fine=4000):
    """Ilg et al.: rows left out one after the other, each of them many rows."""
    e = np.repeat(np.abs(mean - y), fine)
    kept = lambda key: np.cumsum(e[np.argsort(key, kind="stable")]) / np.arange(1, len(e) + 1)
    return np.mean(kept(np.repeat(std, fine)) - kept(e)) / e.mean()


def adversarial(mean, std, y, size=50, groups=10, repeats=10000):
    """adversarial_group_calibration, draw_with_replacement, of one group size."""
    rng, worst = np.random.default_rng(1), []
    expected = np.linspace(0, 1, 100)
    inside = np.abs(2 * stats.norm.cdf((mean - y) / std) - 1)[:, None] <= expected + 1e-12
    for _ in range(repeats):
        drawn = rng.integers(len(y), size=(groups, size))
        worst.append(np.abs(inside[drawn].mean(axis=1) - expected).mean(axis=1).max())
    return np.mean(worst), np.std(worst) / np.sqrt(repeats)


def crps_draws(x, y, fair=False):
    m = len(x)
    pairs = sum(abs(a - b) for a in x for b in x)
    return np.mean(np.abs(x - y)) - pairs / (2 * m * (m - 1 if fair else m))


measures = {
    "mace": mace, "rmsce": rmsce, "miscalibration-area": area, "interval-score": interval_score,
    "interval-score90": lambda *rows: interval_score(*rows, coverages=[0.9]), "sharpness": sharpness, "nll-full": nll,
    "coverage50": coverage(.5), "coverage80": coverage(.8), "coverage90": coverage(.9), "coverage95": coverage(.95),
    "width50": width(.5), "width80": width(.8), "width90": width(.9), "width95": width(.95),
    "spearman": lambda mean, std, y: stats.spearmanr(std, np.abs(mean - y))[0],
    "pearson": lambda mean, std, y: stats.pearsonr(std, np.abs(mean - y))[0],
    "ause": ause,
}
times = np.round(weights * 20).astype(int)
for title, rows in {
    "uncertainty-toolbox's own test": (np.array([1., 2, 3]), np.array([0.1, 0.5, 1]), np.array([1.5, 3, 2])),
    "twelve rows": (mean, std, y), "weighted": tuple(np.repeat(v, times) for v in (mean, std, y)),
}.items():
    print(title)
    for name, of in measures.items():
        print(f'\t\t"{name}": {of(*rows)!r},')
print("adversarial, twelve rows", adversarial(mean, std, y))
print("adversarial, weighted", adversarial(*(np.repeat(v, times) for v in (mean, std, y))))
calm = np.random.default_rng(2).normal(size=100000)
print("adversarial, honest", adversarial(0 * calm, 1 + 0 * calm, calm, repeats=1000))
x = np.array([0.3, -1.2, 0.7, 2.1, -0.4])
for at in (0.5, -2.0, 2.1):
    print("crps of draws", at, crps_draws(x, at), crps_draws(x, at, True))
below, above = [0.3, 0.1, 0.5, 0.5, 0.2], [0.5, 0.4, 0.3, 0.9]
label = [0] * 5 + [1] * 4
print("auroc", roc_auc_score(label, below + above))
print("auroc, weighted", roc_auc_score(label, below + above, sample_weight=[1, 2, 0, .5, 1, 3, 1, 2, .25]))
