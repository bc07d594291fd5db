package preparation

import (
	"fmt"
	"slices"
)

// SameUnits returns an error that says what differs if targets, or features of one
// name, do not mean the same under two preparations. Nil are columns as they are.
func SameUnits(p, q *Preparation) error {
	if p == nil {
		p = new(Preparation)
	}
	if q == nil {
		q = new(Preparation)
	}
	for i := range max(len(p.Targets), len(q.Targets)) {
		own, other := through(p.Targets, i), through(q.Targets, i)
		switch {
		case own.Name != other.Name:
			return fmt.Errorf("target %d is %s, and %s", i+1, own.say(), other.say())
		case !slices.Equal(own.Knots, other.Knots):
			return fmt.Errorf("target %d is put through the %s of other rows", i+1, own.Name)
		}
	}
	for _, c := range p.Columns {
		i := slices.IndexFunc(q.Columns, func(other Column) bool { return other.Name == c.Name })
		switch {
		case i < 0:
		case c.Ordered && q.Columns[i].Ordered && !slices.Equal(c.Levels, q.Columns[i].Levels):
			return fmt.Errorf("the levels of %q are %q, and %q", c.Name, c.Levels, q.Columns[i].Levels)
		case slices.Contains(c.Parts, parts[0].name) && slices.Contains(q.Columns[i].Parts, parts[0].name) && c.First != q.Columns[i].First:
			return fmt.Errorf("the dates of %q are counted from another day", c.Name)
		}
	}
	return nil
}

func through(list []Transform, i int) Transform {
	if i < len(list) {
		return list[i]
	}
	return Transform{}
}

func (t Transform) say() string {
	if t.Name == "" {
		return "as it is"
	}
	return "put through " + t.Name
}
