package export

import (
	"math"

	"sml/internal/onnx"
)

// calendar is how each part of a date is computed, of moments in seconds since 1970. All is
// in whole numbers in double precision. Source: H. Hinnant, chrono-compatible low-level
// date algorithms, civil_from_days.
func (w *writer) datePartFunctions(seconds onnx.Value, first float64) map[string]func() onnx.Value {
	floor := func(v onnx.Value) onnx.Value { return w.Unary("Floor", v) }
	over := func(v onnx.Value, n float64) onnx.Value { return floor(w.Div(v, w.Number(onnx.Double, n))) }
	rest := func(v onnx.Value, n float64) onnx.Value { return w.Sub(v, w.By(over(v, n), n)) }
	at := floor(seconds)
	days := func() onnx.Value { return over(at, 86400) }

	// civil is the year and the month, and the day of the year from 0.
	civil := func() (year, month, day onnx.Value) {
		z := w.Plus(days(), 719468) // since 1 March of year 0
		era := over(z, 146097)
		doe := w.Sub(z, w.By(era, 146097)) // day of the era of 400 years
		yoe := over(w.Sub(w.Add(w.Sub(doe, over(doe, 1460)), over(doe, 36524)), over(doe, 146096)), 365)
		since := func(y onnx.Value) onnx.Value { // days of so many years
			return w.Sub(w.Add(w.By(y, 365), over(y, 4)), over(y, 100))
		}
		doy := w.Sub(doe, since(yoe)) // from 1 March
		fromMarch := over(w.Plus(w.By(doy, 5), 2), 153)
		january := w.Compare("GreaterOrEqual", fromMarch, w.Number(onnx.Double, 10)) // or February
		month = w.Where(january, w.Plus(fromMarch, -9), w.Plus(fromMarch, 3))
		year = w.Add(w.Add(yoe, w.By(era, 400)), w.Cast(january, onnx.Double))
		before := w.Plus(year, -1)
		newYear := w.Plus(w.Add(since(before), over(before, 400)), -719162) // its days since 1970
		return year, month, w.Sub(days(), newYear)
	}
	angle := func(of onnx.Value, round float64) onnx.Value {
		return w.Div(w.By(of, 2*math.Pi), w.Number(onnx.Double, round))
	}
	ofYear := func() onnx.Value { _, _, day := civil(); return angle(day, 365.25) }
	ofWeek := func() onnx.Value { return angle(rest(w.Plus(days(), 4), 7), 7) } // 1 January 1970 was a Thursday
	sine := func(of onnx.Value) onnx.Value { return w.Unary("Sin", of) }
	cosine := func(of onnx.Value) onnx.Value { return sine(w.Plus(of, math.Pi/2)) } // ONNX Runtime has none of double precision
	return map[string]func() onnx.Value{
		"seconds":             func() onnx.Value { return w.Plus(seconds, -first) },
		"year":                func() onnx.Value { year, _, _ := civil(); return year },
		"month":               func() onnx.Value { _, month, _ := civil(); return month },
		"day of year, sine":   func() onnx.Value { return sine(ofYear()) },
		"day of year, cosine": func() onnx.Value { return cosine(ofYear()) },
		"day of week, sine":   func() onnx.Value { return sine(ofWeek()) },
		"day of week, cosine": func() onnx.Value { return cosine(ofWeek()) },
		"hour":                func() onnx.Value { return over(rest(at, 86400), 3600) },
	}
}
