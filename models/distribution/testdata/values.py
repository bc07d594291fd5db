"""Prints scipy.json: values of distributions by SciPy.

Run: python3 values.py > scipy.json
CRPS are integrals of (F(x) - 1[x >= y])^2.
"""
import json

import numpy as np
import scipy
from scipy import integrate, optimize, stats

LEVELS = [1e-6, 0.001, 0.025, 0.25, 0.5, 0.75, 0.95, 0.999]


class Mixture:
    def __init__(self, weights, means, stds):
        self.weights, self.parts = np.array(weights), [stats.norm(m, s) for m, s in zip(means, stds)]
        self.means, self.stds = np.array(means), np.array(stds)

    def mean(self):
        return float(self.weights @ self.means)

    def std(self):
        return float(np.sqrt(self.weights @ (self.stds**2 + (self.means - self.mean()) ** 2)))

    def logpdf(self, y):
        return float(scipy.special.logsumexp([np.log(w) + p.logpdf(y) for w, p in zip(self.weights, self.parts)]))

    def cdf(self, y):
        return float(sum(w * p.cdf(y) for w, p in zip(self.weights, self.parts)))

    def ppf(self, level):
        ends = [p.ppf(level) for p in self.parts]
        return optimize.brentq(lambda y: self.cdf(y) - level, min(ends) - 1e-9, max(ends) + 1e-9, xtol=1e-15, rtol=1e-14)


def quantile(d, level):
    """SciPy's quantiles of t have 8 digits: two of Newton's steps with its CDF give the others."""
    y = float(d.ppf(level))
    for _ in range(2):
        y -= float((d.cdf(y) - level) / np.exp(d.logpdf(y)))
    return y


def crps(d, y, scale):
    limits = [y - 200 * scale, y - 20 * scale, y - 3 * scale, y, y + 3 * scale, y + 20 * scale, y + 200 * scale]
    below = [integrate.quad(lambda x: d.cdf(x) ** 2, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in zip(limits[:3], limits[1:4])]
    above = [integrate.quad(lambda x: (1 - d.cdf(x)) ** 2, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in zip(limits[3:6], limits[4:])]
    return float(sum(below) + sum(above))


def case(family, parameters, d, scale, offsets):
    centre = d.ppf(0.5)
    at = [float(centre + scale * z) for z in offsets]
    return {
        "family": family, "parameters": parameters, "mean": float(d.mean()), "std": float(d.std()),
        "at": at, "log_density": [float(d.logpdf(y)) for y in at], "cdf": [float(d.cdf(y)) for y in at],
        "crps": [crps(d, y, scale) for y in at],
        "levels": LEVELS, "quantiles": [quantile(d, q) for q in LEVELS],
    }


offsets = [-30, -6, -1.5, -0.1, 0, 0.7, 2, 8]
cases = [case("normal", [m, s], stats.norm(m, s), s, offsets) for m, s in [(0, 1), (-3, 0.01), (1e4, 250)]]
cases += [
    case("student-t", [m, s, n], stats.t(n, m, s), s, offsets)
    for m, s, n in [(0, 1, 3), (0, 1, 4.7), (5, 0.2, 2.5), (-1, 10, 30.5), (0, 1, 1e4)]
]
for w, m, s in [([0.5, 0.2, 0.3], [-2, 0, 3], [0.5, 1, 0.25]), ([0.9, 0.09, 0.01], [0, 0, 10], [1, 5, 0.1])]:
    cases.append(case("normal-mixture", [float(x) for x in np.log(w)] + m + s, Mixture(w, m, s), 1.0, offsets))
print(json.dumps({"scipy": scipy.__version__, "cases": cases}, indent=1))
