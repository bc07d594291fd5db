package report

import (
	"slices"

	"sml/evaluation/measure"
)

// tables returns the tables of each file, without files that would have none.
func (r *Report) tables() []Tables {
	all := append(slices.Clone(r.Tables),
		Tables{Name: "scores", List: ScoreTables(r.Shown, r.Folds, r.Reference, "test", r.MethodTitle)},
		Tables{Name: "splits", List: SplitTables(r.Shown, r.MethodTitle)},
		Tables{Name: "single", List: r.otherTables()},
	)
	if Agree(r.Shown, r.Reference).Compared > 0 {
		all = append(all, Tables{Name: "agreement", List: []Table{
			agreementTable(r.Shown, r.Reference, r.MethodTitle),
			notReproducedTable(r.Shown, r.Reference, r.MethodTitle),
		}})
	}
	seeds := CompareSeeds(r.Seeds, r.Reference)
	if len(seeds.Spreads) > 0 {
		all = append(all, Tables{Name: "seeds", List: []Table{
			seedsTable(seeds, r.Reference, r.MethodTitle),
			outsideTable(seeds, r.Reference, r.MethodTitle),
			intervalsTable(seeds, r.Reference, r.MethodTitle),
		}})
	}
	return slices.DeleteFunc(all, func(t Tables) bool { return len(t.List) == 0 })
}

// otherTables returns tables of the scores on splits other than the standard ones in Splits, such
// as the single split or a table's own.
func (r *Report) otherTables() []Table {
	var tables []Table
	for _, split := range DistinctNames(r.Shown, func(s measure.Score) string { return s.Split }) {
		if SplitIndex(split) < 0 {
			tables = append(tables, ScoreTables(r.Shown, r.Folds, r.Reference, split, r.MethodTitle)...)
		}
	}
	return tables
}
