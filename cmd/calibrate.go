package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/models"
)

func calibrateCommand() *cli.Command {
	return &cli.Command{
		Name:      "calibrate",
		Usage:     "correct a model's intervals so that they cover what they promise, using rows that it was not trained on",
		UsageText: "sml calibrate MODEL [--data NAME|FILE|-] [--kind KIND] [options]",
		Description: "The calibration is saved in the model and replaces an earlier one; predict and evaluate apply it. The\n" +
			"weights do not change. Without --data the calibration uses the rows that were held out of the training.\n" +
			"The scores shown after calibration come from ten parts of the rows, each left out of a calibration.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "data", Usage: "calibrate on these rows with targets: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the rows held out of the training"},
			dataDirFlag(),
			headerFlag("--data"),
			&cli.StringFlag{Name: "kind", Value: calibrate.Names()[0], Usage: "`KIND` of calibration: " + kindsOfCalibration()},
			&cli.Float64Flag{Name: "coverage", Value: 0.95, Usage: "calibrate intervals up to this `PROBABILITY`"},
			&cli.StringFlag{Name: "by", Usage: "calibrate the rows of each value of `COLUMN` separately"},
			&cli.BoolFlag{Name: "remove", Usage: "remove the model's calibration"},
			samplesFlag(), samplingSeedFlag(), engineFlag(),
			jsonFlag(), quietFlag(),
		},
		Action: onArgument("the model's directory", calibrateModel),
	}
}

// kindsOfCalibration returns the kinds with their summaries.
func kindsOfCalibration() string {
	var list []string
	for _, k := range calibrate.Kinds() {
		list = append(list, k.Name+" ("+k.Summary+")")
	}
	return strings.Join(list, "; ")
}

// checkCalibration checks and completes the calibration of a training.
func checkCalibration(c *cli.Context, s *experiment.Settings) error {
	share := s.Training.Calibrate
	if c.IsSet("calibrate") && !(share > 0 && share < 1) {
		return usage("--calibrate %v: want a share of more than 0 and less than 1", share)
	}
	if share > 0 {
		return resolveCalibration(c, "calibrate-", &s.Calibration)
	}
	for _, flag := range []string{"calibrate-kind", "calibrate-coverage", "calibrate-by"} {
		if c.IsSet(flag) {
			return usage("--%s %v needs --calibrate SHARE, which keeps rows for it", flag, c.Value(flag))
		}
	}
	return nil
}

// resolveCalibration checks and completes options whose flags begin with prefix.
func resolveCalibration(c *cli.Context, prefix string, o *calibrate.Options) error {
	if c.IsSet(prefix+"coverage") && !(o.Coverage > 0 && o.Coverage <= maxCoverage) {
		return usage("--%scoverage %v: want more than 0, and at most %v", prefix, o.Coverage, maxCoverage)
	}
	if o.Kind != "" {
		if _, err := calibrate.Lookup(o.Kind); err != nil {
			return usage("--%skind: %w", prefix, err)
		}
	}
	var err error
	*o, err = o.Resolve()
	return err
}

func rawFlag() cli.Flag {
	return &cli.BoolFlag{Name: "raw", Usage: "leave out the model's calibration"}
}

// calibrated is the result of "sml calibrate".
type calibrated struct {
	Model       string                 `json:"model"`
	Data        string                 `json:"data"`
	Calibration *calibrate.Calibration `json:"calibration"`
	Before      *evaluation.Evaluation `json:"before"`
	After       *evaluation.Evaluation `json:"after"` // by cross-validation; nil with too few rows
}

