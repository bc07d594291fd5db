package evaluation

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"sml/data"
	_ "sml/examples/plain"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// Thousands of rows give the same numbers whatever the workers, also with a
// network of plain Gorgonia functions and with predictions of different numbers of rows at the
// same time by one predictor: no two goroutines share a runner. Run with -race.
func TestPredictionsAtTheSameTime(t *testing.T) {
	for _, c := range []struct {
		method  string
		members int
		rows    int
		engine  graph.Engine
	}{
		{"plain-de", 3, 6*maxBlockRows + 17, graph.Compiled}, {"sml", 1, 20 * maxBlockRows, graph.Compiled}, {"pu-de", 5, 30*maxBlockRows + 3, graph.Compiled},
		{"plain", 1, 2*maxBlockRows + 3, graph.Tape},
	} {
		m := untrained(t, c.method, c.members, func(a *models.Architecture) { a.Hidden = []int{5} })
		x := points(c.rows)
		s := Sampling{Samples: 3, Seed: 4, Workers: 1, Engine: c.engine}
		want := predict(t, m, x, s)
		s.Workers = 8
		p := expect.Must(NewPredictor(m, s))
		var group errgroup.Group
		for _, rows := range []int{c.rows, c.rows, 1, 2, 7, 40} {
			group.Go(func() error {
				found, err := p.Predict(t.Context(), data.Subset{X: x[:2*rows]})
				if err == nil && !slices.EqualFunc(found.Values, want.Values[:rows], models.Prediction.Equal) {
					return fmt.Errorf("predictions of %d rows differ from those by one worker", rows)
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Errorf("%s on %s: %v", c.method, c.engine, err)
		}
		p.Close()
	}
}
