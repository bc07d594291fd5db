package summary

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// testRows is the number of rows of the tables in the tests.
const testRows = 400

// testColumn is a column of a test's table.
type testColumn struct {
	Name   string
	Field  data.Field
	Values []float64 // value of each row, NaN if it is missing
}

// numbers returns a column of numbers with the given value in each row.
func numbers(name string, value func(row int) float64) testColumn {
	c := testColumn{Name: name, Field: data.Field{Kind: data.Number}}
	for row := range testRows {
		c.Values = append(c.Values, value(row))
	}
	return c
}

// texts returns a column of categories with the given text in each row; "" is a missing value.
func texts(name string, text func(row int) string) testColumn {
	c := testColumn{Name: name, Field: data.Field{Kind: data.Category}}
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
func houses() (inputs []testColumn, price testColumn) {
	rng := rand.New(rand.NewPCG(1, 2))
	area := numbers("area", func(int) float64 { return math.Round(40 + 160*rng.Float64()) })
	rooms := numbers("rooms", func(row int) float64 { return math.Round(area.Values[row]/30 + rng.Float64()) })
	town := texts("town", func(row int) string { return string(rune('a' + row*row*7%11)) })
	name := texts("name", func(row int) string { return fmt.Sprintf("house %c%c", 'a'+row%20, 'a'+row/20) })
	price = numbers("price", func(row int) float64 {
		noise := math.Exp(0.1 * rng.NormFloat64())
		return math.Round(3000*area.Values[row]*(1+town.Values[row]/10)*noise) / 1000
	})
	return []testColumn{area, rooms, town, name}, price
}

// inspect returns the summary of a table.
func inspect(t *testing.T, inputs []testColumn, target testColumn) *Summary {
	t.Helper()
	table := &data.Table{Targets: []string{target.Name}, TargetFields: []data.Field{target.Field}, Y: target.Values}
	for _, c := range inputs {
		table.Columns = append(table.Columns, c.Name)
		table.Fields = append(table.Fields, c.Field)
	}
	for row := range target.Values {
		for _, c := range inputs {
			table.X = append(table.X, c.Values[row])
		}
	}
	result := expect.Must(New(context.Background(), table, testTime))
	return result
}

// leakNames returns the names of the columns of each leak, with + between the columns of one leak.
func leakNames(s *Summary) (names []string) {
	for _, found := range s.Suspicions {
		if found.Kind == LikeTarget || found.Kind == Combination {
			names = append(names, strings.Join(found.Columns, "+"))
		}
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
		leaks []testColumn
		says  string
	}{
		{"two classes", []testColumn{texts("class", func(row int) string {
			if price.Values[row] < median {
				return "cheap"
			}
			return "expensive"
		})}, "each of its 2 values is a range of the target price"},
		{"a tail", []testColumn{texts("luxury", func(row int) string {
			if price.Values[row] > 700 {
				return "yes"
			}
			return "no"
		})}, "each of its 2 values is a range of the target price"},
		{"bins with codes in disorder", []testColumn{numbers("bin", func(row int) float64 {
			bin := int(price.Values[row] / 100)
			return float64(bin * 7 % 11)
		})}, "is a range of the target price"},
		{"another unit", []testColumn{numbers("dollars", func(row int) float64 { return 1.08 * price.Values[row] })}, "nearly the target price"},
		{"a logarithm", []testColumn{numbers("log", func(row int) float64 { return math.Log(price.Values[row]) })}, "nearly a function of the target"},
		{"falling", []testColumn{numbers("rank", func(row int) float64 { return 1e6 / price.Values[row] })}, "nearly a function of the target"},
		{"rounded", []testColumn{numbers("rounded", func(row int) float64 { return math.Round(price.Values[row]) })}, "nearly the target price"},
		{"rounded coarsely", []testColumn{numbers("hundreds", func(row int) float64 { return math.Round(price.Values[row] / 100) })}, "is a range of the target price"},
		{"missing if cheap", []testColumn{numbers("tax", func(row int) float64 {
			if price.Values[row] < median {
				return math.NaN()
			}
			return noise.Float64()
		})}, "it is missing exactly in a range of the target price"},
		{"in a text", []testColumn{texts("note", func(row int) string {
			return fmt.Sprintf("%d viewings, sold for €%.0f,%03.0f", row%5, math.Floor(price.Values[row]), 1000*(price.Values[row]-math.Floor(price.Values[row])))
		})}, "a number in its texts is nearly the target price"},
		{"a sum", []testColumn{paid, numbers("owed", func(row int) float64 { return price.Values[row] - paid.Values[row] })}, "the target price is paid + owed"},
		{"a sum with missing values", []testColumn{numbers("part", func(row int) float64 {
			if row%9 == 2 {
				return math.NaN()
			}
			return paid.Values[row]
		}), numbers("rest", func(row int) float64 { return price.Values[row] - paid.Values[row] })}, "the target price is part + rest"},
		{"a difference", []testColumn{start, numbers("end", func(row int) float64 { return start.Values[row] + price.Values[row] })}, "the target price is − start + end"},
		{"a product", []testColumn{area, numbers("per_area", func(row int) float64 { return price.Values[row] / area.Values[row] })}, "proportional to area × per_area"},
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
		got := leakNames(result)
		if len(got) != 1 || got[0] != strings.Join(want, "+") || !strings.Contains(result.Suspicions[0].Says, c.says) {
			t.Errorf("%s: %q, %+v; want %q: %s", c.name, got, result.Suspicions, want, c.says)
		}
		together := result.Together[0].R2
		if c.name != "a product" && (together < 0.8 || together > 0.98) {
			t.Errorf("%s: the other columns together have R² %v", c.name, together)
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
		inputs []testColumn
		target testColumn
	}{
		{"houses", inputs, price},
		{"a strong column", []testColumn{numbers("offer", func(row int) float64 { return price.Values[row] * (1 + 0.05*noise.NormFloat64()) })}, price},
		{"kinds that differ in size", []testColumn{numbers("kind", func(row int) float64 { return float64(row % 2) })}, size},
		{"a slow drift beside a smooth target", []testColumn{numbers("drift", func(row int) float64 { return math.Sqrt(float64(row)) + 0.001*noise.Float64() })}, wave},
		{"measurements of subjects, who have one dose each", []testColumn{subject}, dose},
		{"names of subjects", []testColumn{texts("who", func(row int) string { return fmt.Sprint("s", row/10) })}, dose},
	} {
		result := inspect(t, c.inputs, c.target)
		if got := leakNames(result); got != nil {
			t.Errorf("%s: %q: %+v", c.name, got, result.Suspicions)
		}
	}
}

// A station that fails writes −200 into the target and into an input, which then would seem to predict the target.
func TestCodesPredictNothing(t *testing.T) {
	noise := rand.New(rand.NewPCG(7, 8))
	measure := func(row int) float64 {
		if row%9 == 5 {
			return -200
		}
		return math.Round(1000*noise.Float64()) / 100
	}
	result := inspect(t, []testColumn{numbers("sensor", measure)}, numbers("benzene", measure))
	if r2 := result.Columns[0].Predicts[0].R2; r2 > 0.1 {
		t.Errorf("the sensor predicts the target with R² = %v", r2)
	}
}

// Scores are computed on rows that were held out: identifiers predict nothing, and the best column comes
// near the R² that its noise allows.
func TestScores(t *testing.T) {
	inputs, price := houses()
	result := inspect(t, inputs, price)
	name := result.Columns[3].Predicts[0]
	if name.R2 > 0 {
		t.Errorf("a name has R² %v", name.R2)
	}
	noise := rand.New(rand.NewPCG(7, 8))
	x := numbers("x", func(int) float64 { return math.Round(4 * noise.Float64()) })
	code := numbers("zip", func(int) float64 { return float64(10_000 + 777*noise.IntN(30)) })
	y := numbers("y", func(row int) float64 {
		return x.Values[row] + math.Sin(code.Values[row]) + 0.5*noise.NormFloat64()
	})
	result = inspect(t, []testColumn{x, code}, y)
	// The variances of x, of the sine and of the noise are 1.375 (0 and 4 with probability ⅛, the others with ¼:
	// 2·4/8 + 2/4 = 1.5), 0.5 on average, and 0.25.
	if got := result.Columns[0].Predicts[0].R2; math.Abs(got-1.5/2.25) > 0.1 {
		t.Errorf("x has %v, want an R² near %v", got, 1.5/2.25)
	}
	if got := result.Suspicions; len(got) != 1 || got[0].Kind != Names || got[0].Columns[0] != "zip" {
		t.Errorf("suspicions are %+v, want zip as names", got)
	}
	if want := 2.0 / 2.25; math.Abs(result.Together[0].R2-want) > 0.1 {
		t.Errorf("together %v, want about %v", result.Together, want)
	}
}

// A target of classes is predicted by its indicators. A column that determines it gives it away.
func TestClasses(t *testing.T) {
	status := []string{"paid", "closed", "late", "default"}
	code := texts("status", func(row int) string { return status[row*row%13%4] })
	good := texts("good", func(row int) string {
		if slices.Contains(status[:2], status[row*row%13%4]) {
			return "yes"
		}
		return "no"
	})
	result := inspect(t, []testColumn{code}, good)
	if got := leakNames(result); !slices.Equal(got, []string{"status"}) || result.Columns[0].Predicts[0].R2 != 1 || result.Together[0].R2 != 0 {
		t.Errorf("leaks are %q, R² is %v, together %v", got, result.Columns[0].Predicts, result.Together)
	}
}

// A gap between two ranges is wider than the gaps next to it.
func TestHasGap(t *testing.T) {
	evenly := func(first, last, count int) (values []float64) {
		for i := range count {
			values = append(values, float64(first)+float64(last-first)*float64(i)/float64(count-1))
		}
		return values
	}
	for _, c := range []struct {
		name         string
		lower, upper []float64
		want         bool
	}{
		{"neighbours", evenly(0, 999, 1000), evenly(1000, 1999, 1000), false},
		{"a gap", evenly(0, 999, 1000), evenly(2000, 2999, 1000), true},
		{"few rows", evenly(0, 10, 11), evenly(11, 21, 11), false},
		{"few rows and a gap", evenly(0, 10, 11), evenly(20, 30, 11), true},
		{"whole numbers", slices.Repeat([]float64{1}, 50), append(slices.Repeat([]float64{2}, 50), 3, 4), false},
	} {
		if got := hasGap(c.lower, c.upper); got != c.want {
			t.Errorf("%s: a gap is %v", c.name, got)
		}
	}
}

// A large table is scored on a sample. The summary ends with its context.
func TestLargeTable(t *testing.T) {
	const rows, maxRows = 30_000, 10_000
	long := testColumn{Name: "y", Field: data.Field{Kind: data.Number}}
	for i := range rows {
		long.Values = append(long.Values, float64(i*i%1009))
	}
	x := long
	x.Name = "x"
	x.Values = slices.Clone(long.Values)
	slices.Reverse(x.Values)
	if result := inspect(t, []testColumn{x}, long); result.ScoredRows != maxRows || leakNames(result) != nil {
		t.Errorf("%+v", result)
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
	outputs := [][]float64{y}
	all := make([]int, 100)
	for i := range all {
		all[i] = i
	}
	slices.SortFunc(all, func(a, b int) int { return int(x[a] - x[b]) })
	if got := growTree(x, outputs, all); !slices.Equal(got, []float64{3, 7}) {
		t.Errorf("thresholds are %v", got)
	}
	if r2 := scoreNumbers(x, outputs); r2 != 1 {
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
