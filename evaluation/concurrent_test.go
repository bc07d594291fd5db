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
// network of plain Gorgonia functions and with predictions at the same time over
// one model: no two goroutines share a runner. Run with -race.
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
		var group errgroup.Group
		for k := range 2 {
			group.Go(func() error {
				p := predict(t, m, x, s)
				for i, v := range p.Values {
					if !v.Equal(want.Values[i]) {
						return fmt.Errorf("prediction %d: row %d is %+v, and %+v by one worker", k, i, v, want.Values[i])
					}
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Errorf("%s on %s: %v", c.method, c.engine, err)
		}
	}
}

// One predictor answers several goroutines, each with whatever number of rows.
func TestOnePredictorForAll(t *testing.T) {
	m := untrained(t, "sml", 1, nil)
	const n = 40
	want := predict(t, m, points(n), Sampling{Samples: 7}).Values
	p := expect.Must(NewPredictor(m, Sampling{Samples: 7}))
	defer p.Close()
	var group errgroup.Group
	for k := range 8 {
		group.Go(func() error {
			for i := range 20 {
				rows := 1 + (7*k+i)%n
				found, err := p.Predict(t.Context(), data.Subset{X: points(rows)})
				if err != nil {
					return err
				}
				if !slices.EqualFunc(found.Values, want[:rows], models.Prediction.Equal) {
					return fmt.Errorf("%d rows: predictions differ from those by one goroutine", rows)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}
