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

// asksForAll reports whether the names of --measures ask for all measures.
func asksForAll(names []string) bool { return len(names) == 1 && names[0] == "all" }

// comparedMeasures returns the names of the measures by which a model is compared with the baselines: the names of
// --measures, or the measures of the summary if there are none or they ask for all measures.
func comparedMeasures(m *experiment.Model, names []string) []string {
	if len(names) == 0 || asksForAll(names) {
		return m.SummaryMeasures()
	}
	return names
}

// remarks returns sentences on the scores, such as that a baseline is better.
func (j *judgement) remarks() []string {
	return j.model.Remarks(j.scores, j.baselines)
}

// print writes the scores and the remarks for people.
func (j *judgement) print(w io.Writer) {
	j.printCompared(w)
	if asksForAll(j.measures) {
		writeAllScores(w, j.headings(), j.scores)
	}
	for _, target := range j.scores.Targets() {
		writeClasses(w, target.Name, target.Classes)
	}
	writeSpread(w, j.scores)
	for _, remark := range j.remarks() {
		fmt.Fprintln(w, remark)
	}
}

// writeSpread writes a line on the sub-networks, if the predictions have any.
func writeSpread(w io.Writer, e *evaluation.Evaluation) {
	if e.DropoutFraction == nil {
		return
	}
	subNetworks := "all sub-networks, without drawing any"
	if e.Samples > 0 {
		subNetworks = fmt.Sprintf("%d sub-networks", e.Samples)
	}
	fmt.Fprintf(w, "%s; their spread is %.0f%% of the standard deviation\n", subNetworks, 100**e.DropoutFraction)
}

// printCompared writes a table for each target with the scores of the model and the baselines in the target's unit. A
// measure that the user has not named has no line if the model has no score.
func (j *judgement) printCompared(w io.Writer) {
	measures := knownMeasures(comparedMeasures(j.model, j.measures))
	var joint measure.Scores // standardised; empty for one target
	if len(j.model.Targets) > 1 {
		measures, joint = j.separateJoint(measures)
	}
	headings := j.headings()
	for i, target := range j.scores.Targets() {
		columns := []methodScores{{"model", target.Original}}
		shown := measures
		if len(j.measures) == 0 || asksForAll(j.measures) {
			shown = withScores(measures, columns)
		}
		if len(shown) == 0 {
			continue
		}
		for _, b := range j.baselines {
			columns = append(columns, methodScores{b.Name, b.Targets[i].Original})
		}
		fmt.Fprintln(w, renderScores(headings[i], shown, columns))
	}
	if len(joint) > 0 {
		fmt.Fprintln(w, renderScores("all targets", knownMeasures(joint.Names()), []methodScores{{"model", joint}}))
	}
}

// separateJoint returns the measures of single targets, and the model's scores by the measures of all targets together.
func (j *judgement) separateJoint(measures []measure.Measure) (single []measure.Measure, joint measure.Scores) {
	for _, m := range measures {
		switch {
		case m.ComputeJoint == nil:
			single = append(single, m)
		case j.scores.Standardised.Has(m.Name):
			joint = append(joint, measure.Value{Measure: m.Name, Score: j.scores.Standardised.Get(m.Name)})
		}
	}
	return single, joint
}

// headings returns the heading of each target's table: "measure" for the only target, and for several their names, with
// the number of rows in which a target is known if it is not known in all of them.
func (j *judgement) headings() []string {
	if len(j.model.Targets) == 1 {
		return []string{"measure"}
	}
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
