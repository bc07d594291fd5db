package models

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseWidths reads the widths of hidden layers such as 50,50, with commas or blanks
// between; nothing is a linear model.
func ParseWidths(text string) ([]int, error) {
	list := []int{}
	if strings.TrimSpace(text) == "" {
		return list, nil
	}
	for _, part := range strings.Split(text, ",") {
		part = cmp.Or(strings.TrimSpace(part), ",") // two commas, or one at an end: no width
		for _, field := range strings.Fields(part) {
			n, err := strconv.Atoi(field)
			if errors.Is(err, strconv.ErrRange) || err == nil && !Limits.Units.Has(float64(n)) {
				return nil, fmt.Errorf("a layer of %s units: want %v", field, Limits.Units)
			}
			if err != nil {
				return nil, errors.New("want widths such as 50,50")
			}
			list = append(list, n)
		}
	}
	return list, nil
}
