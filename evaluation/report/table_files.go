package report

import (
	"slices"

	"sml/evaluation/measure"
)

// tables returns the tables of each file, without files that would have none.
func (r *Report) tables() []Tables {
	all := append(slices.Clone(r.Tables),
		Tables{Name: "scores", List: r.ScoreTables("test")},
		Tables{Name: "splits", List: r.SplitTables()},
		Tables{Name: "single", List: r.otherTables()},
		Tables{Name: "agreement", List: r.agreementTables()},
		Tables{Name: "seeds", List: r.seedsTables()},
	)
	return slices.DeleteFunc(all, func(t Tables) bool { return len(t.List) == 0 })
}

// otherTables returns tables of the scores on splits other than the standard ones in Splits, such
// as the single split or a table's own.
func (r *Report) otherTables() []Table {
	var tables []Table
	for _, split := range DistinctNames(r.Shown, func(s measure.Score) string { return s.Split }) {
		if SplitIndex(split) < 0 {
			tables = append(tables, r.ScoreTables(split)...)
		}
	}
	return tables
}
