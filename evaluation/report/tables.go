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
		Tables{Name: "scores", List: ScoreTables(r.Shown, r.Reference, "test", r.MethodTitle)},
		Tables{Name: "splits", List: SplitTables(r.Shown, r.MethodTitle)},
		Tables{Name: "single", List: r.otherTables()},
	)
	if compare.Agree(r.Shown, r.Reference).Compared > 0 {
		all = append(all, Tables{Name: "agreement", List: []tabular.Table{
			agreementTable(r.Shown, r.Reference, r.MethodTitle),
			missTable(r.Shown, r.Reference, r.MethodTitle),
		}})
	}
	if seeds := compare.NewSeeds(r.Seeds, r.Reference); len(seeds.Spreads) > 0 {
		all = append(all, Tables{Name: "seeds", List: []tabular.Table{
			seedsTable(seeds, r.Reference, r.MethodTitle),
			outsideTable(seeds, r.Reference, r.MethodTitle),
			intervalsTable(seeds, r.Reference, r.MethodTitle),
		}})
	}
	return slices.DeleteFunc(all, func(t Tables) bool { return len(t.List) == 0 })
}

// otherTables returns tables of the scores on splits that drawing.Splits does not have.
func (r *Report) otherTables() []tabular.Table {
	var list []tabular.Table
	for _, split := range compare.DistinctNames(r.Shown, func(s measure.Score) string { return s.Split }) {
		if drawing.SplitIndex(split) < 0 {
			list = append(list, ScoreTables(r.Shown, r.Reference, split, r.MethodTitle)...)
		}
	}
	return list
}
