package leaks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/data"
)

// testRows is the number of rows of the tables in the tests.
const testRows = 400

// numbers returns a column of numbers with the given value in each row.
func numbers(name string, value func(row int) float64) Column {
	c := Column{Name: name, Field: data.Field{Kind: data.Number}}
	for row := range testRows {
		c.Values = append(c.Values, value(row))
	}
	return c
}

// texts returns a column of categories with the given text in each row; "" is a missing value.
func texts(name string, text func(row int) string) Column {
	c := Column{Name: name, Field: data.Field{Kind: data.Category}}
	for row := range testRows {
		if !slices.Contains(c.Field.Categories, text(row)) && text(row) != "" {
			c.Field.Categories = append(c.Field.Categories, text(row))
		}
	}
	slices.Sort(c.Field.Categories)
	for row := range testRows {
		code, isPresent := slices.BinarySearch(c.Field.Categories, text(row))
		if !isPresent {
			c.Values = append(c.Values, math.NaN())
			continue
		}
		c.Values = append(c.Values, float64(code))
	}
	return c
}

// houses returns the honest inputs and the target of a table of houses. The inputs explain most of the price,
// but not all.
func houses() (inputs []Column, price Column) {
	rng := rand.New(rand.NewPCG(1, 2))
	area := numbers("area", func(int) float64 { return math.Round(40 + 160*rng.Float64()) })
	rooms := numbers("rooms", func(row int) float64 { return math.Round(area.Values[row]/30 + rng.Float64()) })
	town := texts("town", func(row int) string { return string(rune('a' + row*row*7%11)) })
	name := texts("name", func(row int) string { return fmt.Sprintf("house %c%c", 'a'+row%20, 'a'+row/20) })
	price = numbers("price", func(row int) float64 {
		noise := math.Exp(0.1 * rng.NormFloat64())
		return math.Round(3000*area.Values[row]*(1+town.Values[row]/10)*noise) / 1000
	})
	return []Column{area, rooms, town, name}, price
}

