package cmd

import (
	"cmp"
	"fmt"
	"io"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
)

// judgement has the scores of a model on judged rows beside the scores of simple baselines on the same rows.
type judgement struct {
	model     *experiment.Model
	scores    *evaluation.Evaluation
	baselines []experiment.BaselineScores // nil if the training rows are not available
	measures  []string                    // names of --measures; nil for the measures of the summary
}

// areAll reports whether --measures asks for all measures.
func (j *judgement) areAll() bool { return len(j.measures) == 1 && j.measures[0] == "all" }

// comparedMeasures returns the names of the measures by which the model is compared with the baselines.
func comparedMeasures(m *experiment.Model, chosen []string) []string {
	j := judgement{measures: chosen}
	if len(chosen) == 0 || j.areAll() {
		return m.SummaryMeasures()
	}
	return chosen
}

// remarks returns sentences on the scores, such as that a baseline is better.
func (j *judgement) remarks() []string {
	return j.model.Remarks(j.scores, j.baselines)
}

// print writes the scores and the remarks for people.
func (j *judgement) print(w io.Writer) error {
	if err := j.printCompared(w); err != nil {
		return err
	}
	targets := j.scores.Targets()
	if j.areAll() {
		if err := writeAllScores(w, j.targetNames(), j.scores); err != nil {
			return err
		}
	}
	for _, target := range targets {
		if err := writeClasses(w, target.Name, target.Classes); err != nil {
			return err
		}
	}
	if e := j.scores; e.DropoutFraction != nil {
		subNetworks := "all sub-networks, without drawing any"
		if e.Samples > 0 {
			subNetworks = fmt.Sprintf("%d sub-networks", e.Samples)
		}
		fmt.Fprintf(w, "%s; their spread is %.0f%% of the standard deviation\n", subNetworks, 100**e.DropoutFraction)
	}
	for _, remark := range j.remarks() {
		if _, err := fmt.Fprintln(w, remark); err != nil {
			return err
		}
	}
	return nil
}

// printCompared writes a table for each target with the scores of the model and the baselines in the target's unit. A
// measure that the user has not named has no line if the model has no score.
func (j *judgement) printCompared(w io.Writer) error {
	measures, err := measure.Select(comparedMeasures(j.model, j.measures))
	if err != nil {
		return err
	}
	names := j.targetNames()
	for i, target := range j.scores.Targets() {
		columns := []methodScores{{"model", target.Original}}
		shown := measures
		if len(j.measures) == 0 || j.areAll() {
			shown = withScores(measures, columns)
		}
		for _, b := range j.baselines {
			columns = append(columns, methodScores{b.Name, b.Targets[i].Original})
		}
		if _, err := fmt.Fprintln(w, renderScores(names[i], shown, columns)); err != nil {
			return err
		}
	}
	return nil
}

// targetNames returns the names of the targets, with the number of rows in which a target is known if it is not known in
// all of them.
func (j *judgement) targetNames() []string {
	var names []string
	for i, target := range j.scores.Targets() {
		name := cmp.Or(target.Name, j.model.Targets[i].Name)
		if target.Rows > 0 {
			name = fmt.Sprintf("%s (%d rows)", name, target.Rows)
		}
		names = append(names, name)
	}
	return names
}
