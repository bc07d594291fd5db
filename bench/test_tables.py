"""Tests of bench/tables.py, of the scores and of the other programs: /usr/bin/python3 -m unittest -v"""

import tempfile
import unittest
from pathlib import Path

import numpy as np
from scipy.stats import norm

import peers
import tables
from scores import LEVELS, NORMAL, score


class Scores(unittest.TestCase):
    def test_normal_distribution(self):
        """The CRPS of a normal distribution has a closed form (Gneiting et al. 2005, equation 5)."""
        rng = np.random.default_rng(1)
        mean, std = rng.normal(size=500), rng.uniform(0.5, 2, 500)
        y = rng.normal(mean, std)
        got = score(mean[:, None] + std[:, None] * NORMAL, mean, y)
        z = (y - mean) / std
        crps = np.mean(std * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / np.sqrt(np.pi)))
        self.assertLess(abs(got["crps"] / crps - 1), 0.01)
        self.assertAlmostEqual(got["wcrps_left"] + 2 * got["wcrps_center"] + got["wcrps_right"], got["crps"], 12)
        self.assertAlmostEqual(got["rmse"], np.sqrt(np.mean((y - mean) ** 2)), 12)
        self.assertAlmostEqual(got["mae"], np.mean(np.abs(y - mean)), 12)
        for coverage in (50, 80, 90, 95):
            half = norm.ppf(0.5 + coverage / 200)
            self.assertAlmostEqual(got[f"coverage_{coverage}"], np.mean(np.abs(z) <= half), 12)
            outside = std * np.maximum(np.abs(z) - half, 0) * 2 / (1 - coverage / 100)
            self.assertAlmostEqual(got[f"interval_score_{coverage}"], np.mean(2 * half * std + outside), 9)

    def test_energy_score_of_a_point(self):
        got = score(np.full((1, len(LEVELS)), 1.0), np.array([1.0]), np.array([5.0]))
        self.assertAlmostEqual(got["energy_score_beta_0.5"], 2, 9)
        self.assertAlmostEqual(got["energy_score_beta_1.5"], 8, 9)


class Shapes(unittest.TestCase):
    def test_whole_ranks(self):
        """With 199 residuals each level has a whole rank, so that the shape is a sum of two residuals."""
        r = np.random.default_rng(1).exponential(size=199) - 0.8
        signed, sizes = np.sort(r), np.append(0, np.sort(np.abs(r)))
        for k, got in zip(range(1, 200), peers.signed_shape(r)):
            symmetric = np.sign(k - 100) * sizes[abs(2 * k - 200)]
            self.assertAlmostEqual(got, 199 / 399 * signed[k - 1] + 200 / 399 * symmetric, 9)

    def test_beyond_the_last_rank(self):
        """99 values 1, 2, … have the mean excess 5 over the tenth last; the exponential tail from rank 99 reaches 0.995 at log 2."""
        got = peers.at_rank(np.arange(1.0, 100), np.array([0.25, 0.99, 0.995]))
        np.testing.assert_allclose(got, [25, 99, 99 + 5 * np.log(2)])

    def test_interpolated_levels(self):
        levels = np.array([0.025, 0.25, 0.5, 0.95])
        np.testing.assert_allclose(peers.interpolate(levels, norm.ppf(levels)[None])[0], NORMAL, atol=1e-9)

    def test_conformal_rank(self):
        """Nine sizes promise 50 % by the fifth and 90 % by the ninth (Lei et al. 2018)."""
        np.testing.assert_array_equal(peers.conformal_rank(np.arange(1, 10), [0.5, 0.9, 0.95]), [5, 9, 9])


class Folds(unittest.TestCase):
    def table(self, split):
        with tempfile.TemporaryDirectory() as folder:
            rows = [f"{i % 13},2020-01-{1 + i // 10:02},{i}" for i in range(200)]
            Path(folder, "t.csv").write_text("\n".join(["g,day,y", *rows]))
            return tables.Table(f"{folder}/t.csv:y{split}")

    def test_folds(self):
        for split, column in (("", "y"), (":group:g", "g"), (":time:day", "day")):
            table = self.table(split)
            for fold in range(2):
                train, test = table.fold(fold, 1000)
                self.assertFalse({row[column] for row in train} & {row[column] for row in test})
                parts = table.parts(train)
                for a in range(peers.PARTS):
                    held_out = {row[column] for row, part in zip(train, parts) if part == a}
                    self.assertTrue(held_out)
                    if split == ":group:g":
                        self.assertFalse(held_out & {row[column] for row, part in zip(train, parts) if part != a})
                if split == ":time:day":
                    self.assertLess(max(row["day"] for row in train), min(row["day"] for row in test))

    def test_decimal_commas(self):
        cells = ["2,6", "10/03/2004", "-200", "-200,0", "18.00.00"]
        self.assertEqual([tables.plain_cell(cell) for cell in cells], ["2.6", "2004-03-10", "", "", "18.00.00"])
