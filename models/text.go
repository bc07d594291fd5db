package models

import (
	"fmt"
)

// Text is a column of texts as the inputs of a network have it: one input for each category, of which
// the input of the row's category is 1 and the others are 0.
type Text struct {
	First      int `json:"first"`      // index of the first input
	Categories int `json:"categories"` // number of categories, and of inputs
}

// checkTexts returns an error unless the inputs of the texts exist, ascend and do not overlap.
func (a Architecture) checkTexts() error {
	end := 0 // of the inputs of the texts so far
	for _, t := range a.Texts {
		if t.First < end || t.Categories < 1 || t.Categories > a.Inputs-t.First {
			return fmt.Errorf("a text of %d categories from input %d on does not fit: there are %d inputs, and the texts before it end at input %d", t.Categories, t.First, a.Inputs, end)
		}
		end = t.First + t.Categories
	}
	return nil
}
