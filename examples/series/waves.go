package main

import (
	"context"

	"sml/data"
	"sml/internal/portable"
)

func init() {
	data.Register(data.Dataset{
		Name: "waves", Rows: 500, Features: 2, Target: "next", Meaning: "two waves, a step ahead of what is known of them", Source: "made",
		Make: func(context.Context, uint64) (*data.Table, error) {
			t := &data.Table{Columns: []string{"now", "before"}, Targets: []string{"next"}}
			wave := func(i int) float64 { return portable.Sin(0.1*float64(i)) + portable.Sin(0.031*float64(i)) }
			for i := range 500 {
				t.X = append(t.X, wave(i), wave(i-1))
				t.Y = append(t.Y, wave(i+1))
			}
			return t, nil
		},
	})
}
