package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/internal/statistics"
)

// printed is how tables show a score: with two decimals,
// whole from 100 on, and as 1.4·10⁶ where digits would only fill the page.
func printed(x float64) string { return printedLike(x, x) }

// printedLike prints x beside a number that it belongs to, and without decimals
// where that has none.
func printedLike(number, x float64) string {
	var text string
	switch size := math.Abs(x); {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0):
		text = "∞"
	case size >= 99_999.5:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(size, 'e', 1, 64), "e+")
		text = mantissa + "·10" + superscript.Replace(strings.TrimLeft(exponent, "0"))
	case size >= 99.995 || math.Abs(number) >= 99.995:
		text = strconv.FormatFloat(size, 'f', 0, 64)
	default:
		text = strconv.FormatFloat(size, 'f', 2, 64)
	}
	if x < 0 && strings.Trim(text, "0.") != "" {
		return "−" + text
	}
	return text
}

var superscript = strings.NewReplacer(
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// difference is ours − reference, with its sign.
func difference(ours, reference float64) string {
	text := printedLike(reference, ours-reference)
	if ours > reference && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// spread is mean ± std, or the mean alone where there is no finite std.
func spread(s measure.Score) string {
	if !statistics.Finite(s.Std) || s.Folds-s.Failed < 2 {
		return printed(s.Mean)
	}
	return printed(s.Mean) + " ± " + printedLike(s.Mean, s.Std)
}

// failures says how many folds failed, or nothing.
func failures(s measure.Score) string {
	if s.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d failed", s.Failed, s.Folds)
}

func splitTitle(split string) string {
	switch split {
	case "train":
		return "training rows of random folds"
	case "test":
		return "test rows of random folds"
	}
	kind, where, _ := strings.Cut(split, "-")
	if kind == "single" {
		return "test rows of a single " + where + " split"
	}
	if where == "" {
		return "test rows of the " + kind + " split"
	}
	return kind + " folds, " + where
}

func titles(labels []string, title func(label string) string) []string {
	if title == nil {
		return slices.Clone(labels)
	}
	var out []string
	for _, label := range labels {
		out = append(out, title(label))
	}
	return out
}
