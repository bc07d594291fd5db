package models

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseWidths returns the widths of hidden layers in a text such as "50,50", separated by commas or
// blanks. An empty text is a linear model, without hidden layers. It returns an error for other texts
// and for widths outside Limits.Units.
func ParseWidths(text string) ([]int, error) {
	widths := []int{}
	if strings.TrimSpace(text) == "" {
		return widths, nil
	}
	for _, part := range strings.Split(text, ",") {
		part = cmp.Or(strings.TrimSpace(part), ",") // a missing width, as in "50,,50", becomes an invalid one
		for _, field := range strings.Fields(part) {
			width, err := strconv.Atoi(field)
			isOutside := errors.Is(err, strconv.ErrRange) || err == nil && !Limits.Units.Contains(float64(width))
			if isOutside {
				return nil, fmt.Errorf("a layer of %s units: want %v", field, Limits.Units)
			}
			if err != nil {
				return nil, errors.New("want widths such as 50,50")
			}
			widths = append(widths, width)
		}
	}
	return widths, nil
}
