package models

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/statistics"
)

// Moments is what one network says about one row and one target, in
// standardised units. Each slice has one value for each network output that
// belongs to the target (Method.Outputs). Mean and Std are nil where the method
// is not Stochastic: no sub-network was drawn. A predictor may keep none of the
// slices beyond its call, but return them.
type Moments struct {
	Full []float64 // outputs of the full network
	Mean []float64 // mean over the sub-networks
	Std  []float64 // their sample standard deviation (n−1)

	Draws [][]float64 // outputs of every sub-network; nil unless Method.Draws

	Target int         // index of the target, from 0
	Scale  data.Scaler // scaler of the target: μ·Scale.Std + Scale.Mean is in the target's unit
	All    []Moments   // moments of every target of the row, including this one
	Levels []float64   // quantile levels that the prediction needs (Method.Levels)
}

// DrawQuantiles returns quantiles of an output over all sub-networks, at levels
// from 0 to 1, interpolated between the draws as numpy.quantile does it (type 7 of
// Hyndman and Fan 1996). The method needs Draws.
func (d Moments) DrawQuantiles(output int, levels ...float64) []float64 {
	values := make([]float64, len(d.Draws))
	for i, draw := range d.Draws {
		values[i] = draw[output]
	}
	slices.Sort(values)
	quantiles := make([]float64, len(levels))
	for i, level := range levels {
		at := float64(level * float64(len(values)-1))
		below := int(at)
		above := min(below+1, len(values)-1)
		quantiles[i] = values[below] + float64((at-float64(below))*(values[above]-values[below]))
	}
	return quantiles
}

// Prediction is what is said of one row and one target, in standardised units:
// a mean, and as far as the method gives them a standard deviation, quantiles and
// probabilities.
type Prediction struct {
	Mean float64

	// Where the standard deviation comes from sub-networks, StdDrop is their spread
	// and MeanShift the distance |f − ⟨f~⟩| of their mean from the full network, both as
	// they enter Std; otherwise they are 0.
	Std, StdDrop, MeanShift float64
	NoStd                   bool // there is no standard deviation: the three are 0 and mean nothing

	// Quantiles are those at Method.Levels. What a predictor or a combiner returns
	// is put into ascending order: networks may let quantiles cross, and to rearrange
	// them brings them closer to the true ones (Chernozhukov et al. 2010).
	Quantiles []float64

	// Probabilities are those of the classes 0 to Method.Classes−1. The mean, that
	// of the class's number, follows from them and is filled in; there is no Std.
	Probabilities []float64
}

// Equal tells whether two predictions are the same.
func (p Prediction) Equal(q Prediction) bool {
	return p.Mean == q.Mean && p.Std == q.Std && p.StdDrop == q.StdDrop && p.MeanShift == q.MeanShift && p.NoStd == q.NoStd &&
		slices.Equal(p.Quantiles, q.Quantiles) && slices.Equal(p.Probabilities, q.Probabilities)
}

// Finite tells whether every number of the prediction is.
func (p Prediction) Finite() bool {
	x := p.Mean + p.Std + p.StdDrop + p.MeanShift
	for _, v := range p.Quantiles {
		x += v
	}
	for _, v := range p.Probabilities {
		x += v
	}
	return statistics.Finite(x)
}

// Predictor turns what one network says into a prediction.
type Predictor func(Moments) Prediction

// Prediction returns the prediction that the method's Predictor makes of d. It returns an error
// if the Predictor panics, which names the method and the line, or if the prediction lacks a part
// that the method promises.
func (m Method) Prediction(d Moments) (p Prediction, err error) {
	p, err = m.tryPredict(d)
	switch {
	case err != nil && d.Mean == nil:
		return p, fmt.Errorf("%w; its Moments have the %d outputs of the full network and, without Stochastic: true, nothing from sub-networks", err, len(d.Full))
	case err != nil:
		return p, err
	}
	return m.complete(p, "predictor", d)
}

// tryPredict calls the method's Predictor and turns a panic into an error.
func (m Method) tryPredict(d Moments) (p Prediction, err error) {
	defer graph.Recover(&err, "the predictor of method "+m.Name)
	return m.Predict(d), nil
}

// Combination calls the method's Combiner of predictions of what d says, by other
// networks; a single prediction is its own combination. A panic in it is an error
// that names the method and the line.
func (m Method) Combination(members []Prediction, d Moments) (p Prediction, err error) {
	if len(members) == 1 {
		return members[0], nil
	}
	if err := m.CheckMembers(len(members)); err != nil {
		return p, err
	}
	defer graph.Recover(&err, fmt.Sprintf("the combiner of method %s, of %d predictions", m.Name, len(members)))
	p = m.Combine(members)
	return m.complete(p, "combiner", d)
}

// complete checks what a predictor or a combiner returned, and fills in what
// follows from it.
func (m Method) complete(p Prediction, who string, d Moments) (Prediction, error) {
	wrong := func(format string, args ...any) (Prediction, error) {
		var f any = m.Predict
		if who == "combiner" {
			f = m.Combine
		}
		return p, fmt.Errorf("the %s of method %s gives %s%s", who, m.Name, fmt.Sprintf(format, args...), declaredAt(f))
	}
	switch {
	case min(p.Std, p.StdDrop, p.MeanShift) < 0:
		return p, fmt.Errorf("the %s of method %s gives %+v: a standard deviation is not negative", who, m.Name, p)
	case p.NoStd && (p.Std != 0 || p.StdDrop != 0 || p.MeanShift != 0):
		return wrong("the standard deviation %v, and says by NoStd that it has none", max(p.Std, p.StdDrop, p.MeanShift))
	case len(p.Quantiles) != len(d.Levels):
		if d.Levels == nil {
			return wrong("%d quantiles, and the method has no Levels that say where", len(p.Quantiles))
		}
		return wrong("%d quantiles; want one for each of the %d levels %v", len(p.Quantiles), len(d.Levels), d.Levels)
	case len(p.Probabilities) != m.Classes:
		return wrong("probabilities of %d classes; want %d, as the method's Classes", len(p.Probabilities), m.Classes)
	}
	if d.Levels != nil {
		p.Quantiles = slices.Sorted(slices.Values(p.Quantiles)) // a copy: they may be the network's outputs
	}
	if m.Classes > 0 {
		if p.Std != 0 {
			return wrong("probabilities and the standard deviation %v; classes have none", p.Std)
		}
		p.Probabilities, p.NoStd = slices.Clone(p.Probabilities), true
		sum, mean := 0.0, 0.0
		for class, q := range p.Probabilities {
			if q < 0 {
				return wrong("the probabilities %v: none is negative", p.Probabilities)
			}
			sum, mean = sum+q, mean+float64(float64(class)*q)
		}
		if math.Abs(sum-1) > 1e-6 { // of what is not a number the caller learns by Finite
			return wrong("the probabilities %v, whose sum is %v: want 1", p.Probabilities, sum)
		}
		p.Mean = (mean - d.Scale.Mean) / d.Scale.Std
	}
	return p, nil
}
