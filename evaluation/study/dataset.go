package study

import (
	"context"

	"golang.org/x/sync/errgroup"

	"sml/data"
)

// dataset is a table as the cells of a study share it, and what they need to
// know of it.
type dataset struct {
	table *data.Table
	cuts  map[cutName]*cut
}

// cutName is what the rows of a cell depend on.
type cutName struct {
	split    string
	fold     int
	protocol data.Protocol
	seed     uint64
}

func (c Cell) cutName() cutName { return cutName{c.Split, c.Fold, c.Protocol, c.Settings.Seed} }

// cut is one fold of a split.
type cut struct {
	test []int       // its rows; all others train
	x, y data.Scaler // of the training rows
	err  error       // why there is no such fold
}

// prepare finds out what the cells need of a table, so many at the same time.
func prepare(ctx context.Context, t *data.Table, cells []Cell, jobs int) (*dataset, error) {
	d := &dataset{table: t, cuts: make(map[cutName]*cut)}
	var group errgroup.Group
	group.SetLimit(jobs)
	for _, c := range cells {
		name := c.cutName()
		if d.cuts[name] != nil {
			continue
		}
		found := new(cut)
		d.cuts[name] = found
		group.Go(func() error {
			found.err = guarded(func() error {
				split, err := t.Split(ctx, name.split, name.fold, name.protocol, name.seed)
				if err != nil {
					return err
				}
				found.test = split.Test
				found.x = data.FitScaler(t.X, len(t.Columns), split.Train)
				found.y = data.FitScaler(t.Y, len(t.Targets), split.Train)
				return nil
			})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return d, nil
}

// train lists the rows that a cut trains on.
func (d *dataset) train(c *cut) []int {
	tested := make([]bool, d.table.Rows())
	for _, r := range c.test {
		tested[r] = true
	}
	rows := make([]int, 0, len(tested)-len(c.test))
	for r, t := range tested {
		if !t {
			rows = append(rows, r)
		}
	}
	return rows
}
