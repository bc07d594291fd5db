package trainers_test

import (
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	_ "sml/examples/plain"
	"sml/graph"
	"sml/trainers"
)

// Members that train at the same time give the bytes of members that train one
// after another, on either engine, also with a network and an objective of plain
// Gorgonia functions; and so do trainings at the same time. Run with -race.
func TestTrainingsAtTheSameTime(t *testing.T) {
	for _, engine := range graph.Engines() {
		for _, method := range []string{"plain-de", "pu-de"} {
			s := trainers.Settings{Epochs: 2, Batch: 16, Protocol: "sound", Validation: 0.2, Members: 3, Seed: 6, Engine: engine}
			want := train(t, method, s, trainers.Options{Workers: 1})
			var group errgroup.Group
			for k := range 2 {
				group.Go(func() error {
					r, err := trainers.Train(t.Context(), specOf(t, method), wave(50), s, trainers.Options{Workers: 3})
					if err == nil && !equal(r, want) {
						err = fmt.Errorf("training %d gave other bytes than one worker", k)
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Errorf("%s, %s engine: %v", method, engine, err)
			}
		}
	}
}
