"""The programs that bench/tables.py compares "sml train" with.

Each function of PEERS takes the inputs x and targets y of the training rows, the part of each training row, and the
inputs of the test rows. It returns the predicted quantiles [test rows, LEVELS] and means. Parts are numbers from 0 to
PARTS - 1 that divide the training rows as the test rows were divided from them: at random, in whole groups, or in the
order of time. All programs use one thread.
"""

import math

import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scores import LEVELS, NORMAL

PARTS = 5
BOOSTING = dict(learning_rate=0.05, max_depth=6, subsample=0.8, colsample_bytree=0.8, tree_method="hist", n_jobs=1)


def conformal_rank(sizes, coverages):
    """Returns, for each coverage, the ⌈(n + 1)·coverage⌉-th smallest of n sizes, or the largest one."""
    ranks = np.ceil(np.asarray(coverages) * (len(sizes) + 1) - 1e-9).astype(int)
    return np.sort(sizes)[np.clip(ranks, 1, len(sizes)) - 1]


# XGBoost.


def fit_trees(x, y, train, validation):
    """Returns a booster of the rows train, which has 50 trees more than are best on the rows validation."""
    booster = xgboost.XGBRegressor(n_estimators=5000, early_stopping_rounds=50, base_score=y[train].mean(), **BOOSTING)
    return booster.fit(x[train], y[train], eval_set=[(x[validation], y[validation])], verbose=False)


def xgboost_split(x, y, parts, new):
    """Returns split conformal intervals, with the number of trees that is best on another part (Lei et al. 2018)."""
    calibration, rest = parts == PARTS - 1, parts < PARTS - 1
    search = fit_trees(x, y, parts < PARTS - 2, parts == PARTS - 2)
    booster = xgboost.XGBRegressor(n_estimators=search.best_iteration + 1, base_score=y[rest].mean(), **BOOSTING)
    booster.fit(x[rest], y[rest])
    mean = booster.predict(new)
    sizes = conformal_rank(np.abs(y[calibration] - booster.predict(x[calibration])), np.abs(2 * LEVELS - 1))
    return mean[:, None] + np.sign(LEVELS - 0.5) * sizes, mean


def cross_validate(x, y, parts, new):
    """Returns predictions of all training rows by boosters that held them out, and the boosters' mean for new rows."""
    boosters = [fit_trees(x, y, parts != part, parts == part) for part in range(PARTS)]
    trees = 1 + round(np.mean([booster.best_iteration for booster in boosters]))
    held_out, means = np.empty(len(y)), []
    for part, booster in enumerate(boosters):
        used = (0, min(trees, booster.get_booster().num_boosted_rounds()))
        held_out[parts == part] = booster.predict(x[parts == part], iteration_range=used)
        means.append(booster.predict(new, iteration_range=used))
    return held_out, np.mean(means, axis=0)


def xgboost_cross(x, y, parts, new):
    """Returns the quantiles mean + scale·z, with the shape z of cross-validated residuals and a second booster's scale."""
    held_out, mean = cross_validate(x, y, parts, new)
    sizes = np.abs(y - held_out)
    floor = 0.01 * sizes.mean() or 1.0  # the logarithm of a smaller residual would be an outlier; 1 if all are 0
    log_scale, new_log_scale = cross_validate(x, np.log(np.maximum(sizes, floor)), parts, new)
    z = signed_shape((y - held_out) / np.exp(log_scale))
    return mean[:, None] + np.exp(new_log_scale)[:, None] * z, mean


def signed_shape(residuals):
    """Returns the quantiles of LEVELS that sml's default calibration takes from residuals (docs/reference/calibration.md)."""
    n = len(residuals)
    signed = np.where(LEVELS >= 0.5, at_rank(residuals, LEVELS), -at_rank(-residuals, 1 - LEVELS))
    sizes = at_rank(np.append(np.abs(residuals), 0), np.abs(2 * LEVELS - 1), first_rank=0)
    blend = n / (n + 200)
    return blend * signed + (1 - blend) * np.sign(LEVELS - 0.5) * sizes


