package evaluation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/models"
)

// Spread says how much the predictions of one target of one row by several members of an ensemble differ.
type Spread struct {
	Members  int     // number of members
	Variance float64 // sample variance (n−1) of the members' means; 0 for one member
	Between  float64 // part of the variance of the joint prediction that is the variance between the members; 0 for points
	Within   float64 // sample variance (n−1) of the members' own predicted variances; 0 for points
	Points   bool    // whether the members predict points, so that the joint prediction has no other variance than between them

	Quantiles []float64 // sample variance (n−1) of the members' quantiles, by distribution.Family.Levels
}

// PredictByMembers predicts each row with some members of the ensemble m, whose indices members has for the row,
// ascending. Each member predicts all its rows together, and memory grows with the number of rows times members. It
// also returns how much the members of each value of Predictions.Values differ. It returns a *NotFiniteError if a
// prediction is not finite, and does not call Sampling.Progress.
func PredictByMembers(ctx context.Context, m *models.Model, rows data.Subset, members [][]int, s Sampling) (*Predictions, []Spread, error) {
	p, err := NewPredictor(m, s)
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	numbers, err := rowNumbers(m, rows)
	if err != nil {
		return nil, nil, err
	}
	a := &assignment{predictor: p, rows: rows, numbers: numbers, members: members}
	if err := a.predictMembers(ctx); err != nil {
		return nil, nil, err
	}
	predictions, spreads, err := a.combineAll(ctx)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(a.overflowing, func(e, f *NotFiniteError) int { return e.Row - f.Row })
	a.overflowing = slices.CompactFunc(a.overflowing, func(e, f *NotFiniteError) bool { return e.Row == f.Row })
	failures := p.notFiniteRows(predictions.Values, a.overflowing, block{rows: rows, numbers: numbers})
	if len(failures) > 0 {
		failures[0].setNames(m, numbers)
		return nil, nil, failures[0]
	}
	return predictions, spreads, nil
}

// assignment has rows to predict, each by some members of an ensemble.
type assignment struct {
	predictor *Predictor
	rows      data.Subset
	numbers   []int32 // of the rows to predict
	members   [][]int // indices of the members, by row

	slots       [][]int       // position of each row among the rows of each of its members
	values      [][][]float64 // by member and copy: [its rows, targets, parameters and components]
	perRow      int           // values of a row: targets times parameters and components
	overflowing []*NotFiniteError
}

// predictMembers sets slots, values, perRow and overflowing: each member predicts its rows.
func (a *assignment) predictMembers(ctx context.Context) error {
	rowsOf := make([][]int, len(a.predictor.model.Members))
	a.slots = make([][]int, len(a.members))
	for row, members := range a.members {
		for _, member := range members {
			a.slots[row] = append(a.slots[row], len(rowsOf[member]))
			rowsOf[member] = append(rowsOf[member], row)
		}
	}
	a.values = make([][][]float64, len(rowsOf))
	for member, rows := range rowsOf {
		if len(rows) == 0 {
			continue
		}
		if err := a.predictMember(ctx, member, rows); err != nil {
			return err
		}
	}
	return nil
}

// predictMember sets the values of a member for these rows, and appends the rows with too large inputs to
// a.overflowing.
func (a *assignment) predictMember(ctx context.Context, member int, rows []int) error {
	p := a.predictor
	numbers := make([]int32, len(rows))
	for i, row := range rows {
		numbers[i] = a.numbers[row]
	}
	blocks := p.divideRows(a.rows, numbers)
	predictions := make([]memberBlock, len(blocks))
	err := p.eachBlock(ctx, blocks, func(ctx context.Context, i int) error {
		return p.predictions.lend(p.graphRows(len(blocks[i].numbers)), func(g *models.PredictionGraph) (err error) {
			predictions[i].copies, predictions[i].overflowing, err = p.runMember(ctx, g, blocks[i], member)
			return err
		})
	})
	if err != nil {
		return err
	}
	a.values[member] = make([][]float64, p.model.Architecture.CopyCount())
	for i, predicted := range predictions {
		for copyIndex, values := range predicted.copies {
			a.values[member][copyIndex] = append(a.values[member][copyIndex], values...)
		}
		for _, e := range predicted.overflowing {
			e.Row = rows[blocks[i].first+e.Row]
			a.overflowing = append(a.overflowing, e)
		}
	}
	a.perRow = len(a.values[member][0]) / len(rows)
	return nil
}

// memberBlock has the predictions of a block of rows by one member.
type memberBlock struct {
	copies      [][]float64 // values of each copy of the network
	overflowing []*NotFiniteError
}

