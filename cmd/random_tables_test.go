package cmd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// A randomTable has columns of every kind that people's tables have. Its last column is the target.
type randomTable struct {
	columns []randomColumn
	rows    int
	classes bool // the target is a class
	comma   bool // texts of numbers have decimal commas
}

// randomColumn is a column of a randomTable. A cell is nil if it is missing, or a float64, an int64, a bool, a string, a
// day, a moment, a stamp, a clock, a percentage, a truth or a decimal.
type randomColumn struct {
	name        string
	cells       []any
	categorical bool // declared a category
}

type day struct{ time.Time }

// moment is a day with a time, in UTC. It is written with Z if it is zoned.
type moment struct {
	time.Time
	zoned bool
}

// stamp is a moment of whole seconds as a text, which each program writes in its own way.
type stamp struct{ time.Time }

// truth is a truth value as a word, which each program writes in its own way.
type truth bool

// decimal is a number as a text, with a decimal comma.
type decimal float64

// clock is a time of day, since midnight.
type clock time.Duration

// percentage is a fraction that is shown as a percentage.
type percentage float64

// newRandomTable returns the table of a seed.
func newRandomTable(seed uint64) randomTable {
	r := rand.New(rand.NewPCG(seed, 44))
	t := randomTable{rows: 8 + r.IntN(40), classes: r.IntN(5) == 0}
	for i := range 2 + r.IntN(5) {
		c := columnKinds[r.IntN(len(columnKinds))](r, t.rows)
		c.name = fmt.Sprintf("c%d%s", i, []string{"", " kg", "_é", " größe (m)", "."}[r.IntN(5)])
		if i > 0 {
			c.dropCells(r)
		}
		t.columns = append(t.columns, c)
		_, isDecimal := c.cells[0].(decimal)
		t.comma = t.comma || isDecimal
	}
	target := numberColumn(r, t.rows)
	if t.classes {
		target = classKinds[r.IntN(len(classKinds))](r, t.rows)
	}
	target.name = "y"
	target.dropCells(r) // their rows are left out
	t.columns = append(t.columns, target)
	return t
}

// dropCells makes some cells of the column missing, in one of three columns. A row does not miss all: a workbook lacks
// such rows.
func (c *randomColumn) dropCells(r *rand.Rand) {
	if r.IntN(3) > 0 {
		return
	}
	for i := range c.cells {
		if r.IntN(6) == 0 {
			c.cells[i] = nil
		}
	}
}

var columnKinds = []func(r *rand.Rand, rows int) randomColumn{
	numberColumn, wholeColumn, booleanColumn, textsColumn, codeColumn, numberedCategories, longNumbers,
	dayColumn, momentColumn, offsetColumn, clockColumn, percentageColumn, unitColumn, numbersWithOddCells, mixedColumn,
	namesOfDigits, truthColumn, stampColumn, decimalColumn,
}

var classKinds = []func(r *rand.Rand, rows int) randomColumn{booleanColumn, textsColumn, wholeColumn, codeColumn}

// fill returns a column of random cells.
func fill(rows int, cell func(i int) any) (c randomColumn) {
	for i := range rows {
		c.cells = append(c.cells, cell(i))
	}
	return c
}

func numberColumn(r *rand.Rand, rows int) randomColumn {
	scale := math.Pow(10, float64(r.IntN(30)-12))
	return fill(rows, func(int) any { return r.NormFloat64() * scale })
}

func wholeColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(int) any { return int64(r.IntN(12) - 3) })
}

func booleanColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(i int) any { return i == 0 || i > 1 && r.IntN(2) == 0 })
}

// textsColumn has texts that CSV, JSON and XML write in ways of their own.
func textsColumn(r *rand.Rand, rows int) randomColumn {
	texts := []string{
		"Zürich", "São Paulo", "naïve", "a, b", `say "no"`, "two\nlines", "semi;colon", "tab\there", "<b>&amp;", "'quoted", "=1+1",
		"日本", "🙂", "Yes", "back\\slash", "#hash", "10 km", "A", "a", "ﬁne",
	}
	r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	n := 2 + r.IntN(6)
	return fill(rows, func(i int) any {
		if i < n {
			return texts[i]
		}
		return texts[r.IntN(n)]
	})
}

// codeColumn has texts that look like numbers.
func codeColumn(r *rand.Rand, rows int) randomColumn {
	codes := [][]string{{"007", "07", "12"}, {"01234", "99999"}, {"1.10", "1.1", "2.0"}, {"1", "1.0", "1e0", "2"}, {"00", "0", "000"}}[r.IntN(5)]
	c := fill(rows, func(int) any { return codes[r.IntN(len(codes))] })
	c.categorical = r.IntN(3) > 0
	return c
}

// numberedCategories are whole numbers that are declared categories, perhaps stored as floating-point numbers.
func numberedCategories(r *rand.Rand, rows int) randomColumn {
	isFloat := r.IntN(2) == 0
	c := fill(rows, func(int) any {
		if isFloat {
			return float64(r.IntN(5))
		}
		return int64(r.IntN(5))
	})
	c.categorical = true
	return c
}

