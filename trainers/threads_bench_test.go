package trainers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"sml/data"
	"sml/models"
)

// BenchmarkThreads is a step of the second-moment loss, all that there is to it, at 90
// inputs.
func BenchmarkThreads(b *testing.B) {
	const batches, inputs = 4, 90
	random := rand.New(rand.NewPCG(1, 2))
	var rows data.Subset
	for range batches * 10_000 {
		for range inputs {
			rows.X = append(rows.X, random.NormFloat64())
		}
		rows.Y = append(rows.Y, random.NormFloat64())
	}
	for _, size := range [][2]int{{50, 500}, {50, 10_000}, {256, 500}, {512, 500}, {1024, 500}} {
		width, batch := size[0], size[1]
		rows := rows
		rows.X, rows.Y = rows.X[:batches*batch*inputs], rows.Y[:batches*batch]
		for _, threads := range []int{1, 2, 4, 8, 16} {
			if threads > runtime.GOMAXPROCS(0) {
				break
			}
			b.Run(fmt.Sprintf("width %d, batch %d, %d threads", width, batch, threads), func(b *testing.B) {
				spec, err := models.NewSpec("sml", nil, models.Architecture{Inputs: inputs, Targets: 1, Hidden: []int{width, width}, Activation: "relu", Dropout: 0.1})
				if err != nil {
					b.Fatal(err)
				}
				s, err := Resolve(spec, Settings{Epochs: 1_000_000, Batch: batch, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				members, err := newMembers(spec, rows, s, Options{})
				if err != nil {
					b.Fatal(err)
				}
				m := members[0]
				defer m.close()
				if err := m.startPool(threads); err != nil {
					b.Fatal(err)
				}
				defer m.pool.Close()
				for b.Loop() {
					if err := m.runEpoch(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*batches), "µs/step")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
