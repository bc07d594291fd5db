package cmd

import (
	"cmp"
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
)

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:      "evaluate",
		Usage:     "score a model on rows whose targets are known",
		UsageText: "sml evaluate MODEL [--on train|calibration|test|all] [--data NAME|FILE|-] [--against ROWS|FILE] [options]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "on", Usage: "use these `ROWS` of the table that the model was trained on: train, calibration, test, all", DefaultText: "test if rows were held out, otherwise all, with a warning"},
			&cli.StringFlag{Name: "data", Usage: "use another table: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the table that the model was trained on"},
			dataDirFlag(),
			headerFlag("--data"),
			samplesFlag(), samplingSeedFlag(),
			protocolFlag(" of the measures", "as trained"),
			rawFlag(),
			measuresFlag(),
			againstFlag(),
			predictionsFlag(), keepFlag("the table"),
			forceFlagFor("predictions"),
			engineFlag(),
			jsonFlag(), quietFlag(),
		},
		Action: onArgument("the model's directory", evaluate),
	}
}

func samplesFlag() cli.Flag {
	return &cli.IntFlag{Name: "samples", Value: evaluation.DefaultSamples, Usage: "`NUMBER` of dropout sub-networks for each row"}
}

func samplingSeedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Usage: "seed of the dropout masks, a `NUMBER`", DefaultText: "the model's"}
}

// showSampling shows the progress of a sampling until end is called.
func showSampling(c *cli.Context, s *evaluation.Sampling) (end func()) {
	p := newProgress(c, "sampling sub-networks")
	s.Progress = func(done, total int) { p.At(done, total, "") }
	return p.End
}

func protocolFlag(of, byDefault string) cli.Flag {
	return &cli.StringFlag{Name: "protocol", Usage: "`PROTOCOL`" + of + ": paper (as published) or sound (with its errors corrected)", DefaultText: byDefault}
}

// protocolOr reads the flag of protocolFlag.
func protocolOr(c *cli.Context, byDefault data.Protocol) (data.Protocol, error) {
	if !c.IsSet("protocol") {
		return byDefault, nil
	}
	p, err := data.ParseProtocol(c.String("protocol"))
	if err != nil {
		return p, usageError{err}
	}
	return p, nil
}

// judged is the result of "sml evaluate".
type judged struct {
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
	Against *against `json:"against,omitempty"`
}

func evaluate(c *cli.Context, dir string) error {
	m, sampling, err := modelToSample(c, dir)
	if err != nil {
		return err
	}
	protocol, err := protocolOr(c, cmp.Or(m.Settings.Training.Protocol, data.Paper))
	if err != nil {
		return err
	}
	measures, err := measuresOf(c)
	if err != nil {
		return err
	}
	if err := placePredictions(c); err != nil {
		return err
	}
	j, err := readJudged(c, m)
	if err != nil {
		return err
	}
	loadTrainingRows(c, m, dir)
	result := judged{
		Model: dir, Method: m.Method, Data: j.name, On: j.on, Protocol: protocol, Weight: j.table.Weight,
		TrainingRows: warnTrainingRows(c, m, &j),
	}
	stop := showSampling(c, &sampling)
	predicted, err := await(c.Context, func() (*evaluation.Predictions, error) {
		found, err := evaluation.Predict(c.Context, m.Model, j.subset(m), sampling)
		if err != nil {
			return nil, interruption(err)
		}
		if result.Against, err = compareStd(c, m, j, found, sampling); err != nil {
			return nil, err
		}
		result.Evaluation, found, err = m.Judge(j.targets, j.numbers, found, protocol, measures)
		return found, err
	})
	stop()
	if err != nil {
		return err
	}
	truth := m.Truth(j.targets, j.numbers)
	if err := writePredictions(c, m, j, predicted, truth); err != nil {
		return interruption(err)
	}
	warnCalibratedOn(c, m, truth)
	warnAll(c, result.Warnings())
	if c.Bool("json") {
		return writeJSON(c, result)
	}
	fmt.Fprintf(c.App.Writer, "%s (%s) on %d rows of %s (%s)%s\n", dir, m.Method, result.Rows, j.name, j.on, weightedBy(j.table))
	if err := scoresTable(c.App.Writer, &result.Evaluation, measures); err != nil || result.Against == nil {
		return err
	}
	return result.Against.tell(c.App.Writer)
}

// warnCalibratedOn warns if the model was calibrated on the judged rows.
func warnCalibratedOn(c *cli.Context, m *experiment.Model, truth evaluation.Truth) {
	if m.Calibration == nil {
		return
	}
	y, err := truth.Standardised()
	if err == nil && m.Calibration.FittedOn(y) {
		warnAll(c, []string{"the model was calibrated on these rows, so that its intervals cover as many of them as they should, whatever they do to others: judge rows of their own"})
	}
}

// weightedBy describes the weights of the rows, "" if they have none.
func weightedBy(t *data.Table) string {
	if t.Weight == "" {
		return ""
	}
	return ", weighted by " + t.Weight
}

// modelToSample opens a model and reads the flags of sampling.
func modelToSample(c *cli.Context, dir string) (*experiment.Model, evaluation.Sampling, error) {
	m, err := openModel(c, dir)
	if err != nil {
		return nil, evaluation.Sampling{}, err
	}
	s := m.Sampling
	s.Samples, s.Engine = c.Int("samples"), graph.Engine(c.String("engine"))
	if c.IsSet("seed") {
		s.Seed = c.Uint64("seed")
	}
	if in := models.Limits.Samples; !in.Has(float64(s.Samples)) {
		return nil, s, usage("--samples %d: a spread needs at least 2 sub-networks: want %v", s.Samples, in)
	}
	if _, err := graph.ParseEngine(string(s.Engine)); err != nil {
		return nil, s, usageError{err}
	}
	return m, s, nil
}
