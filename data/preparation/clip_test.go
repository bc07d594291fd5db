package preparation

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// A few values that are so far off that all others would be equal are cut off, and heavy tails stay.
func TestFitClip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func(f func() float64) []float64 {
		var values []float64
		for range 1000 {
			values = append(values, f())
		}
		return values
	}
	normal := func() float64 { return 5 + rng.NormFloat64() }
	with := func(far ...float64) []float64 { return append(draw(normal), far...) }
	rain := func(days int) []float64 { // days without rain, and fifty with it
		values := make([]float64, days)
		for range 50 {
			values = append(values, 10*rng.ExpFloat64())
		}
		return values
	}
	for name, c := range map[string]struct {
		values []float64
		rows   int
	}{
		"rain":                  {rain(950), 0},
		"rain and an outlier":   {append(rain(950), 1e9), 1},
		"normal":                {draw(normal), 0},
		"ten times as far":      {with(30), 0},
		"one of a million":      {with(1e6), 1},
		"fill values":           {with(-9e36, -9e36, 9.96921e36), 3},
		"near the largest":      {with(1e300), 1},
		"log-normal, σ = 2":     {draw(func() float64 { return math.Exp(2 * rng.NormFloat64()) }), 0},
		"indicator of a rarity": {append(make([]float64, 999), 1), 0},
		"zeros and an outlier":  {append(make([]float64, 999), 1e6), 0},
		"two values":            {[]float64{0, 1e9}, 0},
	} {
		clip := fitClip(c.values)
		if rows := 0; clip != nil {
			rows = clip.Rows
			if rows != c.rows || clip.High < 8 && c.values[0] > 8 {
				t.Errorf("%s: %+v", name, clip)
			}
		} else if c.rows != rows {
			t.Errorf("%s: nothing is cut off", name)
		}
	}
}

// A column's features are cut off in every table, unless the user declares it; missing values stay missing.
func TestClippedColumn(t *testing.T) {
	table := &data.Table{Name: "t", Columns: []string{"a", "b"}, Targets: []string{"y"}}
	for i := range 200 {
		table.X = append(table.X, float64(i%10), float64(i))
		table.Y = append(table.Y, float64(i))
	}
	table.X[2*17] = 1e9
	p := expect.Must(Fit(table, nil, Options{}))
	clip := p.Columns[0].Clip
	if clip == nil || clip.Rows != 1 || p.Columns[1].Clip != nil {
		t.Fatalf("%+v", p.Columns)
	}
	later := &data.Table{Name: "later", Columns: []string{"a", "b"}, Targets: []string{"y"}, X: []float64{-1e5, 2, 3, 1e30}, Y: []float64{1, 2}}
	prepared, _, err := p.Table(later)
	if err != nil {
		t.Fatal(err)
	}
	if x := prepared.X; x[0] != clip.Low || x[1] != 2 || x[2] != 3 || x[3] != 1e30 {
		t.Errorf("features %v", x)
	}
	if !math.IsNaN(clip.apply(math.NaN())) {
		t.Error("a missing value is a number")
	}
	p, err = Fit(table, nil, Options{Keep: []string{"a"}})
	if err != nil || p.Columns[0].Clip != nil {
		t.Errorf("a declared column: %+v, %v", p.Columns[0], err)
	}
}
