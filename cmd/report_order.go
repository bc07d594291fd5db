package cmd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/paper"
)

// paperMethods are in the order of the paper's table of scores.
var paperMethods = []string{"mc", "mc-ll", "sml", "pu", "pu-de", "de"}

// inPaperOrder sorts scores as the paper's tables and figures have them,
// whatever order studies were planned or named in: data sets by their size,
// methods as in its table, β from small to large. What the paper does not have
// follows in the order of its first appearance.
func inPaperOrder(scores []measure.Score) {
	sets, methods := paper.Datasets(), slices.Clone(paperMethods)
	for _, s := range scores {
		sets, methods = appendNew(sets, s.Dataset), appendNew(methods, s.Method)
	}
	slices.SortStableFunc(methods[len(paperMethods):], func(a, b string) int { return cmp.Compare(betaOf(a), betaOf(b)) })
	slices.SortStableFunc(scores, func(a, b measure.Score) int {
		return cmp.Or(
			cmp.Compare(slices.Index(sets, a.Dataset), slices.Index(sets, b.Dataset)),
			cmp.Compare(slices.Index(methods, a.Method), slices.Index(methods, b.Method)),
		)
	})
}

// betaOf is the β of a method of the β study, 0 for others.
func betaOf(label string) float64 {
	if !isBeta(label) {
		return 0
	}
	beta, err := strconv.ParseFloat(strings.TrimPrefix(label, "sml beta="), 64)
	if err != nil {
		return 0 // of several settings
	}
	return beta
}

func appendNew(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// datasets lists what there are scores of, in the paper's order.
func (f *found) datasets() []string {
	var names []string
	for _, s := range f.scores {
		names = appendNew(names, s.Dataset)
	}
	return names
}

// methods lists what there are scores of, in the paper's order, without the β
// study.
func (f *found) methods() []string {
	var labels []string
	for _, s := range f.without(true) {
		labels = appendNew(labels, s.Method)
	}
	return labels
}

// slot is a data set's place in a figure of the paper: the first that there
// is of these names, the paper's own first.
type slot []string

// fill finds a data set for each slot of a figure, in the figure's order.
// Where there is none of a slot's own, the largest of the others stands in.
// The note says which stand in for which.
func (f *found) fill(slots []slot, there func(dataset string) bool) (shown []string, note string) {
	var spare []string // the largest first, after them those that the paper does not have
	all := f.datasets()
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(outsider(a), outsider(b)) })
	for _, name := range all {
		if there(name) && !slices.ContainsFunc(slots, func(s slot) bool { return slices.Contains(s, name) }) {
			spare = append(spare, name)
		}
	}
	var notes []string
	for _, s := range slots {
		i := slices.IndexFunc(s, func(name string) bool { return there(name) && !slices.Contains(shown, name) })
		var name string
		switch {
		case i >= 0:
			name = s[i]
		case len(spare) > 0:
			name, spare = spare[0], spare[1:]
		default:
			continue
		}
		if name != s[0] {
			notes = append(notes, name+" stands in for "+s[0])
		}
		shown = append(shown, name)
	}
	if len(notes) == 0 {
		return shown, ""
	}
	return shown, " Here " + strings.Join(notes, ", ") + "."
}

// outsider is 1 for a data set that the paper does not have.
func outsider(dataset string) int {
	if !slices.Contains(paper.Datasets(), dataset) {
		return 1
	}
	return 0
}
