package models

import (
	"fmt"
)

// Text is a column of texts as a network has it: so many inputs, from First on, of which
// the one of the row's category is 1 and all others are 0.
type Text struct {
	First      int `json:"first"`
	Categories int `json:"categories"`
}

// checkTexts is an error for texts that are not inputs one behind the other.
func (a Architecture) checkTexts() error {
	end := 0
	for _, t := range a.Texts {
		if t.First < end || t.Categories < 1 || t.Categories > a.Inputs-t.First {
			return fmt.Errorf("a text of %d categories from input %d on does not fit %d inputs, %d of which are those of others", t.Categories, t.First, a.Inputs, end)
		}
		end = t.First + t.Categories
	}
	return nil
}
