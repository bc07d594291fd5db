"""The quantile levels that bench/tables.py compares programs by, and the scores of predicted quantiles.

Scores have the names and formulas of ScoringBench (Landsgesell and Knoll 2026).
"""

import numpy as np
from scipy.stats import norm

LEVELS = np.arange(1, 200) / 200
NORMAL = norm.ppf(LEVELS)
COVERAGES = [50, 80, 90, 95]  # percent


def score(quantiles, mean, y):
    """Returns the scores of predicted quantiles [rows, LEVELS] and means."""
    quantiles = np.sort(quantiles, axis=1)
    error = y[:, None] - quantiles
    pinball = np.mean(np.maximum(LEVELS * error, (LEVELS - 1) * error), axis=0)
    scores = {
        "rmse": np.sqrt(np.mean((mean - y) ** 2)),
        "mae": np.mean(np.abs(y - quantiles[:, len(LEVELS) // 2])),
        "r2": 1 - np.mean((mean - y) ** 2) / np.var(y),
        "crps": weighted_crps(pinball, 1),
        "wcrps_left": weighted_crps(pinball, (1 - LEVELS) ** 2),
        "wcrps_center": weighted_crps(pinball, LEVELS * (1 - LEVELS)),
        "wcrps_right": weighted_crps(pinball, LEVELS**2),
    }
    scores |= energy_scores(quantiles, y)
    for coverage in COVERAGES:
        scores |= interval_scores(quantiles, y, coverage)
    return {name: float(value) for name, value in scores.items()}


def weighted_crps(pinball, weights):
    """Returns the quantile-weighted CRPS of the mean pinball losses of LEVELS (Gneiting and Ranjan 2011, equation 17)."""
    return 2 * np.sum(pinball * weights) / (len(LEVELS) + 1)


def energy_scores(quantiles, y):
    """Returns the means of E|X - y|^beta - E|X - X'|^beta / 2, with equal probabilities for all quantiles of a row."""
    scores = {"energy_score_beta_0.5": 0.0, "energy_score_beta_1.5": 0.0}
    for row, target in zip(quantiles, y):
        to_target, between = np.abs(row - target), np.abs(row[:, None] - row)
        root = np.sqrt(between)
        scores["energy_score_beta_0.5"] += (np.mean(to_target**0.5) - np.mean(root) / 2) / len(y)
        scores["energy_score_beta_1.5"] += (np.mean(to_target**1.5) - np.mean(between * root) / 2) / len(y)
    return scores


def interval_scores(quantiles, y, coverage):
    """Returns the interval score of a central interval, and the fraction of the targets inside."""
    alpha = 1 - coverage / 100
    low, high = quantiles[:, level_index(alpha / 2)], quantiles[:, level_index(1 - alpha / 2)]
    outside = np.maximum(low - y, 0) + np.maximum(y - high, 0)
    return {
        f"interval_score_{coverage}": np.mean(high - low + 2 / alpha * outside),
        f"coverage_{coverage}": np.mean(outside == 0),
    }


def level_index(level):
    return round(level * (len(LEVELS) + 1)) - 1
