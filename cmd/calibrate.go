package cmd

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
)

// calibrateCommand returns the command "sml calibrate".
func calibrateCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "calibrate",
		Usage:     "correct a model's intervals so that they cover what they promise, using rows that it was not trained on",
		UsageText: "sml calibrate MODEL [NAME|FILE|-] [--kind KIND] [options]",
		Description: "The calibration is saved in the model and replaces an earlier one; predict and evaluate apply it. The\n" +
			"weights do not change. Without --data the calibration uses the rows that were held out of the training.\n" +
			"The scores shown after calibration come from ten parts of the rows, each left out of a calibration.",
		Action: modelFileAction("data", calibrateModel),
	}, []string{
		"sml calibrate model",
		"sml calibrate model --data later.csv --kind isotonic --coverage 0.9",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "data", Usage: "calibrate on these rows with targets: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the rows held out of the training"},
		dataDirFlag(),
		headerFlag("--data"),
		&cli.StringFlag{Name: "kind", Value: calibrate.Names()[0], Usage: "calibrate by this `KIND` of correction: " + calibrationKinds()},
		&cli.Float64Flag{Name: "coverage", Value: calibrate.DefaultCoverage, Usage: "calibrate intervals up to this `PROBABILITY`"},
		&cli.StringFlag{Name: "by", Usage: "calibrate the rows of each value of `COLUMN` separately"},
		&cli.IntFlag{Name: "mean-groups", Usage: "calibrate `NUMBER` groups of rows separately, by their predicted mean; 0 for one group"},
		samplesFlag(), momentsFlag(), samplingSeedFlag(), engineFlag(),
		jsonFlag(), quietFlag(),
	}})
}

// calibrationKinds returns the kinds with their summaries.
func calibrationKinds() string {
	var descriptions []string
	for _, k := range calibrate.Kinds() {
		descriptions = append(descriptions, k.Name+" ("+k.Summary+")")
	}
	return strings.Join(descriptions, "; ")
}

// calibrateResult is the result of "sml calibrate".
type calibrateResult struct {
	Model       string                 `json:"model"`
	Data        string                 `json:"data"`
	Calibration *calibrate.Calibration `json:"calibration"`
	Before      *evaluation.Evaluation `json:"before"`
	After       *evaluation.Evaluation `json:"after"` // by cross-validation; nil with too few rows
}

// calibrateModel fits a calibration to rows that the model in dir was not trained on, saves it in
// the model, and prints the scores before and after. A calibration widens or narrows the intervals,
// so that they contain as many targets of these rows as they promise.
func calibrateModel(c *cli.Context, dir string) error {
	options := calibrate.Options{
		Kind:        c.String("kind"),
		Coverage:    c.Float64("coverage"),
		GroupColumn: c.String("by"),
		MeanGroups:  c.Int("mean-groups"),
	}
	if err := resolveCalibration(c, "", &options); err != nil {
		return err
	}
	m, sampling, err := openToSample(c, dir)
	if err != nil {
		return err
	}
	if err := chooseKind(c, m, &options); err != nil {
		return err
	}
	if err := loadRest(m, dir); err != nil { // Save writes all parts of the model again
		return err
	}
	rows, err := rowsToJudge(c, m, options.GroupColumn)
	if err != nil {
		return err
	}
	noteTable(c, rows.targets)
	const remedy = "name other rows with --data, or keep some when training, with train --calibrate 0.2"
	if err := checkFresh(c, m, dir, &rows, remedy); err != nil {
		return err
	}
	predicted, err := rows.predict(c, m, sampling)
	if err != nil {
		return err
	}
	result := calibrateResult{Model: dir, Data: rows.name}
	if err := result.fit(m, rows, predicted, options); err != nil {
		return err
	}
	if err := result.save(m, dir, rows.splitPart); err != nil {
		return err
	}
	return printResult(c, result, func(w io.Writer) { result.print(w, m, rows.splitPart) })
}

