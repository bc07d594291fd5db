package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"sml/internal/statistics"
)

// extremeNumbers are numbers at which float64 ends or hardly resolves.
var extremeNumbers = []float64{
	-math.MaxFloat64, -1e308, -1e300, -1e20, -1, -1e-300, -math.SmallestNonzeroFloat64, 0,
	math.SmallestNonzeroFloat64, 1e-310, 1e-300, 1e-12, 0.3, 1, math.Nextafter(1, 2), 1 + 1e-9, 7,
	1e15, 1e15 + 1, 1e20, math.Nextafter(1e20, math.Inf(1)), 1e300, 1e308, math.Nextafter(1e308, math.Inf(1)), math.MaxFloat64,
}

// anyNumber is a float64 of any size, evenly over sizes, now and then an
// extreme, NaN or an infinity.
func anyNumber(rng *rand.Rand) float64 {
	switch rng.IntN(8) {
	case 0:
		return extremeNumbers[rng.IntN(len(extremeNumbers))]
	case 1:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
	}
	return math.Float64frombits(rng.Uint64())
}

// Ticks of any finite range are few, finite, in order, within it and told
// apart by their labels.
func TestTicksOfAnyRange(t *testing.T) {
	defer guarded()()
	check := func(low, high float64) {
		for n := 2; n < 7; n++ {
			ticks := RoundTicks(low, high, n)
			if len(ticks) == 0 || len(ticks) > 3*n+1 {
				t.Errorf("%d ticks from %v to %v: there are %d", n, low, high, len(ticks))
			}
			tolerance := 1e-8 * (high/2 - low/2)
			for i, tick := range ticks {
				if !(tick.Value >= low-tolerance && tick.Value <= high+tolerance) {
					t.Errorf("from %v to %v there is a tick at %v", low, high, tick.Value)
				}
				if i > 0 && (tick.Value <= ticks[i-1].Value || tick.Label == ticks[i-1].Label) {
					t.Errorf("from %v to %v: a tick %q at %v after %q at %v", low, high, tick.Label, tick.Value, ticks[i-1].Label, ticks[i-1].Value)
				}
				if tick.Label == "" || len(tick.Label) > 24 {
					t.Errorf("from %v to %v: label %q", low, high, tick.Label)
				}
			}
		}
		labelled := 0
		for i, tick := range decadeTicks(low, high) {
			if !(low >= 1e-300) || !(tick.Value >= low && tick.Value <= high) || i > 60 {
				t.Errorf("logarithmic from %v to %v: tick %d at %v", low, high, i, tick.Value)
			}
			if tick.Label != "" {
				labelled++
			}
		}
		if low >= 1e-300 && isWideEnough(low, high) && (labelled < 2 || labelled > 10) {
			t.Errorf("logarithmic from %v to %v: %d labels", low, high, labelled)
		}
		for _, x := range []float64{low, low/2 + high/2, high} {
			if at := (wideScale{}).Normalize(low, high, x); !(at >= 0 && at <= 1) {
				t.Errorf("%v lies at %v from %v to %v", x, at, low, high)
			}
		}
	}
	for _, low := range extremeNumbers {
		for _, high := range extremeNumbers {
			if low < high {
				check(low, high)
			}
		}
	}
	rng := rand.New(rand.NewPCG(5, 0))
	for range 5000 {
		low, high := anyNumber(rng), anyNumber(rng)
		if statistics.IsFinite(low) && statistics.IsFinite(high) && low < high {
			check(low, high)
		}
	}
}

func TestDecadeTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     func(low, high float64) []Tick
		low, high float64
		want      string // by hand
	}{
		{decadeTicks, 0.02, 30, "[0.1 1 10]"},
		{decadeTicks, 1.5, 6, "[2 5]"},
		{decadeTicks, 0.8, 4, "[1 2]"},
		{decadeTicks, 3.5, 7.5, "[4 5 6 7]"},
		{decadeTicks, 2.2, 2.9, "[2.2 2.4 2.6 2.8]"},
		{decadeTicks, 1e-9, 2e4, "[1e−09 1e−06 0.001 1 1000]"},
		{decadeTicks, 1, math.Inf(1), "[]"},
		{decadeTicks, 0, 1, "[]"},
		{symmetricTicks, -2, 30, "[0 −1 1 10]"},
		{symmetricTicks, -20, 2e4, "[0 100 10000]"},
	} {
		labels := []string{}
		for _, tick := range c.ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := fmt.Sprint(labels); got != c.want {
			t.Errorf("from %v to %v: %s; want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestLimitsOfAnyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for range 5000 {
		values := make([]float64, 1+rng.IntN(9))
		for i := range values {
			values[i] = anyNumber(rng)
		}
		for _, limits := range []func() (float64, float64){
			func() (float64, float64) { return Fences(values) },
			func() (float64, float64) { return Quantiles(values, 0.98) },
		} {
			if low, high := limits(); !statistics.IsFinite(low) || !statistics.IsFinite(high) || !(low < high) || !isWideEnough(low, high) || !statistics.IsFinite(1.1*(high-low)) {
				t.Fatalf("%v: %v to %v", values, low, high)
			}
		}
	}
}

// guarded ends a test that does not end: a loop over ticks without an end would
// take memory without end. The returned function ends the guard.
func guarded() func() bool {
	return time.AfterFunc(time.Minute, func() { panic("a figure takes more than a minute") }).Stop
}
