package report

import (
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
)

// tables returns the tables of all files. It leaves out files without tables.
func (r *Report) tables() []Tables {
	all := append(slices.Clone(r.Tables),
		Tables{"scores", ScoreTables(r.Shown, r.Reference, "test", r.MethodTitle)},
		Tables{"splits", SplitTables(r.Shown, r.MethodTitle)},
		Tables{"single", r.otherTables()})
	if compare.Agree(r.Shown, r.Reference).Compared > 0 {
		all = append(all, Tables{"agreement", []tabular.Table{agreementTable(r.Shown, r.Reference, r.MethodTitle), missTable(r.Shown, r.Reference, r.MethodTitle)}})
	}
	if s := compare.NewSeeds(r.Seeds, r.Reference); len(s.Spreads) > 0 {
		all = append(all, Tables{"seeds", []tabular.Table{seedsTable(s, r.Reference, r.MethodTitle), outsideTable(s, r.Reference, r.MethodTitle), intervalsTable(s, r.Reference, r.MethodTitle)}})
	}
	return slices.DeleteFunc(all, func(t Tables) bool { return len(t.List) == 0 })
}

// otherTables returns tables of the scores on splits that no figure shows.
func (r *Report) otherTables() []tabular.Table {
	var list []tabular.Table
	for _, split := range compare.DistinctNames(r.Shown, func(s measure.Score) string { return s.Split }) {
		if drawing.SplitIndex(split) < 0 {
			list = append(list, ScoreTables(r.Shown, r.Reference, split, r.MethodTitle)...)
		}
	}
	return list
}
