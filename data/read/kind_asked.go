package read

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// kinds finds the columns whose kind the user says.
func (o Options) kinds(index columnIndex, header bool, c *choice) error {
	c.asked, c.dates = make(map[int]data.Kind), make(map[int]string)
	for _, of := range []struct {
		refs []string
		kind data.Kind
	}{{o.Categorical, data.Category}, {o.Numeric, data.Number}, {o.Dates, data.Date}} {
		for _, ref := range of.refs {
			i, err := index.find(ref, header)
			layout := ""
			if err != nil && of.kind == data.Date {
				if at := strings.LastIndexByte(ref, '='); at > 0 {
					layout = DateLayout(ref[at+1:])
					i, err = index.find(ref[:at], header)
				}
			}
			if err != nil {
				return err
			}
			if was := c.asked[i]; was != "" && was != of.kind {
				return fmt.Errorf("column %s is said to be %s and %s; say one of them", label(c.names, i), of.kind, was)
			}
			if c.roles[i] != "" && !slices.Contains(c.by, i) {
				err := fmt.Errorf("column %s is %s, and only an input can be said to be a %s", label(c.names, i), c.roles[i], of.kind)
				if slices.Contains(c.targets, i) {
					err = c.targetError(err)
				}
				return err
			}
			c.asked[i], c.dates[i] = of.kind, layout
		}
	}
	return nil
}