def at_rank(values, fractions, first_rank=1):
    """Returns the values with the ranks fractions·(n + 1), interpolated. Ranks count from first_rank to n.

    Values beyond rank n are exponential, with the mean distance of the outer tenth of the values, at most ten, from the
    next inner one.
    """
    values = np.sort(values)
    n = len(values) - 1 + first_rank
    outer = max(1, min(10, n // 10))
    excess = np.mean(values[-outer:] - values[-outer - 1])
    beyond = np.maximum(0, -np.log((n + 1) * (1 - fractions)))
    return np.interp(fractions * (n + 1), np.arange(first_rank, n + 1), values) + excess * beyond


# scikit-learn.


def histogram_boosting(x, y, parts, new):
    """Returns quantiles of histogram gradient boosting that are conformalised in pairs on a part (Romano et al. 2019)."""
    levels = np.array([0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975])
    stopping = dict(early_stopping=True, validation_fraction=0.2, n_iter_no_change=20)
    options = dict(learning_rate=0.05, max_iter=1000, min_samples_leaf=5, random_state=1, **stopping)
    calibration, rest = parts == PARTS - 1, parts < PARTS - 1
    mean = HistGradientBoostingRegressor(**options).fit(x[rest], y[rest]).predict(new)
    models = [HistGradientBoostingRegressor(loss="quantile", quantile=q, **options).fit(x[rest], y[rest]) for q in levels]
    held_out = np.sort([m.predict(x[calibration]) for m in models], axis=0)
    quantiles = np.sort([m.predict(new) for m in models], axis=0)
    for i in range(len(levels) // 2):
        outside = np.maximum(held_out[i] - y[calibration], y[calibration] - held_out[-1 - i])
        shift = conformal_rank(outside, 1 - 2 * levels[i])
        quantiles[i] -= shift
        quantiles[-1 - i] += shift
    return interpolate(levels, np.sort(quantiles, axis=0).T), mean


def interpolate(levels, quantiles):
    """Returns the quantiles of LEVELS, normal between two of the levels and beyond the last ones."""
    knots = NORMAL[np.searchsorted(LEVELS, levels - 1e-9)]
    left = np.clip(np.searchsorted(knots, NORMAL, side="right") - 1, 0, len(knots) - 2)
    share = (NORMAL - knots[left]) / (knots[left + 1] - knots[left])
    return (1 - share) * quantiles[:, left] + share * quantiles[:, left + 1]


def quantile_forest(x, y, parts, new):
    """Returns quantiles of training targets, each weighted by how often its row shares a leaf with the new row (Meinshausen 2006)."""
    imputer = SimpleImputer(strategy="median")
    order = np.argsort(y, kind="stable")
    x, y, new = imputer.fit_transform(x)[order], y[order], imputer.transform(new)
    forest = RandomForestRegressor(200, min_samples_leaf=5, random_state=1).fit(x, y)
    weights = np.zeros((len(new), len(y)))
    for leaf, new_leaf in zip(forest.apply(x).T, forest.apply(new).T):
        sizes = np.bincount(leaf)
        weights += (new_leaf[:, None] == leaf) / sizes[new_leaf][:, None]
    share = np.cumsum(weights, axis=1) / forest.n_estimators  # predicted distribution function at each y
    ranks = np.array([np.searchsorted(row, LEVELS - 1e-9) for row in share])
    return y[np.minimum(ranks, len(y) - 1)], forest.predict(new)


def standardise(x, new):
    steps = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    return steps.fit_transform(x), steps.transform(new)


KERNEL_ROWS = 500  # training rows that the Gaussian process fits its kernel to: the time grows with their cube


def gaussian_process(x, y, parts, new):
    """Returns normal quantiles; the kernel has a length scale for each of at most 20 inputs, otherwise one for all."""
    x, new = standardise(x, new)
    rows = np.random.RandomState(1).permutation(len(y))[:KERNEL_ROWS]
    scales = np.ones(x.shape[1]) if x.shape[1] <= 20 else 1.0
    kernel = ConstantKernel(1.0) * RBF(scales, (1e-2, 1e4)) + WhiteKernel(0.1, (1e-6, 1e1))
    kernel = GaussianProcessRegressor(kernel, normalize_y=True).fit(x[rows], y[rows]).kernel_
    process = GaussianProcessRegressor(kernel, optimizer=None, normalize_y=True).fit(x, y)
    mean, std = process.predict(new, return_std=True)
    return mean[:, None] + std[:, None] * NORMAL, mean


def ridge(x, y, parts, new):
    """Returns normal quantiles with the spread of the residuals; generalised cross-validation chooses the penalty."""
    x, new = standardise(x, new)
    model = RidgeCV(np.logspace(-3, 4, 29)).fit(x, y)
    squares = np.linalg.svd(x, compute_uv=False) ** 2
    free = max(1, len(y) - 1 - np.sum(squares / (squares + model.alpha_)))
    std = math.sqrt(np.sum((y - model.predict(x)) ** 2) / free)
    mean = model.predict(new)
    return mean[:, None] + std * NORMAL, mean


def constant(x, y, parts, new):
    """Returns the quantiles and the mean of the training targets."""
    return np.tile(np.quantile(y, LEVELS), (len(new), 1)), np.full(len(new), y.mean())


PEERS = {
    "XGBoost, split": xgboost_split,
    "XGBoost, cross": xgboost_cross,
    "histogram boosting": histogram_boosting,
    "quantile forest": quantile_forest,
    "Gaussian process": gaussian_process,
    "ridge": ridge,
    "constant": constant,
}
REFERENCE = "XGBoost, split"
