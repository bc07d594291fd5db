package check

import (
	"fmt"

	"sml/graph"
	"sml/models"
)

// weights tells whether every term counts rows by their weights: a term over rows has
// to look at them, and must not change with the target of a row whose weight is 0.
// What compares rows with one another may do so all the same, so it is no mistake.
func weights(s models.Spec, seed uint64) Finding {
	const check = "weights"
	s.Weighted = true
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss, err := s.LossOver(b, rows, nil)
	if err != nil {
		return failedFinding(check, err)
	}
	terms := graph.Inspect(b).Terms()
	if len(terms) == 0 {
		terms = []graph.Term{{Name: "objective", Value: loss}}
	}
	f := Finding{Check: check, Status: Noted, Says: "weights of rows have no effect, or not all of it: end what is a mean over rows with Task.Mean or Task.MSE, not with the builder's"}
	var weighted []string
	values := graph.Nodes{loss}
	for _, t := range terms {
		switch {
		case graph.Inspect(b).DependsOn(t.Value, models.InputWeight):
			weighted, values = append(weighted, t.Name), append(values, t.Value)
		case graph.Inspect(b).DependsOn(t.Value, models.InputX), graph.Inspect(b).DependsOn(t.Value, models.InputY): // else it is no mean over rows
			f.Details = append(f.Details, fmt.Sprintf("term %q: weights have no effect", t.Name))
		}
	}
	run, err := graph.NewRunner(graph.Compiled, b, values...)
	if err != nil {
		return failedFinding(check, err)
	}
	defer run.Close()
	params.Initialise(seed)
	typical(s, run, seed)
	if w := run.Input64(models.InputWeight); w != nil {
		w[0] = 0
	}
	said := make([][2]float64, len(weighted)) // for two targets of that row
	for i, drawn := range []float64{1, -1} {
		for target := range s.Architecture.Targets {
			run.Input64(models.InputY)[target] = s.Typical(models.InputY, target, drawn)
		}
		if err := run.Run(); err != nil {
			return failedFinding(check, err)
		}
		if loss := run.Output64(0)[0]; loss-loss != 0 {
			return undecidedFinding(check, loss)
		}
		for term := range said {
			said[term][i] = run.Output64(1 + term)[0]
		}
	}
	for i, name := range weighted {
		if said[i][0] != said[i][1] {
			f.Details = append(f.Details, fmt.Sprintf("term %q: a row of weight 0 has an effect", name))
		}
	}
	if len(f.Details) == 0 {
		f.Status, f.Says = Passed, "rows count by their weights, where they have some"
	}
	return f
}
