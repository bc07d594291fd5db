package cmd

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sml/evaluation/measure"
)

// listMeasures returns a list of the usual measures, or of the measures on request. It leaves out measures of intervals
// whose coverage is not 90 %.
func listMeasures(onRequest bool) string {
	list := ""
	for _, m := range measure.All() {
		if m.OnRequest != onRequest || isAnotherCoverage(m) {
			continue
		}
		list += fmt.Sprintf("- `%s`: %s.", m.Name, describeScore(m))
		if notes := measureNotes(m); notes != "" {
			list += " " + notes + "."
		}
		list += "\n"
	}
	return list
}

// describeScore returns what the measure is called, and its formula. A formula in words, which begins
// as the summary does, stands alone.
func describeScore(m measure.Measure) string {
	what, _, _ := strings.Cut(m.Summary, ":")
	words := strings.SplitAfterN(what, " ", 3)
	if strings.HasPrefix(m.Formula, words[0]+words[1]) {
		return m.Formula
	}
	return what + ": " + m.Formula
}

// measureNotes returns what differs from most measures, and the first sentence of the convention. The
// page says what holds for most measures, and "sml measures" prints the rest and the sources.
func measureNotes(m measure.Measure) string {
	var words []string
	switch m.Unit {
	case measure.Target:
		words = append(words, "target's unit")
	case measure.OwnUnit:
		words = append(words, "target's own unit only")
	case measure.LogTarget:
		words = append(words, "log unit")
	}
	switch {
	case m.Undirected:
		words = append(words, "no best score")
	case m.Nominal != 0:
		words = append(words, fmt.Sprintf("best: %v", m.Nominal))
	case m.HigherIsBetter:
		words = append(words, "high is best")
	}
	for _, part := range m.Needs {
		if part != measure.Mean && part != measure.CDF && part != measure.Region {
			words = append(words, "needs "+strings.ReplaceAll(string(part), string(measure.Std), "σ"))
		}
	}
	convention, _, _ := strings.Cut(m.Convention, ". ")
	sentences := []string{capitalise(strings.Join(words, ", ")), capitalise(convention)}
	sentences = slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
	return escapeMarks(strings.Join(sentences, ". "))
}

// isAnotherCoverage reports whether the measure is of an interval of another coverage than 90 %, such as coverage80.
func isAnotherCoverage(m measure.Measure) bool {
	return m.OnRequest && regexp.MustCompile(`^(coverage|width)\d+$`).MatchString(m.Name)
}

// capitalise returns a sentence with a capital letter. Symbols such as c and r stay as they are.
func capitalise(sentence string) string {
	if word, _, _ := strings.Cut(sentence, " "); len(word) < 2 {
		return sentence
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// escapeMarks returns a text in which Markdown reads no underscore as a mark.
func escapeMarks(text string) string { return strings.ReplaceAll(text, "_", `\_`) }
