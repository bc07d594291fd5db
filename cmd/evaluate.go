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
		UsageText: "sml evaluate MODEL [--on train|calibration|test|all] [--data NAME|FILE|-] [--against ROWS|FILE] [options]",
		Action:    argumentAction("the model's directory", evaluate),
	}, []string{
		"sml evaluate model",
		"sml evaluate model --data later.csv --predictions rows.csv",
	}, optionGroup{"Data", append(judgedFlags("test if rows were held out, otherwise all, with a warning"), againstFlag())},
		optionGroup{"Predictions", []cli.Flag{samplesFlag(), samplingSeedFlag(), uncalibratedFlag(), engineFlag()}},
		optionGroup{"Measures", []cli.Flag{measuresFlag(), protocolFlag("compute the measures by `PROTOCOL`", "as trained")}},
		optionGroup{"Output", []cli.Flag{predictionsFlag(), keepFlag("the table"), forceFlag("predictions"), jsonFlag(), quietFlag()}})
}

// evaluateResult is the result of "sml evaluate".
type evaluateResult struct {
	Model    string        `json:"model"`
	Method   string        `json:"method"`
	Data     string        `json:"data"`
	On       string        `json:"on"`
	Protocol data.Protocol `json:"protocol"`
	Weight   string        `json:"weight,omitempty"` // column of the rows' weights

	// Number of training rows of the model among the rows, 0 if chance explains it; nil if
	// the training rows are not known.
	TrainingRows *int `json:"training_rows,omitempty"`

	evaluation.Evaluation
	Against *stdComparison `json:"against,omitempty"`
}

// evaluate predicts the chosen rows with the model in dir, scores the predictions, and prints the
// scores.
func evaluate(c *cli.Context, dir string) error {
	m, sampling, err := openToSample(c, dir)
	if err != nil {
		return err
	}
	protocol, err := chosenProtocol(c, cmp.Or(m.Settings.Training.Protocol, data.Paper))
	if err != nil {
		return err
	}
	measures, err := chosenMeasures(c)
	if err != nil {
		return err
	}
	if err := checkPredictionsFile(c); err != nil {
		return err
	}
	rows, err := readJudged(c, m)
	if err != nil {
		return err
	}
	loadTrainingRows(c, m, dir)
	result := evaluateResult{
		Model:        dir,
		Method:       m.Method,
		Data:         rows.name,
		On:           rows.on,
		Protocol:     protocol,
		Weight:       rows.table.Weight,
		TrainingRows: warnTrainingRows(c, m, &rows),
	}
	predicted, err := rows.predict(c, m, sampling)
	if err != nil {
		return err
	}
	result.Against, err = compareStd(c, m, rows, predicted, sampling)
	if err != nil {
		return err
	}
	predicted, err = await(c.Context, func() (calibrated *evaluation.Predictions, err error) {
		result.Evaluation, calibrated, err = m.Evaluate(rows.targets, rows.numbers, predicted, protocol, measures)
		return calibrated, err
	})
	if err != nil {
		return err
	}
	truth := m.Truth(rows.targets, rows.numbers)
	if err := writePredictions(c, m, rows, predicted, truth); err != nil {
		return err
	}
	warnCalibratedOn(c, m, truth)
	warnAll(c, result.Warnings())
	return printResult(c, result, func(w io.Writer) error { return result.print(w, rows, measures) })
}

// print writes the scores on the judged rows for people. measures are the names of the measures that
// the user chose, nil for the default measures.
func (r *evaluateResult) print(w io.Writer, rows judgedRows, measures []string) error {
	fmt.Fprintf(w, "%s (%s) on %s%s\n", r.Model, r.Method, &rows, describeWeights(rows.table))
	if err := writeScores(w, &r.Evaluation, measures); err != nil {
		return err
	}
	if r.Against == nil {
		return nil
	}
	return r.Against.print(w)
}

// warnCalibratedOn warns if the model was calibrated on the judged rows.
func warnCalibratedOn(c *cli.Context, m *experiment.Model, truth evaluation.Truth) {
	if m.Calibration == nil {
		return
	}
	y, err := truth.Standardised()
	if err == nil && m.Calibration.IsFittedTo(y) {
		warnAll(c, []string{"the model was calibrated on these rows, so that its intervals cover as many of them as they should, whatever they do to others: judge rows of their own"})
	}
}
