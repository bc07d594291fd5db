package preparation

import (
	"math"
	"slices"
	"time"

	"sml/internal/portable"
)

// date is a date of a column, from which parts are computed.
type date struct {
	time         time.Time // in UTC, without fractions of a second
	seconds      float64   // since 1970
	firstSeconds float64   // earliest date of the training rows, in seconds since 1970
}

// datePart is a feature of dates, such as the month.
type datePart struct {
	name        string
	skipScaling bool // the feature is not standardised, since it is between −1 and 1
	growing     bool // later dates have larger values without end; the values of other parts repeat
	value       func(d date) float64
}

// secondsPart is the only part that depends on the first date of the training rows.
const secondsPart = "seconds"

// dateParts lists all parts, in the order of their features. The day of the year is given as the
// sine and cosine of an angle, so that 31 December is close to 1 January. The days of the week
// have an indicator each, since neighbouring days such as Friday and Saturday often differ.
var dateParts = slices.Concat(calendarParts, weekdayParts(), []datePart{
	{
		name:  "hour",
		value: func(d date) float64 { return float64(d.time.Hour()) },
	},
})

// calendarParts are the parts of a date from its second to its day of the year.
var calendarParts = []datePart{
	{
		name:    secondsPart,
		growing: true,
		value:   func(d date) float64 { return d.seconds - d.firstSeconds },
	},
	{
		name:    "year",
		growing: true,
		value:   func(d date) float64 { return float64(d.time.Year()) },
	},
	{
		name:  "month",
		value: func(d date) float64 { return float64(d.time.Month()) },
	},
	{
		name:  "day of month", // with the month it finds holidays
		value: func(d date) float64 { return float64(d.time.Day()) },
	},
	{
		name:        "day of year, sine",
		skipScaling: true,
		value:       func(d date) float64 { return portable.Sin(yearAngle(d.time)) },
	},
	{
		name:        "day of year, cosine",
		skipScaling: true,
		value:       func(d date) float64 { return portable.Cos(yearAngle(d.time)) },
	},
}

// weekdayParts returns an indicator for each day of the week.
func weekdayParts() []datePart {
	var parts []datePart
	for day := time.Sunday; day <= time.Saturday; day++ {
		parts = append(parts, datePart{
			name:        "day of week, " + day.String(),
			skipScaling: true,
			value:       func(d date) float64 { return indicator(d.time.Weekday() == day) },
		})
	}
	return parts
}

// yearAngle returns the day of the year as an angle in radians, from 0 on 1 January; a mean year is 2π.
func yearAngle(t time.Time) float64 {
	const daysPerYear = 365.25 // mean, with leap years
	return 2 * math.Pi * float64(t.YearDay()-1) / daysPerYear
}

// date returns the date of the column for a number of seconds since 1970, which is a value of the column.
func (c *Column) date(seconds float64) date {
	return date{
		time:         time.Unix(int64(math.Floor(seconds)), 0).UTC(),
		seconds:      seconds,
		firstSeconds: c.FirstDate,
	}
}

// fitDate sets FirstDate, and sets DateParts to the parts that differ between the training
// rows v. It leaves out growing parts if predictsFuture is set: in the rows to predict, they would
// be larger than everything that the network was trained on.
func (c *Column) fitDate(v columnValues, predictsFuture bool) {
	c.FirstDate = slices.Min(v.present)
	for _, part := range dateParts {
		if part.growing && predictsFuture {
			continue
		}
		firstValue := part.value(c.date(v.present[0]))
		differs := func(seconds float64) bool { return part.value(c.date(seconds)) != firstValue }
		if slices.ContainsFunc(v.present, differs) { // a constant feature tells nothing
			c.DateParts = append(c.DateParts, part.name)
		}
	}
}

// appendDate appends the features of a date, given in seconds since 1970, to dst: its parts in DateParts.
func (c *Column) appendDate(dst []float64, seconds float64) []float64 {
	d := c.date(seconds)
	for _, part := range dateParts {
		if slices.Contains(c.DateParts, part.name) {
			dst = append(dst, part.value(d))
		}
	}
	return dst
}

// DatePartNames returns the names of all parts of a date that can be features, in the order
// of the features.
func DatePartNames() []string {
	var names []string
	for _, part := range dateParts {
		names = append(names, part.name)
	}
	return names
}