// inspect returns the inspection of a table without known leaks.
func inspect(t *testing.T, inputs []Column, target Column) *Inspection {
	t.Helper()
	result, err := Inspect(context.Background(), Table{inputs, []Column{target}}, 0, make([]bool, len(inputs)))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// leakNames returns the names of the columns of each leak, with + between the columns of one leak.
func leakNames(result *Inspection, inputs []Column) (names []string) {
	for _, leak := range result.Leaks {
		var columns []string
		for _, i := range leak.Columns {
			columns = append(columns, inputs[i].Name)
		}
		names = append(names, strings.Join(columns, "+"))
	}
	return names
}

// Each kind of leak is found in a table of houses, and nothing else is called a leak.
func TestPlantedLeaks(t *testing.T) {
	inputs, price := houses()
	area := inputs[0]
	noise := rand.New(rand.NewPCG(3, 4))
	median := slices.Sorted(slices.Values(price.Values))[testRows/2]
	paid := numbers("paid", func(row int) float64 { return price.Values[row] * noise.Float64() })
	start := numbers("start", func(int) float64 { return 1e5 * noise.Float64() })
	for _, c := range []struct {
		name  string
		leaks []Column
		says  string
	}{
		{"two classes", []Column{texts("class", func(row int) string {
			if price.Values[row] < median {
				return "cheap"
			}
			return "expensive"
		})}, "each of its 2 values is a range of the target price"},
		{"a tail", []Column{texts("luxury", func(row int) string {
			if price.Values[row] > 700 {
				return "yes"
			}
			return "no"
		})}, "each of its 2 values is a range of the target price"},
		{"bins with codes in disorder", []Column{numbers("bin", func(row int) float64 {
			bin := int(price.Values[row] / 100)
			return float64(bin * 7 % 11)
		})}, "is a range of the target price"},
		{"another unit", []Column{numbers("dollars", func(row int) float64 { return 1.08 * price.Values[row] })}, "is a function of it"},
		{"a logarithm", []Column{numbers("log", func(row int) float64 { return math.Log(price.Values[row]) })}, "is a function of it"},
		{"falling", []Column{numbers("rank", func(row int) float64 { return 1e6 / price.Values[row] })}, "is a function of it"},
		{"rounded", []Column{numbers("rounded", func(row int) float64 { return math.Round(price.Values[row]) })}, "is a function of it"},
		{"rounded coarsely", []Column{numbers("hundreds", func(row int) float64 { return math.Round(price.Values[row] / 100) })}, "is a range of the target price"},
		{"missing if cheap", []Column{numbers("tax", func(row int) float64 {
			if price.Values[row] < median {
				return math.NaN()
			}
			return noise.Float64()
		})}, "it is missing exactly in a range of the target price"},
		{"in a text", []Column{texts("note", func(row int) string {
			return fmt.Sprintf("%d viewings, sold for €%.0f,%03.0f", row%5, math.Floor(price.Values[row]), 1000*(price.Values[row]-math.Floor(price.Values[row])))
		})}, "a number in its texts determines the target price"},
		{"a sum", []Column{paid, numbers("owed", func(row int) float64 { return price.Values[row] - paid.Values[row] })}, "the target price is paid + owed"},
		{"a sum with missing values", []Column{numbers("part", func(row int) float64 {
			if row%9 == 2 {
				return math.NaN()
			}
			return paid.Values[row]
		}), numbers("rest", func(row int) float64 { return price.Values[row] - paid.Values[row] })}, "the target price is part + rest"},
		{"a difference", []Column{start, numbers("end", func(row int) float64 { return start.Values[row] + price.Values[row] })}, "the target price is − start + end"},
		{"a product", []Column{area, numbers("per_area", func(row int) float64 { return price.Values[row] / area.Values[row] })}, "proportional to area × per_area"},
	} {
		all := append(slices.Clone(inputs[1:]), c.leaks...)
		if c.name != "a product" {
			all = append(all, area)
		}
		var want []string
		for _, leak := range c.leaks {
			want = append(want, leak.Name)
		}
		result := inspect(t, all, price)
		got := leakNames(result, all)
		if len(got) != 1 || got[0] != strings.Join(want, "+") || !strings.Contains(result.Leaks[0].Says, c.says) {
			t.Errorf("%s: %q, %+v; want %q: %s", c.name, got, result.Leaks, want, c.says)
		}
		if c.name != "a product" && (result.Together < 0.8 || result.Together > 0.98) {
			t.Errorf("%s: the other columns together have R² %v", c.name, result.Together)
		}
	}
}

// Columns that predict a target well, name things or follow the order of the rows are no leaks.
func TestHonestColumns(t *testing.T) {
	inputs, price := houses()
	noise := rand.New(rand.NewPCG(5, 6))
	wave := numbers("temperature", func(row int) float64 { return math.Sin(float64(row) / 20) })
	size := numbers("size", func(row int) float64 { return float64(row%2)*10 + noise.NormFloat64() })
	subject := numbers("weight", func(row int) float64 { return 50 + float64(row/10*row/10%37) + float64(row/10)/100 })
	dose := numbers("dose", func(row int) float64 { return float64(row / 10 * 7 % 31) })
	for _, c := range []struct {
		name   string
		inputs []Column
		target Column
	}{
		{"houses", inputs, price},
		{"a strong column", []Column{numbers("offer", func(row int) float64 { return price.Values[row] * (1 + 0.05*noise.NormFloat64()) })}, price},
		{"kinds that differ in size", []Column{numbers("kind", func(row int) float64 { return float64(row % 2) })}, size},
		{"a slow drift beside a smooth target", []Column{numbers("drift", func(row int) float64 { return math.Sqrt(float64(row)) + 0.001*noise.Float64() })}, wave},
		{"measurements of subjects, who have one dose each", []Column{subject}, dose},
		{"names of subjects", []Column{texts("who", func(row int) string { return fmt.Sprint("s", row/10) })}, dose},
	} {
		result := inspect(t, c.inputs, c.target)
		if got := leakNames(result, c.inputs); got != nil {
			t.Errorf("%s: %q: %+v", c.name, got, result.Leaks)
		}
	}
}

// Scores are computed on rows that were held out: identifiers predict nothing, and the best column comes
// near the R² that its noise allows.
func TestScores(t *testing.T) {
	inputs, price := houses()
	result := inspect(t, inputs, price)
	name := result.Inputs[3]
	if name.R2 > 0 {
		t.Errorf("a name has R² %v", name.R2)
	}
	noise := rand.New(rand.NewPCG(7, 8))
	x := numbers("x", func(int) float64 { return math.Round(4 * noise.Float64()) })
	code := numbers("zip", func(int) float64 { return float64(10_000 + 777*noise.IntN(30)) })
	y := numbers("y", func(row int) float64 {
		return x.Values[row] + math.Sin(code.Values[row]) + 0.5*noise.NormFloat64()
	})
	result = inspect(t, []Column{x, code}, y)
	// The variances of x, of the sine and of the noise are 1.375 (0 and 4 with probability ⅛, the others with ¼:
	// 2·4/8 + 2/4 = 1.5), 0.5 on average, and 0.25.
	if got := result.Inputs[0]; math.Abs(got.R2-1.5/2.25) > 0.1 || got.IsBetterAsCategory {
		t.Errorf("x has %+v, want an R² near %v", got, 1.5/2.25)
	}
	if got := result.Inputs[1]; !got.IsBetterAsCategory {
		t.Errorf("zip has %+v, want a better category", got)
	}
	if want := 2.0 / 2.25; math.Abs(result.Together-want) > 0.1 {
		t.Errorf("together %v, want about %v", result.Together, want)
	}
}

// A target of classes is predicted by its indicators. A column that determines it gives it away; known
// leaks are not reported again.
func TestClasses(t *testing.T) {
	status := []string{"paid", "closed", "late", "default"}
	code := texts("status", func(row int) string { return status[row*row%13%4] })
	good := texts("good", func(row int) string {
		if slices.Contains(status[:2], status[row*row%13%4]) {
			return "yes"
		}
		return "no"
	})
	result := inspect(t, []Column{code}, good)
	if got := leakNames(result, []Column{code}); !slices.Equal(got, []string{"status"}) || result.Together != 0 {
		t.Errorf("leaks are %q, R² together %v", got, result.Together)
	}
	known, err := Inspect(context.Background(), Table{[]Column{code}, []Column{good}}, 0, []bool{true})
	if err != nil || known.Leaks != nil || known.Inputs[0].R2 != 1 {
		t.Errorf("a known leak: %+v, %v", known, err)
	}
}

// Ranges may have a row in 500 on the wrong side, but no gap between them.
func TestCompareRanges(t *testing.T) {
	evenly := func(first, last, count int) (values []float64) {
		for i := range count {
			values = append(values, float64(first)+float64(last-first)*float64(i)/float64(count-1))
		}
		return values
	}
	for _, c := range []struct {
		name           string
		lower, upper   []float64
		ordered, dense bool
	}{
		{"neighbours", evenly(0, 999, 1000), evenly(1000, 1999, 1000), true, true},
		{"a row on the wrong side", append(evenly(0, 998, 999), 1500), evenly(1000, 1999, 1000), true, true},
		{"many rows on the wrong side", evenly(0, 1010, 1011), evenly(1000, 1999, 1000), false, false},
		{"a gap", evenly(0, 999, 1000), evenly(2000, 2999, 1000), true, false},
		{"few rows", evenly(0, 10, 11), evenly(11, 21, 11), true, true},
		{"few rows and a gap", evenly(0, 10, 11), evenly(20, 30, 11), true, false},
		{"whole numbers", slices.Repeat([]float64{1}, 50), append(slices.Repeat([]float64{2}, 50), 3, 4), true, true},
	} {
		ordered, dense := compareRanges(c.lower, c.upper)
		if ordered != c.ordered || dense != c.dense {
			t.Errorf("%s: ordered %v, dense %v", c.name, ordered, dense)
		}
	}
}

func TestLargeTable(t *testing.T) {
	long := Column{Name: "y", Field: data.Field{Kind: data.Number}}
	for i := range 3 * maxRows {
		long.Values = append(long.Values, float64(i*i%1009))
	}
	if result := inspect(t, nil, long); result.Rows != maxRows || result.Leaks != nil || result.Together != 0 {
		t.Errorf("%+v", result)
	}
	ctx, end := context.WithCancel(context.Background())
	end()
	if _, err := Inspect(ctx, Table{[]Column{long}, []Column{long}}, 0, []bool{false}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The table has two steps, at 3 and at 7, which a tree finds exactly: R² = 1, and one row in its middle.
func TestTree(t *testing.T) {
	var x, y []float64
	for i := range 100 {
		v := float64(i % 10)
		x = append(x, v)
		step := 0.0
		if v >= 3 {
			step++
		}
		if v >= 7 {
			step++
		}
		y = append(y, step)
	}
	out := &outcome{outputs: [][]float64{y}}
	all := make([]int, 100)
	for i := range all {
		all[i] = i
	}
	slices.SortFunc(all, func(a, b int) int { return int(x[a] - x[b]) })
	if got := growTree(x, out, all); !slices.Equal(got, []float64{3, 7}) {
		t.Errorf("thresholds are %v", got)
	}
	s := newSample(100, 1)
	s.rows = all
	if r2 := score(out, s, treeLearner(x, out, s)); r2 != 1 {
		t.Errorf("R² is %v", r2)
	}
	for value, want := range map[float64]int{2.9: 0, 3: 1, 7: 2, 8: 2} {
		if got := findLeaf([]float64{3, 7}, value); got != want {
			t.Errorf("%v is in leaf %d, want %d", value, got, want)
		}
	}
	if got := findLeaf([]float64{3, 7}, math.NaN()); got != 3 {
		t.Errorf("a missing value is in leaf %d", got)
	}
}

// Five rows of one category and one of another, beside a row that is held out: the mean of the first is 2. The mean
// of all six, 4, counts as another row of the second, which has too few: (14 + 4) / 2.
func TestLeafMeans(t *testing.T) {
	output := []float64{0, 1, 2, 3, 4, 14, 99}
	got := leafMeans([]int{0, 0, 0, 0, 0, 1, 1}, 2, output, 6, 7)
	if !slices.Equal(got, []float64{2, 9}) {
		t.Errorf("means are %v", got)
	}
}

func TestTextNumber(t *testing.T) {
	for _, c := range []struct {
		text     string
		position int
		want     float64
	}{
		{"sold for $450 in May", 0, 450},
		{"2 rooms, €1,250,000.50.", 1, 1250000.5},
		{"10–20", 1, 20},
		{"v1.2.3", 1, 3},
		{"lost -12.5, then 3", 0, -12.5},
		{"none", 0, math.NaN()},
		{"3 of 4", 2, math.NaN()},
	} {
		got := textNumber(c.text, c.position)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%q at %d is %v, want %v", c.text, c.position, got, c.want)
		}
	}
}
