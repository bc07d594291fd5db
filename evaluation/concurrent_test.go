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

// Whoever takes a sampler has it alone until it is given back, however the
// others take and give meanwhile.
func TestASamplerIsTakenByOne(t *testing.T) {
	pool := newPool(func(samplerKind) (*sampler, error) { return new(sampler), nil })
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			for range 3000 {
				err := pool.lend(samplerKind{}, func(a *sampler) error {
					return pool.lend(samplerKind{}, func(b *sampler) error {
						a.member++ // a race, if it is another's too
						b.member++
						if a == b {
							return fmt.Errorf("one sampler was taken twice")
						}
						return nil
					})
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	expect.NoError(t, group.Wait())
	sum, all := 0, pool.free[samplerKind{}]
	for _, s := range all {
		sum += s.member
	}
	if want := 8 * 3000 * 2; sum != want {
		t.Errorf("samplers were used %d times, and %d of them are counted", want, sum)
	}
	if len(all) > 16 || slices.Contains(all, nil) {
		t.Errorf("%d samplers for 8 goroutines of 2", len(all))
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

// Workers share rows, and where there are fewer rows than workers the draws of a row,
// which changes no value.
func TestWorkersShareDraws(t *testing.T) {
	for _, method := range []string{"sml", "sml-de", "bayes", "concrete", "pu"} {
		members := 1
		if method == "sml-de" {
			members = 2
		}
		m := untrained(t, method, members, nil)
		for _, rows := range []int{1, 2, 7, 40} {
			want := predict(t, m, points(rows), Sampling{Samples: 50, Seed: 2, Workers: 1})
			for _, workers := range []int{2, 5, 60} {
				p := expect.Must(NewPredictor(m, Sampling{Samples: 50, Seed: 2, Workers: workers}))
				p.minWorkPerWorker = 1
				if each, share := p.planBlocks(rows); rows == 1 && method != "pu" && (each != 1 || share != min(50, workers)) {
					t.Errorf("%s: %d rows are dealt to %d workers as %d rows with %d workers each", method, rows, workers, each, share)
				}
				got, err := p.Predict(t.Context(), data.Subset{X: points(rows)})
				p.Close()
				expect.NoError(t, err)
				if !slices.EqualFunc(got.Values, want.Values, models.Prediction.Equal) {
					t.Errorf("%s: predictions of %d rows by %d workers differ from those by one", method, rows, workers)
				}
			}
		}
	}
}
