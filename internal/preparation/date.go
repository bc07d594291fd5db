package preparation

import (
	"math"
	"slices"
	"time"

	"sml/internal/portable"
)

// part is a number that a date has.
type part struct {
	name string
	asIs bool // it is not standardised
	goes bool // it never comes back
	of   func(at time.Time, seconds, first float64) float64
}

// parts are those that a date can be taken apart into. What comes around again is a
// sine and a cosine, so that its end is beside its beginning.
var parts = []part{
	{"seconds", false, true, func(_ time.Time, seconds, first float64) float64 { return seconds - first }},
	{"year", false, true, func(at time.Time, _, _ float64) float64 { return float64(at.Year()) }},
	{"month", false, false, func(at time.Time, _, _ float64) float64 { return float64(at.Month()) }},
	{"day of year, sine", true, false, func(at time.Time, _, _ float64) float64 { return portable.Sin(dayOfYear(at)) }},
	{"day of year, cosine", true, false, func(at time.Time, _, _ float64) float64 { return portable.Cos(dayOfYear(at)) }},
	{"day of week, sine", true, false, func(at time.Time, _, _ float64) float64 { return portable.Sin(dayOfWeek(at)) }},
	{"day of week, cosine", true, false, func(at time.Time, _, _ float64) float64 { return portable.Cos(dayOfWeek(at)) }},
	{"hour", false, false, func(at time.Time, _, _ float64) float64 { return float64(at.Hour()) }},
}

func dayOfYear(at time.Time) float64 { return 2 * math.Pi * float64(at.YearDay()-1) / 365.25 }
func dayOfWeek(at time.Time) float64 { return 2 * math.Pi * float64(at.Weekday()) / 7 }

// fitDate finds the parts that differ between rows, of later ones those that come back.
func (c *Column) fitDate(v values, ahead bool) {
	c.First = slices.Min(v.of)
	for _, p := range parts {
		if p.goes && ahead {
			continue
		}
		first := p.of(moment(v.of[0]), v.of[0], c.First)
		if slices.ContainsFunc(v.of, func(x float64) bool { return p.of(moment(x), x, c.First) != first }) {
			c.Parts = append(c.Parts, p.name)
		}
	}
}

func moment(seconds float64) time.Time { return time.Unix(int64(math.Floor(seconds)), 0).UTC() }

// appendDate appends the parts of a date.
func (c *Column) appendDate(dst []float64, seconds float64) []float64 {
	at := moment(seconds)
	for _, p := range parts {
		if slices.Contains(c.Parts, p.name) {
			dst = append(dst, p.of(at, seconds, c.First))
		}
	}
	return dst
}

// DateParts are the names of what a date can be taken apart into, in order.
func DateParts() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}
