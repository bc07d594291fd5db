package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/statistics"
)

// seedsTables returns the tables that compare the seeds with the reference, or nil if they cannot be compared.
func (r *Report) seedsTables() []Table {
	all := CompareSeeds(r.Seeds, r.Reference)
	if len(all.Spreads) == 0 {
		return nil
	}
	return []Table{r.seedsTable(all), r.outsideTable(all), r.intervalsTable(all)}
}

// seedsTable returns a table that compares how well single seeds reproduce the reference's scores with how
// well they reproduce each other's: first a row for each measure, then one for each method.
func (r *Report) seedsTable(all SeedComparison) Table {
	t := Table{
		Caption: fmt.Sprintf("Agreement of %d seeds with %s", len(all.Seeds), r.Reference.InText),
		Words:   1,
		Header:  []string{"", "scores", "reproduced by a seed", "reproduced between seeds", "inside the interval", "seeds inside"},
		Notes:   seedsNotes(all, r.Reference),
	}
	for _, m := range DistinctNames(all.Spreads, func(s SeedSpread) string { return s.Measure }) {
		ofMeasure := all.Agreement(func(s SeedSpread) bool { return s.Measure == m })
		t.Body = append(t.Body, seedAgreementRow(measure.Title(m), ofMeasure))
	}
	for _, m := range DistinctNames(all.Spreads, func(s SeedSpread) string { return s.Method }) {
		ofMethod := all.Agreement(func(s SeedSpread) bool { return s.Method == m })
		t.Body = append(t.Body, seedAgreementRow(r.MethodTitle(m), ofMethod))
	}
	t.Foot = [][]Cell{seedAgreementRow("all", all.totalAgreement())}
	return t.withNote(len(all.Partial) > 0, "Seeds left out because most of their trainings have not been run: "+joinSeeds(all.Partial)+".")
}

// seedsNotes returns the notes below a seedsTable, which explain its columns.
func seedsNotes(all SeedComparison, reference Reference) []string {
	percent := fmt.Sprintf("%.0f %%", 100*SeedCoverage)
	return []string{
		"Reproduced by a seed: how many scores of " + reference.InText + " differ from the seed’s by at most 0.1 or a fifth; the mean over the seeds with the smallest and the largest count and, below, the count of each seed: " + joinSeeds(all.Seeds) + ".",
		"Reproduced between seeds: the same count with another seed’s scores in place of " + reference.InText + "’s, over all ordered pairs of seeds. Judge the first count by this one: " + reference.InText + "’s scores are one draw of a random experiment, so no larger count can be expected of them.",
		"Inside the interval: how many scores of " + reference.InText + " lie in the interval that contains one more draw in " + percent + " of cases, if draws are normal (mean ± t·s·√(1 + 1/n), with Student’s t for n − 1 degrees of freedom, widened by half a unit of the last published digit). Seeds inside: how many scores of single seeds lie in the interval of the other seeds; if draws are normal, " + percent + " of them do. The scores on one data set share their test rows, so they deviate together.",
	}
}

// seedAgreementRow returns a row of seedsTable with the counts of an agreement.
func seedAgreementRow(name string, a seedAgreement) []Cell {
	bySeed := make([]string, len(a.ReproducedBySeed))
	for i, count := range a.ReproducedBySeed {
		bySeed[i] = strconv.Itoa(count)
	}
	return []Cell{
		{Text: name},
		{Text: strconv.Itoa(a.Compared)},
		{Text: meanAndRange(a.ReproducedBySeed), Below: []string{strings.Join(bySeed, ", ")}},
		{Text: meanAndRange(a.ReproducedByPair)},
		{Text: formatFraction(a.Inside, a.Intervals)},
		{Text: formatFraction(a.SeedsInside, a.SeedIntervals)},
	}
}

// joinSeeds returns text such as "1, 2, 3".
func joinSeeds(seeds []uint64) string {
	// Sprint returns "[1 2 3]".
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(seeds), "[]"), " ", ", ")
}

// meanAndRange returns text such as "8.5 (7 to 10)": the mean of the counts, and the smallest and the
// largest. It panics if there are no counts.
func meanAndRange(counts []int) string {
	sum := 0
	for _, count := range counts {
		sum += count
	}
	mean := float64(sum) / float64(len(counts))
	return fmt.Sprintf("%.1f (%d to %d)", mean, slices.Min(counts), slices.Max(counts))
}