// save saves the model, with the calibration and the test scores before and after it, in dir. splitPart names the rows
// that it was calibrated on, such as "test".
func (r *calibrateResult) save(m *experiment.Model, dir, splitPart string) error {
	testScores := uncalibratedScores(m)
	if testScores != nil {
		m.SetScores(r.calibratedScores(testScores, splitPart))
	}
	const replace = true
	return m.Save(dir, replace)
}

// chooseKind completes options with the kind of calibration that suits the model's predictions, unless --kind is set.
// It returns a usage error if the chosen options do not suit them.
func chooseKind(c *cli.Context, m *experiment.Model, options *calibrate.Options) error {
	predictsClasses := m.Architecture.Classes > 0
	if !c.IsSet("kind") {
		options.Kind = calibrate.DefaultKind(predictsClasses)
	}
	if err := options.CheckTargets(predictsClasses); err != nil {
		return usageError{err}
	}
	if options.Kind == calibrate.DefaultKind(true) && c.IsSet("coverage") {
		return usageErrorf("--coverage does nothing: calibration %s has no intervals", options.Kind)
	}
	return nil
}

// calibratedScores returns the scores to save in a calibrated model, whose test scores without calibration are
// testScores. splitPart names the rows that the model was calibrated on. If these are not the test rows, or too few to
// judge the calibration by cross-validation, its test scores are not known: the result then has only testScores.
func (r *calibrateResult) calibratedScores(testScores *evaluation.Evaluation, splitPart string) *evaluation.Evaluation {
	scores := evaluation.Evaluation{Rows: testScores.Rows, Samples: testScores.Samples}
	if splitPart == testRows && r.After != nil {
		scores = *r.After
	}
	scores.Uncalibrated = testScores
	return &scores
}

// fit fits the calibration to the predictions p of rows, gives it to the model, and sets the result's calibration and the
// scores. If there are too few rows, its error suggests flags.
func (r *calibrateResult) fit(m *experiment.Model, rows judgedRows, p *evaluation.Predictions, o calibrate.Options) error {
	if o.GroupColumn != "" {
		// The user may have given the column's number. The column was read as the first kept column.
		o.GroupColumn = rows.targets.KeptTexts.Names[0]
	}
	calibration, keptRows, err := m.FitCalibration(rows.targets, rows.indices, rows.subset(m), p, o)
	if errors.Is(err, calibrate.ErrTooFew) {
		return fmt.Errorf("%w (--data, --coverage)", err)
	}
	if err != nil {
		return err
	}
	m.SetCalibration(calibration, keptRows)
	r.Calibration = calibration
	r.Before, r.After, err = m.CrossCalibrate(rows.targets, rows.indices, p, o, m.Settings.Training.Protocol)
	return err
}

// print writes the result for people. splitPart names the rows that the model was calibrated on, such as "test".
func (r calibrateResult) print(w io.Writer, m *experiment.Model, splitPart string) {
	fmt.Fprintf(w, "%s (%s) calibrated on %d rows of %s (%s), %s\n", r.Model, m.Method, r.Calibration.Rows, r.Data, splitPart, describeCalibration(r.Calibration))
	if r.After == nil {
		fmt.Fprintln(w, "too few rows to leave some out and say what it does; evaluate says it on others")
		return
	}
	measures := knownMeasures(m.SummaryMeasures())
	before := r.Before.Targets()
	for i, after := range r.After.Targets() {
		columns := []methodScores{{"before", before[i].Original}, {"after", after.Original}}
		fmt.Fprintln(w, renderScores(m.Targets[i].Name, withScores(measures, columns), columns))
	}
}

// uncalibratedScores returns the model's test scores without calibration, nil if the model has no
// test scores. The scores of a model that was never calibrated are uncalibrated themselves.
func uncalibratedScores(m *experiment.Model) *evaluation.Evaluation {
	if m.Scores != nil && m.Scores.Uncalibrated != nil {
		return m.Scores.Uncalibrated
	}
	return m.Scores
}