// combineAll returns the joint predictions of all rows, and how much their members differ.
func (a *assignment) combineAll(ctx context.Context) (*Predictions, []Spread, error) {
	p := a.predictor
	predictions := p.newPredictions(len(a.numbers))
	spreads := make([]Spread, len(predictions.Values))
	single, err := p.openPredictionGraph(1, p.graphRows(p.maxGraphRows))
	if err != nil {
		return nil, nil, err
	}
	defer single.Close()
	for count := 1; count <= len(p.model.Members); count++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		var rows []int // indices of the rows that this number of members predicts
		for row, members := range a.members {
			if len(members) == count {
				rows = append(rows, row)
			}
		}
		if err := a.combineRows(rows, count, single, predictions.Values, spreads); err != nil {
			return nil, nil, fmt.Errorf("the predictions of method %s: %w", p.model.Method, err)
		}
	}
	return predictions, spreads, nil
}

// combineRows sets the values and spreads of rows that count members predict. single predicts with one member.
func (a *assignment) combineRows(rows []int, count int, single *models.PredictionGraph, values []models.Prediction, spreads []Spread) error {
	p := a.predictor
	joint := single
	if count > 1 && len(rows) > 0 {
		var err error
		joint, err = p.openPredictionGraph(count, p.graphRows(p.maxGraphRows))
		if err != nil {
			return err
		}
		defer joint.Close()
	}
	for block := range slices.Chunk(rows, p.graphRows(p.maxGraphRows)) {
		gathered := a.gather(block, count)
		combined, err := joint.Combine(gathered, len(block))
		if err != nil {
			return err
		}
		blockSpreads, err := a.spreadsOf(combined, gathered, single, count)
		if err != nil {
			return err
		}
		targets := p.model.Architecture.Targets
		for i, row := range block {
			copy(values[row*targets:], combined[i*targets:(i+1)*targets])
			copy(spreads[row*targets:], blockSpreads[i*targets:(i+1)*targets])
		}
	}
	return nil
}

// gather returns the values of rows that count members predict, by member and copy.
func (a *assignment) gather(rows []int, count int) [][]float64 {
	copies := a.predictor.model.Architecture.CopyCount()
	gathered := make([][]float64, count*copies)
	for _, row := range rows {
		for j, member := range a.members[row] {
			first := a.slots[row][j] * a.perRow
			for c := range copies {
				ofRow := a.values[member][c][first : first+a.perRow]
				gathered[j*copies+c] = append(gathered[j*copies+c], ofRow...)
			}
		}
	}
	return gathered
}

// spreadsOf returns how much this number of members of joint predictions differ. values has the values of each copy of
// each member, and single predicts with one member.
func (a *assignment) spreadsOf(joint []models.Prediction, values [][]float64, single *models.PredictionGraph, count int) ([]Spread, error) {
	spreads := make([]Spread, len(joint))
	for i := range spreads {
		spreads[i].Members = count
	}
	if count == 1 {
		return spreads, nil
	}
	rows := len(joint) / a.predictor.model.Architecture.Targets
	var alone [][]models.Prediction // by member
	for ofMember := range slices.Chunk(values, len(values)/count) {
		predictions, err := single.Combine(ofMember, rows)
		if err != nil {
			return nil, err
		}
		alone = append(alone, predictions)
	}
	members := make([]models.Prediction, count) // predictions of one value
	for i := range spreads {
		for j := range members {
			members[j] = alone[j][i]
		}
		spreads[i].compare(joint[i], members, a.predictor.form.Family.Levels)
	}
	return spreads, nil
}

// compare sets the spread of several members' predictions of one value, which are combined to the joint prediction.
func (s *Spread) compare(joint models.Prediction, members []models.Prediction, levels []float64) {
	s.Variance = varianceAround(joint.Mean(), members, models.Prediction.Mean)
	s.Points = math.IsNaN(members[0].Std())
	if !s.Points {
		variance := func(p models.Prediction) float64 { return float64(p.Std() * p.Std()) }
		ofMembers := 0.0
		for _, p := range members {
			ofMembers += variance(p) / float64(len(members))
		}
		s.Between = variance(joint) - ofMembers
		s.Within = varianceAround(ofMembers, members, variance)
	}
	for _, level := range levels {
		quantile := func(p models.Prediction) float64 { return p.Quantile(level) }
		s.Quantiles = append(s.Quantiles, varianceAround(quantile(joint), members, quantile))
	}
}

// varianceAround returns the sample variance (n−1) of a number of each prediction around their mean.
func varianceAround(mean float64, predictions []models.Prediction, of func(models.Prediction) float64) float64 {
	variance := 0.0
	for _, p := range predictions {
		deviation := of(p) - mean
		variance += float64(deviation*deviation) / float64(len(predictions)-1)
	}
	return variance
}
