package study

import "sml/trainers"

// place is the position of a cell in the grid of splits, folds and seeds. A plan's file lists the places of successive
// cells that have all other settings in common.
type place struct {
	Split        string  `json:"split"`
	TestFraction float64 `json:"test_fraction,omitempty"` // fraction of the rows to hold out; 0 for the split's default
	Fold         int     `json:"fold"`                    // index of the held-out fold
	Inner        int     `json:"inner_fold,omitempty"`    // index of the inner fold; 0 without an inner cross-validation
	Seed         uint64  `json:"seed"`
	KeepPictures bool    `json:"pictures,omitempty"` // whether the cell writes the files that figures of single rows need
}

// place returns the cell's place.
func (c Cell) place() place {
	t := c.Training
	return place{
		Split:        t.Split,
		TestFraction: t.TestFraction,
		Fold:         t.Fold,
		Inner:        t.Inner.Fold,
		Seed:         t.Seed,
		KeepPictures: c.KeepPictures,
	}
}

// setPlace moves the cell to a place. The number of inner folds stays.
func (c *Cell) setPlace(p place) {
	t := &c.Training
	t.Split = p.Split
	t.TestFraction = p.TestFraction
	t.Fold = p.Fold
	t.Seed = p.Seed
	t.Inner = trainers.Inner{Folds: t.Inner.Folds, Fold: p.Inner}
	c.KeepPictures = p.KeepPictures
}
