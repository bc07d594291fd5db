package models

import (
	"fmt"

	"sml/graph"
)

// Moments is what one network says about one row and one target, in
// standardised units. Each slice has one value for each network output that
// belongs to the target (Method.Outputs). Mean and Std are nil where the method
// is not Stochastic: no sub-network was drawn.
type Moments struct {
	Full []float64 // outputs of the full network
	Mean []float64 // mean over the sub-networks
	Std  []float64 // their sample standard deviation (n−1)
}

// Prediction is a mean and standard deviation of one row and one target.
// Where the standard deviation comes from sub-networks, StdDrop is their spread
// and MeanShift the distance |f − ⟨f~⟩| of their mean from the full network, both as
// they enter Std; otherwise they are 0.
type Prediction struct {
	Mean, Std, StdDrop, MeanShift float64
}

// Predictor turns what one network says into a prediction.
type Predictor func(Moments) Prediction

// Combiner turns the predictions of several networks into one.
type Combiner func([]Prediction) Prediction

// Prediction calls the method's Predictor. A panic in it is an error that names
// the method and the line.
func (m Method) Prediction(d Moments) (p Prediction, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = graph.Panicked(fmt.Sprintf("the predictor of method %s", m.Name), r)
			if d.Mean == nil {
				err = fmt.Errorf("%w; it is given as many outputs of the full network as Outputs has it, %d, and of sub-networks none without Stochastic: true", err, len(d.Full))
			}
		}
	}()
	p = m.Predict(d)
	return p, p.checkSigns("predictor", m.Name)
}

// checkSigns returns an error if a standard deviation or a part of it is negative.
func (p Prediction) checkSigns(who, method string) error {
	if min(p.Std, p.StdDrop, p.MeanShift) < 0 {
		return fmt.Errorf("the %s of method %s gives %+v: a standard deviation is not negative", who, method, p)
	}
	return nil
}

// Combination calls the method's Combiner; a single prediction is its own
// combination. A panic in it is an error that names the method and the line.
func (m Method) Combination(members []Prediction) (p Prediction, err error) {
	if len(members) == 1 {
		return members[0], nil
	}
	if err := m.CheckMembers(len(members)); err != nil {
		return p, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = graph.Panicked(fmt.Sprintf("the combiner of method %s, of %d predictions", m.Name, len(members)), r)
		}
	}()
	p = m.Combine(members)
	return p, p.checkSigns("combiner", m.Name)
}
