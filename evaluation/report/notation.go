package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/internal/statistics"
)

// From these sizes on, which are the first ones that are rounded up to 100 and to 100,000, scores are
// written without decimals, and with a power of ten.
const (
	minWithoutDecimals = 99.995
	minWithPower       = 99_999.5
)

// formatScore formats a score for tables: with two decimals, as a whole number from 100 on, as 1.4·10⁶
// from 100,000 on, and as – if it is NaN.
func formatScore(x float64) string { return formatBeside(x, x) }

// formatBeside formats x as formatScore does, but without decimals if the number that stands before x,
// such as the mean before a standard deviation, has none.
func formatBeside(x, number float64) string {
	size := math.Abs(x)
	var text string
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0):
		text = "∞"
	case size >= minWithPower:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(size, 'e', 1, 64), "e+")
		text = mantissa + "·10" + superscript.Replace(strings.TrimLeft(exponent, "0"))
	case size >= minWithoutDecimals || math.Abs(number) >= minWithoutDecimals:
		text = strconv.FormatFloat(size, 'f', 0, 64)
	default:
		text = strconv.FormatFloat(size, 'f', 2, 64)
	}
	if x < 0 && !isZero(text) {
		return "−" + text
	}
	return text
}

// isZero reports whether a formatted number has no digits but zeros, so that a sign would be odd.
func isZero(text string) bool { return strings.Trim(text, "0.") == "" }

// superscript replaces digits by superscripts.
var superscript = strings.NewReplacer(
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// formatDifference returns ours − reference with its sign, + or −.
func formatDifference(ours, reference float64) string {
	text := formatBeside(ours-reference, reference)
	if ours > reference && !isZero(text) {
		return "+" + text
	}
	return text
}

// formatMeanStd returns "mean ± std" of a score over its folds, or only the mean if fewer than two folds
// succeeded or the standard deviation is not finite.
func formatMeanStd(s measure.Score) string {
	if !statistics.IsFinite(s.Std) || s.Folds-s.Failed < 2 {
		return formatScore(s.Mean)
	}
	return formatScore(s.Mean) + " ± " + formatBeside(s.Std, s.Mean)
}

// describeFailures returns text such as "2 of 10 failed", which counts folds, or "" if none failed.
func describeFailures(s measure.Score) string {
	if s.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d failed", s.Failed, s.Folds)
}

// splitTitle returns the title of a split for captions. Its name, as scores have it, is "train", "test",
// "single-KIND", or a kind with or without a detail, such as "pca-interpolate".
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

// methodTitles returns the titles of the methods with the given labels.
func (r *Report) methodTitles(labels []string) []string {
	titles := make([]string, len(labels))
	for i, label := range labels {
		titles[i] = r.MethodTitle(label)
	}
	return titles
}