func calibrateModel(c *cli.Context, dir string) error {
	if c.Bool("remove") {
		return removeCalibration(c, dir)
	}
	options := calibrate.Options{Kind: c.String("kind"), Coverage: c.Float64("coverage"), By: c.String("by")}
	if err := resolveCalibration(c, "", &options); err != nil {
		return err
	}
	m, sampling, err := modelToSample(c, dir)
	if err != nil {
		return err
	}
	if err := loadRest(m, dir); err != nil {
		return err
	}
	rows, err := await(c.Context, func() (judgedRows, error) { return rowsToJudge(c, m, options.By) })
	if err != nil {
		return err
	}
	warn(c, rows.targets)
	if err := checkFresh(c, m, dir, &rows); err != nil {
		return err
	}
	stop := showSampling(c, &sampling)
	p, err := await(c.Context, func() (*evaluation.Predictions, error) {
		p, err := evaluation.Predict(c.Context, m.Model, rows.subset(m), sampling)
		return p, interruption(err)
	})
	stop()
	if err != nil {
		return err
	}
	result := calibrated{Model: dir, Data: rows.name}
	if err := result.fit(m, rows, p, options); err != nil {
		return err
	}
	m.SetCalibration(result.Calibration)
	if raw := uncalibratedScores(m); raw != nil {
		scores := evaluation.Evaluation{Rows: raw.Rows, Samples: raw.Samples}
		if rows.on == "test" && result.After != nil {
			scores = *result.After
		}
		scores.Uncalibrated = raw
		m.SetScores(&scores)
	}
	if err := m.Save(dir, true); err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c, result)
	}
	return result.print(c, m.Method, rows.on)
}

// fit fits the calibration to predictions of rows and scores it by cross-validation.
func (r *calibrated) fit(m *experiment.Model, rows judgedRows, p *evaluation.Predictions, o calibrate.Options) (err error) {
	if o.By != "" { // it may be the number of a column
		o.By = rows.targets.Kept.Names[0]
	}
	r.Calibration, err = m.FitCalibration(rows.targets, rows.numbers, p, o)
	if errors.Is(err, calibrate.ErrTooFew) {
		return fmt.Errorf("%w (--data, --coverage)", err)
	}
	if err != nil {
		return err
	}
	r.Before, r.After, err = m.CrossCalibrate(rows.targets, rows.numbers, p, o, m.Settings.Training.Protocol)
	return err
}

// print writes the result for people; on names the rows.
func (r calibrated) print(c *cli.Context, method, on string) error {
	fmt.Fprintf(c.App.Writer, "%s (%s) calibrated on %d rows of %s (%s), %s\n", r.Model, method, r.Calibration.Rows, r.Data, on, saysCalibration(r.Calibration))
	if r.After == nil {
		fmt.Fprintln(c.App.Writer, "too few rows to leave some out and say what it does; evaluate says it on others")
		return nil
	}
	r.After.Uncalibrated = r.Before
	return scoresTable(c.App.Writer, r.After, nil)
}

// loadRest reads the parts that experiment.Open leaves out, so that the model can be saved
// again.
func loadRest(m *experiment.Model, dir string) (err error) {
	if m.History, err = models.LoadHistory(dir); err != nil {
		return err
	}
	m.TrainingRows, err = models.LoadTrainingRows(dir)
	return err
}

// saysCalibration describes a calibration for people.
func saysCalibration(c *calibrate.Calibration) string {
	says := fmt.Sprintf("%s, for intervals of up to %v%%", c.Kind, 100*c.Coverage)
	if c.By != "" {
		says += fmt.Sprintf(", each of %s of %s by itself", terminal.Count(len(c.Groups)-1, "value"), c.By)
	}
	return says
}

func removeCalibration(c *cli.Context, dir string) error {
	m, err := openModel(c, dir)
	if err != nil {
		return err
	}
	if m.Calibration == nil {
		return errors.New(dir + " has no calibration")
	}
	if err := loadRest(m, dir); err != nil {
		return err
	}
	m.SetCalibration(nil)
	if raw := uncalibratedScores(m); raw != nil {
		m.SetScores(raw)
	}
	if err := m.Save(dir, true); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s has no calibration any more\n", dir)
	return err
}

// uncalibratedScores returns the model's test scores without calibration, or nil if it has
// none.
func uncalibratedScores(m *experiment.Model) *evaluation.Evaluation {
	if m.Scores != nil && m.Scores.Uncalibrated != nil {
		return m.Scores.Uncalibrated
	}
	return m.Scores
}

// tellUnknownGroups prints the values of the calibration's column that no calibration row has.
func tellUnknownGroups(c *cli.Context, by *calibrate.Calibration, unknown []string) {
	if len(unknown) == 0 {
		return
	}
	says := strings.Join(unknown[:min(len(unknown), maxTold)], ", ")
	if more := len(unknown) - maxTold; more > 0 {
		says += fmt.Sprintf(" and %d more", more)
	}
	note(c, "%s: %s: not among the rows calibrated on; calibrated as all rows together", by.By, says)
}
