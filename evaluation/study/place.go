package study

import "sml/trainers"

// place is the position of a cell in the grid of splits, folds and seeds.
type place struct {
	Split        string  `json:"split"`
	Share        float64 `json:"test_share,omitempty"`
	Fold         int     `json:"fold"`
	Inner        int     `json:"inner_fold,omitempty"`
	Seed         uint64  `json:"seed"`
	KeepPictures bool    `json:"pictures,omitempty"`
}

// place returns the cell's place.
func (c Cell) place() place {
	t := c.Training
	return place{
		Split:        t.Split,
		Share:        t.TestShare,
		Fold:         t.Fold,
		Inner:        t.Inner.Fold,
		Seed:         t.Seed,
		KeepPictures: c.KeepPictures,
	}
}

// setPlace puts the cell into a place.
func (c *Cell) setPlace(at place) {
	t := &c.Training
	t.Split, t.TestShare, t.Fold, t.Seed = at.Split, at.Share, at.Fold, at.Seed
	t.Inner = trainers.Inner{Folds: t.Inner.Folds, Fold: at.Inner}
	c.KeepPictures = at.KeepPictures
}
