package export

import (
	"math"
	"time"

	"sml/evaluation/export/onnx"
)

// datePartFunctions returns, by name, functions that compute a part of a date from seconds since
// 1970 of the local time. first is the earliest date of the training rows. All calculations are in whole
// numbers in double precision, except for the angles.
func (w *writer) datePartFunctions(seconds onnx.Value, first float64) map[string]func() onnx.Value {
	d := &dateWriter{writer: w, seconds: w.Unary("Floor", seconds)}
	functions := map[string]func() onnx.Value{
		"seconds":             func() onnx.Value { return w.AddNumber(seconds, -first) },
		"year":                func() onnx.Value { return d.civil().year },
		"month":               func() onnx.Value { return d.civil().month },
		"day of month":        func() onnx.Value { return d.civil().dayOfMonth },
		"day of year, sine":   func() onnx.Value { return w.Unary("Sin", d.yearAngle()) },
		"day of year, cosine": func() onnx.Value { return w.cosine(d.yearAngle()) },
		"hour":                func() onnx.Value { return w.quotient(w.remainder(d.seconds, secondsOfDay), secondsOfHour) },
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		functions["day of week, "+day.String()] = func() onnx.Value { return d.isWeekday(day) }
	}
	return functions
}

// dateWriter computes parts of dates.
type dateWriter struct {
	*writer
	seconds onnx.Value // whole seconds since 1970
}

// civilDate is a date of the Gregorian calendar.
type civilDate struct {
	year       onnx.Value
	month      onnx.Value // from 1
	dayOfMonth onnx.Value // from 1
	dayOfYear  onnx.Value // from 0
}

// Constants of the calendar. The Gregorian calendar repeats itself after an era of 400 years. Years begin
// on 1 March here, so that a leap day is the last day of its year.
const (
	daysOfEra        = 146097 // days of 400 years
	daysOfFourYears  = 1460   // days of four years without the leap day
	daysOfCentury    = 36524  // days of a century without the leap day of an era's end
	daysBefore1970   = 719468 // days from 1 March of year 0 to 1 January 1970
	newYearDays1970  = 719162 // days from 1 January of year 1 to 1 January 1970
	monthsFromMarch  = 10     // number of January, if March has the number 0
	secondsOfHour    = 3600
	secondsOfDay     = 86400
	daysOfWeek       = 7
	meanDaysOfYear   = 365.25 // mean over leap years and other years
	thursdayFromZero = 4      // number of the day 1 January 1970, a Thursday, if Sunday has the number 0
)

// days returns the days since 1970.
func (d *dateWriter) days() onnx.Value { return d.quotient(d.seconds, secondsOfDay) }

// civil returns the calendar date. In its years, which begin on 1 March, a month has 30.6 days on average,
// ⌊(5·day + 2)/153⌋ is the month of a day, and ⌊(153·month + 2)/5⌋ the first day of a month.
//
// Source: H. Hinnant, chrono-compatible low-level date algorithms, civil_from_days.
func (d *dateWriter) civil() civilDate {
	daysSinceYear0 := d.AddNumber(d.days(), daysBefore1970)
	era := d.quotient(daysSinceYear0, daysOfEra)
	dayOfEra := d.Sub(daysSinceYear0, d.Scale(era, daysOfEra))
	// A day's number among days without leap days: minus a leap day every four years, plus one every
	// century, minus one every era.
	withoutLeapDays := d.Sub(
		d.Add(d.Sub(dayOfEra, d.quotient(dayOfEra, daysOfFourYears)), d.quotient(dayOfEra, daysOfCentury)),
		d.quotient(dayOfEra, daysOfEra-1))
	yearOfEra := d.quotient(withoutLeapDays, 365)
	dayFromMarch := d.Sub(dayOfEra, d.daysOfYears(yearOfEra))
	monthFromMarch := d.quotient(d.AddNumber(d.Scale(dayFromMarch, 5), 2), 153)
	firstOfMonth := d.quotient(d.AddNumber(d.Scale(monthFromMarch, 153), 2), 5)
	dayOfMonth := d.AddNumber(d.Sub(dayFromMarch, firstOfMonth), 1)
	isNextYear := d.Compare("GreaterOrEqual", monthFromMarch, d.Number(onnx.Double, monthsFromMarch)) // January or February
	month := d.Where(isNextYear, d.AddNumber(monthFromMarch, -9), d.AddNumber(monthFromMarch, 3))
	year := d.Add(d.Add(yearOfEra, d.Scale(era, 400)), d.Cast(isNextYear, onnx.Double))
	yearBefore := d.AddNumber(year, -1)
	newYear := d.AddNumber(d.Add(d.daysOfYears(yearBefore), d.quotient(yearBefore, 400)), -newYearDays1970) // days since 1970
	return civilDate{year: year, month: month, dayOfMonth: dayOfMonth, dayOfYear: d.Sub(d.days(), newYear)}
}

// daysOfYears returns the number of days of the given number of years from the start of an era, without
// the leap day at the era's end.
func (d *dateWriter) daysOfYears(years onnx.Value) onnx.Value {
	return d.Sub(d.Add(d.Scale(years, 365), d.quotient(years, 4)), d.quotient(years, 100))
}

// yearAngle returns the day of the year as an angle in radians.
func (d *dateWriter) yearAngle() onnx.Value {
	return d.Div(d.Scale(d.civil().dayOfYear, 2*math.Pi), d.Number(onnx.Double, meanDaysOfYear))
}

// isWeekday returns 1 on this day of the week, and 0 on all other days.
func (d *dateWriter) isWeekday(day time.Weekday) onnx.Value {
	weekday := d.remainder(d.AddNumber(d.days(), thursdayFromZero), daysOfWeek) // 0 on Sundays
	return d.Cast(d.Compare("Equal", weekday, d.Number(onnx.Double, float64(day))), onnx.Double)
}

// quotient returns ⌊v/n⌋.
func (w *writer) quotient(v onnx.Value, n float64) onnx.Value {
	return w.Unary("Floor", w.Div(v, w.Number(onnx.Double, n)))
}

// remainder returns v − n·⌊v/n⌋.
func (w *writer) remainder(v onnx.Value, n float64) onnx.Value {
	return w.Sub(v, w.Scale(w.quotient(v, n), n))
}

// cosine returns cos v as sin(v + π/2), since ONNX Runtime lacks the cosine in double precision.
func (w *writer) cosine(v onnx.Value) onnx.Value { return w.Unary("Sin", w.AddNumber(v, math.Pi/2)) }
