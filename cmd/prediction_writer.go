package cmd

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/models"
)

// predictionForm is what a line of predictions has.
type predictionForm struct {
	levels  []float64
	classes int
	above   float64 // level of the upper limit of the interval by std
	pair    []int   // quantiles that the interval is between; nil: it is by std
	jsonl   bool
}

// newPredictionForm is that of a model's predictions, by the flags.
func newPredictionForm(c *cli.Context, m *models.Model) (f predictionForm, err error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return f, err
	}
	coverage := c.Float64("coverage")
	f = predictionForm{classes: method.Classes, above: (1 + coverage) / 2, jsonl: c.String("format") == "jsonl"}
	if f.levels, err = m.Levels(); err != nil || f.levels == nil {
		return f, err
	}
	pair, ok := measure.CentralPair(f.levels)
	if c.IsSet("coverage") {
		at := func(level float64) int {
			return slices.IndexFunc(f.levels, func(l float64) bool { return math.Abs(l-level) < 1e-9 })
		}
		pair = [2]int{at(float64((1 - coverage) / 2)), at(float64((1 + coverage) / 2))}
		if ok = pair[0] >= 0 && pair[1] >= 0; !ok {
			return f, usage("--coverage %v: the quantiles of method %s are at %v, and none of them at %.6g and %.6g", coverage, m.Method, f.levels, (1-coverage)/2, (1+coverage)/2)
		}
	}
	if ok {
		f.pair = pair[:]
	}
	return f, nil
}

// names are those of the values of one prediction, in order.
func (f predictionForm) names() []string {
	names := []string{"mean"}
	for _, level := range f.levels {
		names = append(names, "q"+strconv.FormatFloat(level, 'g', -1, 64))
	}
	for class := range f.classes {
		names = append(names, "p"+strconv.Itoa(class))
	}
	return append(names, "std", "std_drop", "offset", "lower", "upper")
}

// values appends the values of a prediction in the target's unit, NaN for what it
// does not have, and tells whether they are finite.
func (f predictionForm) values(dst []float64, v models.Prediction, shape measure.Shape, target models.Column, through evaluation.Transform) ([]float64, bool) {
	absent := math.NaN()
	in := evaluation.InUnit(v, target, through)
	low, high := evaluation.Quantile(v, shape, target, through, 1-f.above), evaluation.Quantile(v, shape, target, through, f.above)
	spread := []float64{in.Std, in.StdDrop, in.MeanShift, low, high}
	if v.NoStd {
		spread = []float64{absent, absent, absent, absent, absent}
	}
	first := len(dst)
	dst = append(append(dst, in.Mean), in.Quantiles...)
	if f.pair != nil {
		spread[3], spread[4] = dst[first+1+f.pair[0]], dst[first+1+f.pair[1]]
	}
	finite := !slices.ContainsFunc(dst[first:], func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) &&
		!slices.ContainsFunc(spread, func(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) && !v.NoStd })
	return append(append(dst, v.Probabilities...), spread...), finite
}

// predictionWriter writes one line for each row, in the targets' units. The names
// of several targets come before the names of their values.
type predictionWriter struct {
	predictionForm
	targets    []models.Column
	transforms []evaluation.Transform
	names      []string
	keys       [][]byte // the names in JSON, with a colon behind them
	begun      bool

	out   io.Writer
	parts []writtenPart // kept for their memory
}

// writtenPart is the text of some rows, up to one that is an error.
type writtenPart struct {
	text   []byte
	values []float64
	err    error
}

func newPredictionWriter(w io.Writer, targets []models.Column, transforms []evaluation.Transform, f predictionForm) *predictionWriter {
	p := &predictionWriter{predictionForm: f, targets: targets, transforms: transforms, out: w}
	for _, target := range targets {
		for _, name := range f.names() {
			if len(targets) > 1 {
				name = target.Name + "_" + name
			}
			p.names = append(p.names, name)
			p.keys = append(p.keys, append(mustJSON(name), ':'))
		}
	}
	return p
}

// write writes the predictions of rows, the header before the first of them. place
// says where a row stands.
func (w *predictionWriter) write(p *evaluation.Predictions, place func(row int) string) error {
	const share = 256 // rows that are worth a core of their own
	rows := len(p.Values) / len(w.targets)
	n := max(1, min(runtime.GOMAXPROCS(0), rows/share))
	for len(w.parts) < n {
		w.parts = append(w.parts, writtenPart{})
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { w.parts[i].rows(w, p, i*rows/n, (i+1)*rows/n, place) })
	}
	all.Wait()
	for _, part := range w.parts[:n] {
		err := w.put(part.text)
		if err = cmp.Or(part.err, err); err != nil {
			return err
		}
	}
	return nil
}

// put writes the text of rows.
func (w *predictionWriter) put(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	if !w.begun && !w.jsonl {
		lines := csv.NewWriter(w.out)
		lines.Write(w.names)
		lines.Flush()
		if err := lines.Error(); err != nil {
			return err
		}
	}
	w.begun = true
	_, err := w.out.Write(text)
	return err
}

func (part *writtenPart) rows(w *predictionWriter, p *evaluation.Predictions, from, to int, place func(row int) string) {
	part.text, part.err = part.text[:0], nil
	for row := from; row < to; row++ {
		part.values = part.values[:0]
		for i, target := range w.targets {
			var finite bool
			var through evaluation.Transform
			if w.transforms != nil {
				through = w.transforms[i]
			}
			if part.values, finite = w.values(part.values, p.Values[row*len(w.targets)+i], p.Shape(row*len(w.targets)+i), target, through); !finite {
				part.err = fmt.Errorf("%s: the prediction of %q is not finite in the target's unit", place(row), target.Name)
				return
			}
		}
		part.text = w.appendRow(part.text, part.values)
	}
}

// appendRow appends a line; NaN is what the row does not have.
func (w *predictionWriter) appendRow(dst []byte, values []float64) []byte {
	if w.jsonl {
		dst = append(dst, '{')
	}
	first := len(dst)
	for i, x := range values {
		absent := math.IsNaN(x)
		if w.jsonl && absent {
			continue
		}
		if w.jsonl && len(dst) > first || !w.jsonl && i > 0 {
			dst = append(dst, ',')
		}
		if w.jsonl {
			dst = append(dst, w.keys[i]...)
		}
		if !absent {
			dst = strconv.AppendFloat(dst, x, 'g', -1, 64)
		}
	}
	if w.jsonl {
		dst = append(dst, '}')
	}
	return append(dst, '\n')
}
