package preparation

import (
	"fmt"
	"strings"
)

// ParseOrder reads a column and its levels, the lowest first, such as
// "cut=Fair,Good,Ideal".
func ParseOrder(text string) (Order, error) {
	i := strings.Index(text, "=")
	if i < 1 {
		return Order{}, fmt.Errorf("%q: want a column and its levels, such as cut=Fair,Good,Ideal", text)
	}
	order := Order{Column: text[:i]}
	for l := range strings.SplitSeq(text[i+1:], ",") {
		order.Levels = append(order.Levels, strings.TrimSpace(l))
	}
	return order, nil
}
