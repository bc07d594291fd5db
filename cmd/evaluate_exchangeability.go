package cmd

import (
	"fmt"
	"io"

	"sml/evaluation/experiment"
	"sml/evaluation/shift"
	"sml/internal/portable"
	"sml/internal/strict"
)

// exchangeabilityResult says whether the judged rows, in their order, are exchangeable with other rows.
type exchangeabilityResult struct {
	Rows       int           `json:"rows"`                  // number of judged rows
	Martingale strict.Number `json:"martingale"`            // largest value of the martingale, which is 1 at first
	MaxRow     int           `json:"max_row,omitempty"`     // number of the row with that value; 0 if the martingale was never above 1
	CrossedRow int           `json:"crossed_row,omitempty"` // number of the first row with a martingale of at least 100; 0 if there is none
	PValue     float64       `json:"p_value"`               // largest probability of so large a martingale if the rows are exchangeable
}

// hasTrainingRows reports whether some rows are training rows, whose predictions are less wrong than others.
func (p predictedRows) hasTrainingRows() bool {
	return p.isTrainingTable && (p.splitPart == trainRows || p.splitPart == allRows)
}

// nonconformity returns how wrong the predictions of the rows are, [targets][rows].
func (p predictedRows) nonconformity(m *experiment.Model) ([][]float64, error) {
	return m.Nonconformity(p.targets, p.indices, p.predictions)
}

// testExchangeability tests whether the judged rows are exchangeable with reference rows, whose predictions are as
// wrong as reference says, [targets][rows].
func (e *evaluator) testExchangeability(reference [][]float64, judged predictedRows) (*exchangeabilityResult, error) {
	scores, err := judged.nonconformity(e.model)
	if err != nil {
		return nil, err
	}
	test := shift.TestExchangeability(reference, scores, e.sampling.Seed)
	rowNumber := func(position int) int {
		if position < 0 {
			return 0
		}
		return judged.targets.RowNumber(judged.tableIndex(position))
	}
	return &exchangeabilityResult{
		Rows:       test.Rows,
		Martingale: strict.Number(portable.Exp(test.LogMax)),
		MaxRow:     rowNumber(test.MaxRow),
		CrossedRow: rowNumber(test.CrossedRow),
		PValue:     test.PValue(),
	}, nil
}

// print writes the result of the test for people. against has the reference rows.
func (r *exchangeabilityResult) print(w io.Writer, against *againstResult) {
	fmt.Fprintf(w, "errors against those of %d rows of %s (%s), row after row: martingale at most %.3g (p ≤ %.2g)", against.Rows, against.Data, against.On, float64(r.Martingale), r.PValue)
	if r.CrossedRow == 0 {
		fmt.Fprintf(w, ", below %d: no sign that a calibration on them does not hold\n", shift.AlarmCapital)
		return
	}
	fmt.Fprintf(w, " in row %d, above %d from row %d on: a calibration on them does not hold there\n", r.MaxRow, shift.AlarmCapital, r.CrossedRow)
}
