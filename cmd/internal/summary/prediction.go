package summary

import (
	"context"
	"slices"

	"sml/cmd/internal/leaks"
	"sml/data"
)

// Prediction says how well a target is predicted.
type Prediction struct {
	Target string  `json:"target"` // name of the target
	R2     float64 `json:"r2"`     // R² on held-out rows, 0 if they are not predicted better than by their mean
}

// minStrongR2 is the minimum R² of an input that predicts a target very well by itself.
const minStrongR2 = 0.95

// predictTargets scores how well each input alone, and all together, predict each target, and looks for
// inputs that give a target away. A table with few rows has no scores. It returns an error only if ctx ends.
func (s *Summary) predictTargets(ctx context.Context, inputs, targets []*Column) error {
	if s.Rows < leaks.MinRows || len(inputs) == 0 {
		return nil
	}
	table := leaks.Table{Inputs: leakColumns(inputs), Targets: leakColumns(targets)}
	for i, target := range targets {
		inspection, err := leaks.Inspect(ctx, table, i, s.knownLeaks(inputs))
		if err != nil {
			return err
		}
		s.ScoredRows = inspection.Rows
		s.Together = append(s.Together, newPrediction(target, inspection.Together))
		for j, fit := range inspection.Inputs {
			inputs[j].Predicts = append(inputs[j].Predicts, newPrediction(target, fit.R2))
			inputs[j].IsBetterAsCategory = inputs[j].IsBetterAsCategory || fit.IsBetterAsCategory
		}
		s.addLeaks(inspection.Leaks, inputs)
		s.addStrongInputs(inputs, target)
	}
	return nil
}

// inspectNames adds a suspicion about each input whose numbers predict a target better as names. Where rows
// form groups, every number of a group, such as a patient's height, predicts like a name.
func (s *Summary) inspectNames(inputs, _ []*Column) {
	hasGroups := slices.ContainsFunc(s.Suspicions, func(suspicion Suspicion) bool { return suspicion.Kind == Groups })
	for _, c := range inputs {
		c.IsBetterAsCategory = c.IsBetterAsCategory && !hasGroups && !s.isLeak(c)
		if c.IsBetterAsCategory {
			s.add(Names, c.Name, "its numbers may be names: as such they predict the target clearly better")
		}
	}
}

// newPrediction returns the prediction of a target with an R².
func newPrediction(target *Column, r2 float64) Prediction {
	return Prediction{Target: target.Name, R2: max(0, r2)}
}

// leakColumns returns the columns as package leaks reads them.
func leakColumns(columns []*Column) (converted []leaks.Column) {
	for _, c := range columns {
		converted = append(converted, leaks.Column{
			Name:   c.Name,
			Field:  c.field,
			Values: c.values,
			IsTime: c.Kind == data.Date || isTimeName(c.Name) || c.isMonotone(),
		})
	}
	return converted
}

// knownLeaks marks the inputs with the suspicion that they give a target away.
func (s *Summary) knownLeaks(inputs []*Column) []bool {
	isKnown := make([]bool, len(inputs))
	for i, c := range inputs {
		isKnown[i] = s.isLeak(c)
	}
	return isKnown
}

// isLeak reports whether there is a suspicion that the column gives a target away, alone or with others.
func (s *Summary) isLeak(c *Column) bool {
	for _, suspicion := range s.Suspicions {
		if suspicion.Kind == LikeTarget && suspicion.Column == c.Name {
			return true
		}
	}
	return false
}

// addLeaks adds a suspicion about each leak.
func (s *Summary) addLeaks(found []leaks.Leak, inputs []*Column) {
	for _, leak := range found {
		if len(leak.Columns) == 1 {
			s.add(LikeTarget, inputs[leak.Columns[0]].Name, "%s", leak.Says)
			continue
		}
		suspicion := Suspicion{Kind: Combination, Says: leak.Says}
		for _, i := range leak.Columns {
			suspicion.Columns = append(suspicion.Columns, inputs[i].Name)
		}
		for _, i := range leak.Drop {
			suspicion.Drop = append(suspicion.Drop, inputs[i].Name)
		}
		s.Suspicions = append(s.Suspicions, suspicion)
	}
}

// addStrongInputs adds a suspicion about each input that predicts a target very well, but does not give it
// away.
func (s *Summary) addStrongInputs(inputs []*Column, target *Column) {
	for _, c := range inputs {
		r2 := c.Predicts[len(c.Predicts)-1].R2
		if r2 >= minStrongR2 && !s.isLeak(c) {
			s.add(Strong, c.Name, "it predicts the target %s very well by itself: R² = %.3f", target.Name, r2)
		}
	}
}
