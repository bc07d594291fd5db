package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// roundTicks are labelled ticks at multiples of 1, 2 or 5 times a power of
// ten, that many or a few more. (plot.DefaultTicks labels two or three, at
// times with odd numbers.)
type roundTicks int

func (n roundTicks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) || math.IsInf(high-low, 0) {
		return nil
	}
	const tolerance = 1e-9 // of a step
	exponent := math.Ceil(math.Log10(high - low))
	step := math.Pow(10, exponent)
	for i := 0; math.Floor(high/step+tolerance)-math.Ceil(low/step-tolerance)+1 < float64(n); i++ {
		step = []float64{5, 2, 1}[i%3] * math.Pow(10, exponent-1-float64(i/3))
	}
	decimals := max(0, -int(math.Floor(math.Log10(step*1.0001))))
	var ticks []plot.Tick
	for k := math.Ceil(low/step - tolerance); k*step <= high+tolerance*step; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: tickLabel(k*step, decimals)})
	}
	return ticks
}

func tickLabel(value float64, decimals int) string {
	format := byte('f')
	if size := math.Abs(value); size >= 1e5 || decimals > 4 {
		format, decimals = 'g', 3
	}
	text := strconv.FormatFloat(value, format, decimals, 64)
	if value == 0 {
		text = "0"
	}
	return strings.ReplaceAll(text, "-", "−")
}

// ticksWithin are the ticks between two limits.
type ticksWithin struct {
	plot.Ticker
	low, high float64
}

func (t ticksWithin) Ticks(_, _ float64) []plot.Tick {
	return t.Ticker.Ticks(t.low, t.high)
}

// unlabelled are ticks without their labels.
type unlabelled struct{ plot.Ticker }

func (t unlabelled) Ticks(low, high float64) []plot.Tick {
	ticks := t.Ticker.Ticks(low, high)
	for i := range ticks {
		ticks[i].Label = ""
	}
	return ticks
}
