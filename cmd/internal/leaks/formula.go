package leaks

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// term is a column of a combination with its weight: a factor in a sum, an exponent in a product.
type term struct {
	name   string
	weight float64
}

// formatSum formats a weighted sum, such as "a − 0.5 b + 24".
func formatSum(terms []term, intercept float64) string {
	var out strings.Builder
	for i, t := range terms {
		switch {
		case t.weight < 0:
			out.WriteString(" − ")
		case i > 0:
			out.WriteString(" + ")
		}
		factor := formatWeight(math.Abs(t.weight))
		if factor != "" {
			factor += " "
		}
		out.WriteString(factor + t.name)
	}
	if intercept != 0 {
		fmt.Fprintf(&out, " %s %.4g", signOf(intercept), math.Abs(intercept))
	}
	return strings.TrimSpace(out.String())
}

// signOf returns the sign that stands before a term.
func signOf(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

// formatProduct formats a product of powers, such as "a × b^2 / c", without its constant factor.
func formatProduct(terms []term, _ float64) string {
	slices.SortStableFunc(terms, func(a, b term) int { // divisors last
		return int(math.Copysign(1, b.weight)) - int(math.Copysign(1, a.weight))
	})
	out := ""
	for i, t := range terms {
		switch {
		case i == 0 && t.weight < 0:
			out = "1 / "
		case t.weight < 0:
			out += " / "
		case i > 0:
			out += " × "
		}
		out += t.name
		exponent := formatWeight(math.Abs(t.weight))
		if exponent != "" {
			out += "^" + exponent
		}
	}
	return "proportional to " + out
}

// formatWeight formats a weight, and returns "" for a weight of nearly 1.
func formatWeight(weight float64) string {
	const tolerance = 0.005
	if math.Abs(weight-1) < tolerance {
		return ""
	}
	return fmt.Sprintf("%.4g", weight)
}
