"""Values of families for the tests of counts, gamma and weibull in examples/objectives, in 60 digits.

Only Python's decimal numbers are used. The distributions are defined as in scipy.stats: poisson(rate),
nbinom(size, size/(size + mean)), zero-inflated ones, gamma(shape, scale=scale) and
weibull_min(shape, scale=scale). The CRPS of counts is the sum over all counts of
(F(k) - 1[k >= y])^2; for the Poisson distribution it is compared with the closed form of Wei and
Held 2014 (scoringRules, crps_pois).

    python3 bench/families.py
"""

from decimal import Decimal as D, getcontext

getcontext().prec = 60


def poisson(rate, last):
    p = [(-rate).exp()]
    for k in range(1, last):
        p.append(p[-1] * rate / k)
    return p


def negative_binomial(mean, size, last):
    success = mean / (size + mean)
    p = [(size * (size / (size + mean)).ln()).exp()]
    for k in range(1, last):
        p.append(p[-1] * success * (size + k - 1) / k)
    return p


def zero_inflated(rate, zero, last):
    p = [(1 - zero) * q for q in poisson(rate, last)]
    p[0] += zero
    return p


def cdf(p):
    total, values = D(0), []
    for q in p:
        total += q
        values.append(total)
    return values


def crps(p, y):
    return sum((f - (1 if k >= y else 0)) ** 2 for k, f in enumerate(cdf(p)))


def bessel(order, x):
    term, total, k = (x / 2) ** order, D(0), 0
    while term > D(10) ** -58 * (1 + total):
        total += term
        k += 1
        term = term * (x / 2) ** 2 / (k * (k + order))
    return total


def poisson_crps(rate, y, last):
    p = poisson(rate, last)
    spread = rate * (-2 * rate).exp() * (bessel(0, 2 * rate) + bessel(1, 2 * rate))
    return (y - rate) * (2 * cdf(p)[y] - 1) + 2 * rate * p[y] - spread


def show(name, p, counts, levels):
    f = cdf(p)
    mean = sum(k * q for k, q in enumerate(p))
    std = sum((k - mean) ** 2 * q for k, q in enumerate(p)).sqrt()
    print(f"{name}: mean {mean:.17g}, std {std:.17g}, sum {f[-1]:.17g}")
    for y in counts:
        print(f"\t\t\t\t{{{y}, {p[y].ln():.17g}, {f[y]:.17g}, {crps(p, y):.17g}}},")
    print("\t\t\t\t" + ", ".join(f"{{{level}, {next(k for k, v in enumerate(f) if v >= D(level))}}}" for level in levels))


LEVELS = ["0.001", "0.025", "0.5", "0.9", "0.9999"]
show("poisson 3.5", poisson(D("3.5"), 200), [0, 1, 3, 9, 25], LEVELS)
show("poisson 400", poisson(D(400), 1500), [300, 399, 420, 520], LEVELS)
show("negative binomial 3.5, 1.25", negative_binomial(D("3.5"), D("1.25"), 1000), [0, 1, 3, 9, 60], LEVELS)
show("zero-inflated 3.5, 0.4", zero_inflated(D("3.5"), D("0.4"), 200), [0, 1, 3, 9, 25], LEVELS)
for rate, y in (("3.5", 0), ("3.5", 9), ("400", 420)):
    difference = poisson_crps(D(rate), y, 1500) - crps(poisson(D(rate), 1500), y)
    assert abs(difference) < D("1e-40"), difference


PI = D("3.14159265358979323846264338327950288419716939937510582097494459")
GAMMA = {D("2.5"): 3 * PI.sqrt() / 4, D("3.5"): 15 * PI.sqrt() / 8}


def gamma_cdf(shape, x):
    term = (shape * x.ln() - x).exp() / GAMMA[shape + 1]
    total, n = D(0), 0
    while n < 1000:
        total += term
        n += 1
        term = term * x / (shape + n)
    return total


def gamma_log_density(shape, x):
    return (shape - 1) * x.ln() - x - GAMMA[shape].ln()


def weibull_cdf(shape, x):
    return 1 - (-(shape * x.ln()).exp()).exp()


def weibull_log_density(shape, x):
    return shape.ln() + (shape - 1) * x.ln() - (shape * x.ln()).exp()


def bisect(cdf, level):
    low, high = D(0), D(1000)
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle) < level else (low, middle)
    return low


def show_positive(name, log_density, cdf, shape, scale):
    print(name)
    for y in (D("0.01"), D(1), D("3.75"), D(6)):
        print(f"\t\t\t\t{{{y}, {log_density(shape, y / scale) - scale.ln():.17g}, {cdf(shape, y / scale):.17g}}},")
    quantiles = [(level, scale * bisect(lambda x: cdf(shape, x), D(level))) for level in ("0.001", "0.5", "0.9999")]
    print("\t\t\t\t" + ", ".join(f"{{{level}, {y:.17g}}}" for level, y in quantiles))


show_positive("gamma 2.5, 1.5", gamma_log_density, gamma_cdf, D("2.5"), D("1.5"))
show_positive("weibull 2, 1.5", weibull_log_density, weibull_cdf, D(2), D("1.5"))