// formatFraction returns text such as "3 of 4 (75 %)", or a dash if the total is 0.
func formatFraction(count, total int) string {
	if total == 0 {
		return formatScore(math.NaN())
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", count, total, 100*float64(count)/float64(total))
}

// intervalsTable returns a table with a row for each score of the reference.
func (r *Report) intervalsTable(all SeedComparison) Table {
	return r.spreadTable(fmt.Sprintf("Scores of %d seeds and of %s", len(all.Seeds), r.Reference.InText), all.Spreads, len(all.Spreads))
}

// spreadTable returns a table of scores of the reference: the mean, range and prediction interval of the seeds' scores, and
// the reference's score. compared is the number of compared scores.
func (r *Report) spreadTable(caption string, spreads []SeedSpread, compared int) Table {
	t := Table{
		Caption: caption,
		Words:   3,
		Header:  []string{"data set", "measure", "method", "mean ± s", "smallest to largest", fmt.Sprintf("%.0f %% interval", 100*SeedCoverage), r.Reference.Name, "t"},
		Notes: []string{
			"Mean, standard deviation s, smallest and largest are over the n seeds. Interval: contains the score of one more seed in that percentage of cases. t: the distance of " + r.Reference.InText + "’s score from the mean, less its rounding, in units of s·√(1 + 1/n); * outside the interval, ** so far outside that only one experiment in twenty has any such score.",
		},
	}
	for _, s := range spreads {
		t.Body = append(t.Body, r.spreadRow(s, compared))
	}
	return t
}

// outsideTable returns a table like intervalsTable, with only the scores of the reference outside the
// interval, the farthest first. Below the method stands the known cause of the difference, if there is
// one. A note compares the number of these scores with the number expected by chance.
func (r *Report) outsideTable(all SeedComparison) Table {
	const methodColumn = 2 // of spreadTable
	outside := spreadsOutside(all.Spreads)
	caption := fmt.Sprintf("Scores of %s outside the interval of %d seeds", r.Reference.InText, len(all.Seeds))
	t := r.spreadTable(caption, outside, len(all.Spreads))
	for i, s := range outside {
		if cause := r.Reference.Cause(s.Score); cause != "" {
			t.Body[i][methodColumn].Below = []string{cause}
		}
	}
	intervals := all.totalAgreement().Intervals
	expected := (1 - SeedCoverage) * float64(intervals)
	return t.withNote(true, fmt.Sprintf("%d of %d scores are outside; %.0f would be expected if all draws were normal.", len(outside), intervals, expected))
}

// spreadsOutside returns the spreads with the reference's score outside the interval of the seeds, the
// farthest first.
func spreadsOutside(spreads []SeedSpread) []SeedSpread {
	outside := slices.DeleteFunc(slices.Clone(spreads), func(s SeedSpread) bool { return !isReferenceOutside(s) })
	slices.SortStableFunc(outside, func(a, b SeedSpread) int { return cmp.Compare(math.Abs(b.distance()), math.Abs(a.distance())) })
	return outside
}

// isReferenceOutside reports whether the reference's score is outside the interval of the seeds. It
// returns false if there is no interval.
func isReferenceOutside(s SeedSpread) bool {
	inside, hasInterval := s.HoldsReference()
	return hasInterval && !inside
}

// spreadRow returns the row of one score of a spreadTable. spreads is the number of compared
// scores: the more there are, the farther outside its interval a score must be for the second star.
func (r *Report) spreadRow(s SeedSpread, spreads int) []Cell {
	mean, std := statistics.MeanStd(s.Values)
	low, high := s.Interval()
	stars := ""
	switch {
	case isReferenceOutside(s) && s.isFar(spreads):
		stars = " **"
	case isReferenceOutside(s):
		stars = " *"
	}
	distance := chart.WithMinusSign(strconv.FormatFloat(s.distance(), 'f', 1, 64))
	return TextCells(
		s.Dataset,
		measure.Title(s.Measure),
		r.MethodTitle(s.Method),
		formatFine(mean)+" ± "+formatFine(std),
		formatFine(slices.Min(s.Values))+" to "+formatFine(slices.Max(s.Values)),
		formatFine(low)+" to "+formatFine(high),
		formatScore(s.Reference),
		distance+stars,
	)
}

// formatFine formats a number below ten with three decimals, and other numbers as formatScore does.
func formatFine(x float64) string {
	const minRoundedToTen = 9.9995 // smallest number that three decimals round up to 10.000
	if math.Abs(x) >= minRoundedToTen || !statistics.IsFinite(x) {
		return formatScore(x)
	}
	return chart.WithMinusSign(strconv.FormatFloat(x, 'f', 3, 64))
}
