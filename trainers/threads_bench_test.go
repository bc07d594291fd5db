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
// inputs and batches of 500.
func BenchmarkThreads(b *testing.B) {
	const batches, batch, inputs = 4, 500, 90
	random := rand.New(rand.NewPCG(1, 2))
	var rows data.Subset
	for range batches * batch {
		for range inputs {
			rows.X = append(rows.X, random.NormFloat64())
		}
		rows.Y = append(rows.Y, random.NormFloat64())
	}
	for _, width := range []int{50, 256, 512, 1024} {
		for _, threads := range []int{1, 2, 4, 8, 16} {
			if threads > runtime.GOMAXPROCS(0) {
				break
			}
			b.Run(fmt.Sprintf("width %d, %d threads", width, threads), func(b *testing.B) {
				spec, err := models.NewSpec("sml", nil, models.Architecture{Inputs: inputs, Targets: 1, Hidden: []int{width, width}, Activation: "relu", Dropout: 0.1})
				if err != nil {
					b.Fatal(err)
				}
				s, err := Resolve(spec, Settings{Epochs: 1_000_000, Batch: batch, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				members, err := prepare(spec, rows, s, Options{})
				if err != nil {
					b.Fatal(err)
				}
				m := members[0]
				defer m.close()
				if err := m.share(threads); err != nil {
					b.Fatal(err)
				}
				defer m.pool.Close()
				for b.Loop() {
					if err := m.epoch(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*batches), "µs/step")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
