package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/internal/statistics"
)

// seedsTable returns a table with the number of the reference's scores that each seed meets, and
// the number of another seed's scores that it meets, by measure and by method.
func seedsTable(all compare.Seeds, reference compare.Reference, title func(label string) string) tabular.Table {
	t := tabular.Table{
		Caption: fmt.Sprintf("Agreement with %s over %d seeds", reference.InText, len(all.Seeds)),
		Words:   1,
		Header:  []string{"", "scores", "met by a seed", "met of another seed", "inside the interval", "seeds inside"},
		Notes: []string{
			"Met by a seed: how many scores of " + reference.InText + " are within 0.1 or a fifth; the mean over seeds, least to most, and below it each seed: " + joinSeeds(all.Seeds) + ".",
			"Met of another seed: the same with one seed's scores in the place of " + reference.InText + "’s, over all ordered pairs of seeds. It is the yardstick: " + reference.InText + " is one draw of a random experiment, and a count above this proves nothing.",
			fmt.Sprintf("Inside the interval: how many scores of %s lie where the seeds expect one more draw in %.0f %% of cases, if draws are normal (mean ± t·s·√(1 + 1/n), Student’s t with n − 1 degrees of freedom, and half a unit of the last published digit). Seeds inside: how many scores of single seeds lie in the interval of the other seeds; what is missing there to %.0f %% is not normal. Scores of one data set share their test rows, and are off together.", reference.InText, 100*compare.Coverage, 100*compare.Coverage),
		},
	}
	for _, m := range compare.DistinctNames(all.Spreads, func(s compare.Spread) string { return s.Measure }) {
		ofMeasure := all.Agreement(func(s compare.Spread) bool { return s.Measure == m })
		t.Body = append(t.Body, seedAgreementRow(measure.Title(m), ofMeasure))
	}
	methods := compare.DistinctNames(all.Spreads, func(s compare.Spread) string { return s.Method })
	for i, m := range methods {
		ofMethod := all.Agreement(func(s compare.Spread) bool { return s.Method == m })
		t.Body = append(t.Body, seedAgreementRow(titles(methods, title)[i], ofMethod))
	}
	total := all.Agreement(func(compare.Spread) bool { return true })
	t.Foot = [][]tabular.Cell{seedAgreementRow("all", total)}
	return t.WithNote(len(all.Partial) > 0, "Left out, since most of their trainings are still to be run: seeds "+joinSeeds(all.Partial)+".")
}

// seedAgreementRow returns a row with the counts of an agreement.
func seedAgreementRow(name string, a compare.SeedAgreement) []tabular.Cell {
	bySeed := make([]string, len(a.Met))
	for i, n := range a.Met {
		bySeed[i] = strconv.Itoa(n)
	}
	return []tabular.Cell{
		{Text: name},
		{Text: strconv.Itoa(a.Compared)},
		{Text: meanAndRange(a.Met), Below: []string{strings.Join(bySeed, ", ")}},
		{Text: meanAndRange(a.MetOther)},
		{Text: formatPart(a.Inside, a.Intervals)},
		{Text: formatPart(a.SeedsInside, a.SeedIntervals)},
	}
}

// joinSeeds returns the seeds with commas between them.
func joinSeeds(seeds []uint64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(seeds), "[]"), " ", ", ")
}

// meanAndRange returns the mean of counts and, in brackets, the smallest and the largest count.
func meanAndRange(counts []int) string {
	sum := 0.0
	for _, n := range counts {
		sum += float64(n)
	}
	return fmt.Sprintf("%.1f (%d to %d)", sum/float64(len(counts)), slices.Min(counts), slices.Max(counts))
}

// formatPart returns "part of whole" with the percentage, or a dash if the whole is 0.
func formatPart(part, whole int) string {
	if whole == 0 {
		return formatScore(math.NaN())
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", part, whole, 100*float64(part)/float64(whole))
}

// intervalsTable returns a table with a row for each score of the reference: the mean, range and
// interval of the seeds' scores, and the reference's score.
func intervalsTable(all compare.Seeds, reference compare.Reference, title func(label string) string) tabular.Table {
	t := tabular.Table{
		Caption: fmt.Sprintf("Scores of %s beside those of %d seeds", reference.InText, len(all.Seeds)),
		Words:   3,
		Header:  []string{"data set", "measure", "method", "mean ± s", "least to most", fmt.Sprintf("%.0f %% interval", 100*compare.Coverage), reference.Name, "t"},
		Notes:   []string{"Interval: where the seeds expect one more draw. t: how far " + reference.InText + "’s score is from the seeds’ mean, in s·√(1 + 1/n), its rounding allowed for; * outside the interval, ** so far outside that a draw in twenty has any such."},
	}
	for _, s := range all.Spreads {
		t.Body = append(t.Body, spreadRow(s, len(all.Spreads), title))
	}
	return t
}

// outsideTable returns the rows of intervalsTable with the reference's score outside the interval,
// the farthest first.
func outsideTable(all compare.Seeds, reference compare.Reference, title func(label string) string) tabular.Table {
	t := intervalsTable(all, reference, title)
	t.Caption = fmt.Sprintf("Scores of %s outside of the interval of %d seeds", reference.InText, len(all.Seeds))
	var outside []compare.Spread
	for _, s := range all.Spreads {
		if inside, ok := s.HoldsReference(); ok && !inside {
			outside = append(outside, s)
		}
	}
	slices.SortStableFunc(outside, func(a, b compare.Spread) int { return cmp.Compare(math.Abs(b.T()), math.Abs(a.T())) })
	t.Body = nil
	for _, s := range outside {
		row := spreadRow(s, len(all.Spreads), title)
		if reference.Cause != nil {
			if cause := reference.Cause(s.Score); cause != "" {
				row[2].Below = []string{cause}
			}
		}
		t.Body = append(t.Body, row)
	}
	a := all.Agreement(func(compare.Spread) bool { return true })
	t.Notes = append(t.Notes, fmt.Sprintf("%d of %d are outside; of as many normal draws about %.0f would be.", len(outside), a.Intervals, (1-compare.Coverage)*float64(a.Intervals)))
	return t
}

// spreadRow returns the row of one score. spreads is the number of rows of the table: the more there
// are, the further outside its interval a score must be for the second mark.
func spreadRow(s compare.Spread, spreads int, title func(label string) string) []tabular.Cell {
	mean, std := s.MeanStd()
	low, high := s.Interval()
	mark := ""
	if inside, ok := s.HoldsReference(); ok && !inside {
		mark = " *"
		if s.IsFar(spreads) {
			mark = " **"
		}
	}
	t := strings.Replace(strconv.FormatFloat(s.T(), 'f', 1, 64), "-", "−", 1)
	return tabular.Words(
		s.Dataset,
		measure.Title(s.Measure),
		titles([]string{s.Method}, title)[0],
		formatFine(mean)+" ± "+formatFine(std),
		formatFine(slices.Min(s.Values))+" to "+formatFine(slices.Max(s.Values)),
		formatFine(low)+" to "+formatFine(high),
		formatScore(s.Reference),
		t+mark,
	)
}

// formatFine formats a number below ten with three decimals, and other numbers as formatScore does.
func formatFine(x float64) string {
	if math.Abs(x) >= 9.9995 || !statistics.IsFinite(x) {
		return formatScore(x)
	}
	return strings.Replace(strconv.FormatFloat(x, 'f', 3, 64), "-", "−", 1)
}
