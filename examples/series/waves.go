package main

import (
	"context"

	"sml/data"
	"sml/internal/portable"
)

// wavesRows is the number of rows of the data set "waves".
const wavesRows = 500

// init registers the data set "waves", a series as a table: a row has the values at two successive times as
// inputs, and the value at the next time as the target.
func init() {
	data.Register(data.Dataset{
		Name:     "waves",
		Rows:     wavesRows,
		Features: 2,
		Target:   "next",
		Meaning:  "two waves, added up, one step ahead",
		Source:   "made",
		Make:     makeWaves,
	})
}

// makeWaves returns the table. It is the same for every seed, as nothing is random.
func makeWaves(context.Context, uint64) (*data.Table, error) {
	t := &data.Table{Columns: []string{"now", "before"}, Targets: []string{"next"}}
	for time := range wavesRows {
		t.X = append(t.X, wave(time), wave(time-1))
		t.Y = append(t.Y, wave(time+1))
	}
	return t, nil
}

// wave returns the value of the series at a time. portable.Sin has the same bits on every CPU; where that
// does not matter, math.Sin will do.
func wave(time int) float64 {
	return portable.Sin(0.1*float64(time)) + portable.Sin(0.031*float64(time))
}
