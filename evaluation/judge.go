package evaluation

import (
	"fmt"

	"sml/data"
	"sml/evaluation/measure"
	"sml/graph"
)

// addTo adds the quantiles and probabilities of a target to its column, and the true classes,
// which are the values of y. It returns an error if a value of y is not a class.
func (p *Predictions) addTo(column *measure.Column, y []float64, target int, c data.Scaler) error {
	column.Levels = p.Levels
	for i := target; i < len(p.Values); i += p.Targets {
		if p.Levels != nil {
			column.Quantiles = append(column.Quantiles, p.Values[i].Quantiles)
		}
		if p.Classes > 0 {
			class := int(max(-1, min(y[i], float64(p.Classes))))
			if class < 0 || class >= p.Classes || float64(class) != y[i] {
				return fmt.Errorf("row %d of those judged: the target %s is %v, and the predictions are of the classes 0 to %d", i/p.Targets+1, c.Name, y[i], p.Classes-1)
			}
			column.Class = append(column.Class, class)
			column.Probabilities = append(column.Probabilities, p.Values[i].Probabilities)
		}
	}
	return nil
}

// judge returns the scores of a column by several measures.
func judge(c *measure.Column, measures []measure.Measure) (measure.Scores, error) {
	var scores measure.Scores
	for _, m := range measures {
		found, err := judgeBy(c, m)
		if err != nil {
			return nil, err
		}
		scores = append(scores, found...)
	}
	return scores, nil
}

// judgeBy returns the scores of a column by one measure. A panic in the measure is an error
// that names it and the line.
func judgeBy(c *measure.Column, m measure.Measure) (scores measure.Scores, err error) {
	defer graph.Recover(&err, "the measure "+m.Name)
	return c.Judge([]measure.Measure{m}), nil
}