// longNumbers are whole numbers of which float64 has some.
func longNumbers(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(i int) any {
		n := int64(1)<<53 + int64(r.IntN(4)) - 1
		if r.IntN(8) == 0 {
			n = int64(r.IntN(100))
		}
		return n
	})
}

func randomDay(r *rand.Rand) time.Time {
	return time.Date(1990+r.IntN(60), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
}

func dayColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(int) any { return day{randomDay(r)} })
}

// momentColumn has times of whole minutes, seconds or milliseconds, or midnights alone.
func momentColumn(r *rand.Rand, rows int) randomColumn {
	unit := []time.Duration{24 * time.Hour, time.Minute, time.Second, time.Millisecond}[r.IntN(4)]
	zoned := r.IntN(3) == 0
	return fill(rows, func(int) any {
		at := randomDay(r)
		if r.IntN(8) > 0 {
			at = at.Add(time.Duration(r.Int64N(int64(24 * time.Hour)))).Truncate(unit)
		}
		return moment{at, zoned}
	})
}

// offsetColumn has time stamps as texts with the offsets of local clocks, which no other type keeps.
func offsetColumn(r *rand.Rand, rows int) randomColumn {
	layout := []string{"2006-01-02 15:04:05-07", "2006-01-02T15:04:05-07:00", "2006-01-02 15:04:05 -0700", "2 Jan 2006 15:04:05 -0700"}[r.IntN(4)]
	return fill(rows, func(int) any {
		zone := time.FixedZone("", 3600*(r.IntN(20)-9))
		return randomDay(r).Add(time.Duration(r.IntN(86400)) * time.Second).In(zone).Format(layout)
	})
}

// clockColumn has times after midnight, of whole minutes, seconds or milliseconds.
func clockColumn(r *rand.Rand, rows int) randomColumn {
	unit := []time.Duration{time.Minute, time.Second, time.Millisecond}[r.IntN(3)]
	return fill(rows, func(int) any { return clock(time.Duration(r.Int64N(int64(23*time.Hour))).Truncate(unit) + unit) })
}

func percentageColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(int) any { return percentage(r.IntN(1000)) / 1024 })
}

// unitColumn has numbers with a unit as texts.
func unitColumn(r *rand.Rand, rows int) randomColumn {
	format := []string{"%v km", "$%v", "%v °C", "%vkg"}[r.IntN(4)]
	return fill(rows, func(int) any { return fmt.Sprintf(format, float64(r.IntN(200))/4) })
}

// numbersWithOddCells has numbers and a few texts.
func numbersWithOddCells(r *rand.Rand, rows int) randomColumn {
	odd := []any{"unknown", "1,000", "n/a", "-", "Infinity", "1.2.3", "12 34", "0x1F", "nan", true, "5%", "2024-01-01"}
	isWhole, rarity := r.IntN(2) == 0, 2+r.IntN(30)
	first, second := odd[r.IntN(len(odd))], odd[r.IntN(len(odd))]
	return fill(rows, func(i int) any {
		switch {
		case i > 0 && r.IntN(rarity) == 0:
			return []any{first, first, second}[r.IntN(3)]
		case isWhole:
			return int64(r.IntN(9))
		}
		return float64(r.IntN(2000)) / 8
	})
}

// mixedColumn has values of several types beside texts, as columns of objects have in Python.
func mixedColumn(r *rand.Rand, rows int) randomColumn {
	values := [][]any{
		{true, false, "maybe"}, {int64(1), int64(2), "many"}, {1.0, 2.5, "many", "few"}, {int64(0), int64(1), true}, {true, int64(3), "x"},
		{day{time.Date(2024, 1, 5, 0, 0, 0, 0, time.UTC)}, day{time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}, "soon"},
	}[r.IntN(6)]
	c := fill(rows, func(int) any { return values[r.IntN(len(values))] })
	c.categorical = r.IntN(2) == 0
	return c
}

// namesOfDigits has codes of digits and signs, which are no numbers.
func namesOfDigits(r *rand.Rand, rows int) randomColumn {
	codes := [][]string{
		{"10.0.1.1", "192.168.100.100", "8.8.8.8"}, {"1.2.0", "1.10.3", "2.0.1-beta"}, {"0x1F", "0x2A", "0b11"},
		{"+49 30 1234", "030 123 456", "(030) 1234"}, {"[1, 2]", "12 34", "3.14.15", "7"}, {"1.2.0", "1.2", "2.0", "3"},
	}[r.IntN(6)]
	return fill(rows, func(int) any { return codes[r.IntN(len(codes))] })
}

func truthColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(i int) any { return truth(i == 0 || i > 1 && r.IntN(2) == 0) })
}

func stampColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(int) any { return stamp{randomDay(r).Add(time.Duration(1+r.IntN(86399)) * time.Second)} })
}

// decimalColumn has numbers of which most prove the decimal comma.
func decimalColumn(r *rand.Rand, rows int) randomColumn {
	return fill(rows, func(int) any { return decimal(r.IntN(4000)-2000) / 4 })
}
