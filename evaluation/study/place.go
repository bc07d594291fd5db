package study

import (
	"sml/data/split"
	"sml/trainers"
)

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
	return place{t.Split, t.TestFraction, t.Fold, t.Inner.Fold, t.Seed, c.KeepPictures}
}

// setPlace moves the cell to a place. The number of inner folds stays.
func (c *Cell) setPlace(p place) {
	t := &c.Training
	t.Split, t.TestFraction, t.Fold, t.Seed = p.Split, p.TestFraction, p.Fold, p.Seed
	t.Inner = trainers.Inner{Folds: t.Inner.Folds, Fold: p.Inner}
	c.KeepPictures = p.KeepPictures
}

// innerPlaces returns a place with each of the inner folds, or the place itself without an inner cross-validation.
func (p place) innerPlaces(folds int) []place {
	places := []place{p}
	for p.Inner = 1; p.Inner < folds; p.Inner++ {
		places = append(places, p)
	}
	return places
}

// splitKind returns the kind of split of that name. It returns the zero value for an unknown
// name, which checked configurations and plans do not have.
func splitKind(name string) split.Kind {
	kind, _ := split.Lookup(name)
	return kind
}
