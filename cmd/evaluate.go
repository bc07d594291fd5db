package cmd

import (
	"cmp"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// evaluateCommand returns the command "sml evaluate".
func evaluateCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "evaluate",
		Usage:     "score a model on rows whose targets are known",
		UsageText: "sml evaluate MODEL [NAME|FILE|-] [--on train|calibration|test|all] [--against ROWS|FILE] [options]",
		Action:    modelFileAction("data", evaluate),
	}, []string{
		"sml evaluate model",
		"sml evaluate model --data later.csv --predictions rows.csv",
	}, optionGroup{"Data", append(judgedFlags("test if rows were held out, otherwise all, with a warning"), againstFlag())},
		optionGroup{"Predictions", []cli.Flag{samplesFlag(), momentsFlag(), samplingSeedFlag(), uncalibratedFlag(), engineFlag()}},
		optionGroup{"Measures", []cli.Flag{measuresFlag(summaryMeasures), protocolFlag("compute the measures by `PROTOCOL`", "as trained")}},
		optionGroup{"Output", []cli.Flag{predictionsFlag(), keepFlag("the table"), readChanged(forceFlag("predictions")), jsonFlag(), quietFlag()}})
}

// evaluateResult is the result of "sml evaluate".
type evaluateResult struct {
	judgedModel
	Protocol data.Protocol `json:"protocol"`
	Weight   string        `json:"weight,omitempty"` // column of the rows' weights

	// Number of training rows of the model among the rows, 0 if chance explains it; nil if
	// the training rows are not known.
	TrainingRows *int `json:"training_rows,omitempty"`

	evaluation.Evaluation
	Baselines []experiment.BaselineScores `json:"baselines,omitempty"` // nil if the training rows are not available
	Remarks   []string                    `json:"remarks,omitempty"`   // sentences on the scores, such as that a baseline is better
	Against   *againstResult              `json:"against,omitempty"`   // nil without --against
}

// evaluate predicts the chosen rows with the model in dir, scores the predictions, and prints the scores.
func evaluate(c *cli.Context, dir string) error {
	e, err := newEvaluator(c, dir)
	if err != nil {
		return err
	}
	result := evaluateResult{
		judgedModel:  newJudgedModel(dir, e.model, &e.rows),
		Protocol:     e.protocol,
		Weight:       e.rows.table.Weight,
		TrainingRows: warnTrainingRows(c, e.model, &e.rows),
	}
	predicted, err := e.rows.predict(c, e.model, e.sampling)
	if err != nil {
		return err
	}
	result.Against, err = e.compareWithOthers(c, predicted)
	if err != nil {
		return err
	}
	truth := e.model.Truth(e.rows.targets, e.rows.indices)
	var calibrated *evaluation.Predictions
	result.Evaluation, err = await(c.Context, func() (scores evaluation.Evaluation, err error) {
		scores, calibrated, err = e.model.Evaluate(e.rows.targets, e.rows.indices, predicted, e.protocol, e.measures)
		return scores, err
	})
	if err != nil {
		return err
	}
	result.Baselines, err = e.rows.scoreBaselines(c, e.model, comparedMeasures(e.model, e.measures))
	if err != nil {
		return err
	}
	judged := &judgement{
		model:     e.model,
		scores:    &result.Evaluation,
		baselines: result.Baselines,
		measures:  e.measures,
	}
	result.Remarks = judged.remarks()
	if err := writePredictions(c, e.model, &e.rows, calibrated, truth); err != nil {
		return err
	}
	warnCalibratedOn(c, e.model, truth)
	warn(c, result.Warnings()...)
	return printResult(c, result, func(w io.Writer) { result.print(w, e.rows, judged) })
}

// evaluator has everything that "sml evaluate" works on, as the flags choose it.
type evaluator struct {
	dir      string // directory of the model
	model    *experiment.Model
	sampling evaluation.Sampling
	protocol data.Protocol // protocol of the measures
	measures []string      // names of the measures; nil for the default measures
	rows     judgedRows
}

// newEvaluator opens the model in dir, checks the flags and reads the rows. It checks the file of --predictions
// before it reads the rows, which may take long.
func newEvaluator(c *cli.Context, dir string) (e *evaluator, err error) {
	e = &evaluator{dir: dir}
	e.model, e.sampling, err = openToSample(c, dir)
	if err != nil {
		return nil, err
	}
	e.protocol = chosenProtocol(c, cmp.Or(e.model.Settings.Training.Protocol, data.Paper))
	e.measures = chosenMeasures(c)
	if err := checkPredictionsFile(c); err != nil {
		return nil, err
	}
	e.rows, err = readJudged(c, e.model)
	if err != nil {
		return nil, err
	}
	return e, loadTrainingRows(c, e.model, dir)
}

// print writes the scores on the judged rows for people.
func (r *evaluateResult) print(w io.Writer, rows judgedRows, judged *judgement) {
	fmt.Fprintln(w, r.describe(&rows))
	judged.print(w)
	if r.Against != nil {
		r.Against.print(w)
	}
}

// warnCalibratedOn warns if the model was calibrated on the judged rows, whose targets are truth. A model
// whose targets cannot be standardised was not calibrated on them.
func warnCalibratedOn(c *cli.Context, m *experiment.Model, truth evaluation.Truth) {
	if m.Calibration == nil {
		return
	}
	y, err := truth.Standardised()
	if err == nil && m.Calibration.IsFittedTo(y) {
		warn(c, "the model was calibrated on these rows, so that its intervals cover as many of them as they should, whatever they do to others: judge rows of their own")
	}
}
