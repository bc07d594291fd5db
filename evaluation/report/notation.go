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

// formatScore formats a score for tables: with two decimals, as a whole number from 100 on, as 1.4·10⁶
// from 100,000 on, and as – if it is NaN.
func formatScore(x float64) string { return formatBeside(x, x) }

// formatBeside formats x, which stands beside a number: it has no decimals if the number has none.
func formatBeside(x, number float64) string {
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

// superscript replaces digits by superscripts.
var superscript = strings.NewReplacer(
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// formatDifference returns ours − reference with its sign.
func formatDifference(ours, reference float64) string {
	text := formatBeside(ours-reference, reference)
	if ours > reference && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// formatMeanStd returns "mean ± std" of a score over folds, or the mean alone if there is no finite
// standard deviation.
func formatMeanStd(s measure.Score) string {
	if !statistics.IsFinite(s.Std) || s.Folds-s.Failed < 2 {
		return formatScore(s.Mean)
	}
	return formatScore(s.Mean) + " ± " + formatBeside(s.Std, s.Mean)
}

// describeFailures returns how many folds failed, "" if none did.
func describeFailures(s measure.Score) string {
	if s.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d failed", s.Failed, s.Folds)
}

// splitTitle returns the title of a split for captions. split is a name as scores have it.
func splitTitle(split string) string {
	switch split {
	case "train":
		return "training rows of random folds"
	case "test":
		return "test rows of random folds"
	}
	kind, detail, _ := strings.Cut(split, "-")
	switch {
	case kind == "single":
		return "test rows of a single " + detail + " split"
	case detail == "":
		return "test rows of the " + kind + " split"
	}
	return kind + " folds, " + detail
}

// titles returns the titles of methods' labels, the labels themselves if title is nil.
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
