package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study"
	"sml/evaluation/study/tune"
)

// tuneCommand returns the command "sml tune".
func tuneCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "tune",
		Usage:     "choose settings by cross-validation inside the training rows, and train the best",
		UsageText: "sml tune --data NAME|FILE --space \"hidden=20|50|50,50,lr=1e-4..1e-2:log\" --out DIR [options]",
		Description: "A trial draws settings from --space and judges them by cross-validation: it scores each fold of the\n" +
			"training rows with networks trained on the other folds or, with --time, on earlier rows. No trial sees the\n" +
			"rows that the split holds out. The best settings are then trained on all training rows, as DIR/model, and scored once on the held-out\n" +
			"rows. DIR also gets trials.csv and trials.json. The same command continues an interrupted tuning.\n\n" +
			"Separate the settings of a space by commas, or repeat the flag. A setting has a range a..b or a list\n" +
			"a|b|c; add :log to a range for a uniform logarithm, :int for whole numbers. A setting is method, a\n" +
			"hyperparameter (see \"sml methods\"), or a flag that studies vary, such as lr, batch, dropout, hidden,\n" +
			"activation or optimizer. All other flags are flags of train and hold for all trials.",
		Action: fileArgumentAction("data", nil, func(c *cli.Context, _ []string) error { return tuneSettings(c) }),
	}, []string{
		`sml tune --data houses.csv --target price --space "hidden=64|256,lr=1e-4..1e-2:log" --trials 6 --epochs 30 --out tuned`,
	}, mostUsedFirst(tuneOptionGroups(), "data", "target", "space", "trials", "time-limit", "measure", "folds", "method", "split", "group", "time", "drop", "na", "epochs", "seed", "jobs", "out", "force", "json")...)
}

// tuneOptionGroups returns the options of tune by purpose.
func tuneOptionGroups() []optionGroup {
	var strategies []string
	for _, s := range tune.Strategies() {
		strategies = append(strategies, fmt.Sprintf("%s (%s)", s.Name, s.Summary))
	}
	search := optionGroup{"Search", []cli.Flag{
		&cli.StringSliceFlag{Name: "space", Usage: "try these `SETTINGS`, such as \"hidden=64|256,lr=1e-4..1e-2:log\"; repeat the flag for several"},
		&cli.IntFlag{Name: "trials", Value: 40, Usage: "run this `NUMBER` of trials"},
		lookedUp(&cli.StringFlag{Name: "strategy", Value: tune.Strategies()[0].Name, Usage: "propose trials by the search strategy `NAME`: " + strings.Join(strategies, "; ")}, tune.LookupStrategy),
		lookedUp(&cli.StringFlag{Name: "measure", Value: "crps", Usage: "compare trials by this `MEASURE` (see \"sml measures\")"}, measure.Lookup),
		&cli.IntFlag{Name: "folds", DefaultText: "3, or 2 if there are fewer groups or times", Usage: "cut the training rows into this `NUMBER` of folds, by whole groups or by time if the split is by them"},
		jobsFlag("trainings"),
		&cli.DurationFlag{Name: "time-limit", Usage: "end the trials after this `TIME`, such as 10m, and train the best of the complete ones; the same command continues", DefaultText: "none"},
	}}
	output := optionGroup{"Output", []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "write the trials and the model into `DIR`"},
		jsonFlag(), quietFlag(),
	}}
	return slices.Concat([]optionGroup{search}, sharedOptionGroups(), []optionGroup{output})
}

// tuneSettings runs the trials of a tuning, or continues them, and trains the best settings.
func tuneSettings(c *cli.Context) error {
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	t, err := chosenTuning(c)
	if err != nil {
		return err
	}
	if err := t.Check(); err != nil {
		checkWithout := func(s experiment.Setting) error {
			other := t
			other.Study = withoutSetting(t.Study, s)
			return other.Check()
		}
		return nameFlags(c, err, checkWithout)
	}
	if err := checkTuningFolder(out); err != nil {
		return err
	}
	if c.IsSet("time-limit") && c.Duration("time-limit") <= 0 {
		return usageErrorf("--time-limit %v: it must be more than 0", c.Duration("time-limit"))
	}
	folder, err := openFolder(c, out)
	if err != nil {
		return err
	}
	defer folder.close()
	err = tuneInto(c, t, out, folder)
	if errors.Is(err, context.Canceled) || errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w: go on with the same command", errInterrupted)
	}
	return err
}

// tuneInto runs the trials, writes their results, and trains the best settings.
func tuneInto(c *cli.Context, t tune.Tuning, out string, folder *folder) error {
	read := readOnce(studyTables(c))
	found, err := runTuning(c, t, out, read)
	if err != nil {
		return err
	}
	err = folder.write(c.Context, []report.File{
		{Name: "trials.csv", Write: found.WriteCSV},
		{Name: "trials.json", Write: found.WriteJSON},
	})
	if err != nil {
		return err
	}
	switch {
	case found.Best < 0 && found.TimedOut:
		return fmt.Errorf("no trial was complete within --time-limit %v: go on with the same command", c.Duration("time-limit"))
	case found.Best < 0: // all trials failed
		return fmt.Errorf("no trial of %d came to a score; the first: %s", len(found.Trials), found.Trials[0].Reason)
	}
	return trainBest(c, found, out, read)
}

// runTuning runs the trials that out has no results of, and shows how far they are. It returns an error if
// out has a tuning with other settings.
func runTuning(c *cli.Context, t tune.Tuning, out string, read study.Reader) (*tune.Result, error) {
	view := newProgress(c, "tuning")
	defer view.End()
	stopNote := announce(c, "tuning: reading "+c.String("data"))
	defer stopNote()
	found, err := t.Run(c.Context, out, programVersion(), read, tune.Options{
		Jobs:      c.Int("jobs"),
		Machine:   machine(),
		TimeLimit: c.Duration("time-limit"),
		Progress: func(now tune.Progress) {
			stopNote() // the table is read once a trial reports
			showTrials(view, now, measure.Title(t.Measure))
		},
	})
	if errors.Is(err, tune.ErrOtherTuning) {
		return nil, fmt.Errorf("%w: choose another --out, or give the command that began it", err)
	}
	return found, err
}

// showTrials shows how far the trials are. title is the title of their measure.
func showTrials(view *terminal.Progress, now tune.Progress, title string) {
	trials := fmt.Sprintf(", round %d, %d of %d trials ended", now.Round, now.EndedTrials, now.Trials)
	if now.FailedTrainings > 0 {
		trials += fmt.Sprintf(", %s failed", terminal.Count(now.FailedTrainings, "training"))
	}
	if !math.IsNaN(now.BestScore) {
		trials += fmt.Sprintf(", best %s %.4g", title, now.BestScore)
	}
	const steps = 1_000_000 // of the progress line, which counts whole steps
	// Never the last step, which would complete and remove the bar before the trials have ended.
	step := min(int(steps*now.Fraction), steps-1)
	view.At(step, steps, trials)
}

// tuneResult is the result of "sml tune".
type tuneResult struct {
	Tuning   string          `json:"tuning"`
	Data     string          `json:"data"`
	Strategy string          `json:"strategy"`
	Measure  string          `json:"measure"`
	Folds    int             `json:"folds"`
	Rows     int             `json:"training_rows"`
	Trials   int             `json:"trials"`
	Failed   int             `json:"failed"`
	Complete int             `json:"complete_trials,omitempty"` // only if the time limit stopped other trials
	Best     bestTrial       `json:"best"`
	Command  []string        `json:"command"`        // train command for the best settings, without --out
	Model    string          `json:"model"`          // directory of the model with the best settings
	Test     json.RawMessage `json:"test,omitempty"` // scores of the model on the held-out rows

	Baselines []experiment.BaselineScores `json:"baselines,omitempty"` // scores of simple methods on the held-out rows
	Remarks   []string                    `json:"remarks,omitempty"`   // sentences on the scores, such as that a baseline is better
}

// bestTrial is the trial with the best score. Its Rung has the mean and the standard deviation of the score
// over the folds.
type bestTrial struct {
	Trial    int           `json:"trial"`
	Method   string        `json:"method"`
	Settings tune.Settings `json:"settings"`
	tune.Rung
}

// trainBest trains the best settings on all training rows, and prints the result of the tuning.
func trainBest(c *cli.Context, found *tune.Result, out string, read study.Reader) error {
	best := found.Trials[found.Best]
	model := filepath.Join(out, "model")
	judged, err := trainTuned(c, found.Settings, model, read)
	if err != nil {
		return err
	}
	result := tuneResult{
		Tuning:   out,
		Data:     c.String("data"),
		Strategy: found.Tuning.Strategy,
		Measure:  found.Measure.Name,
		Folds:    found.Tuning.Folds,
		Rows:     found.Rows,
		Trials:   len(found.Trials),
		Failed:   found.Failed,
		Best: bestTrial{
			Trial:    best.Number,
			Method:   best.Method,
			Settings: best.Settings,
			Rung:     best.Score(),
		},
		Command:   tunedCommand(c, best, found.Settings),
		Model:     model,
		Test:      judged.model.Model.Scores,
		Baselines: judged.baselines,
		Remarks:   judged.remarks(),
	}
	if found.TimedOut {
		result.Complete = found.Complete
	}
	return printResult(c, result, func(w io.Writer) { result.print(w, found, judged) })
}

// print writes the result for people: how the trials went, the best settings with the command that trains
// them, and the scores of the trained model on the held-out rows.
func (t tuneResult) print(w io.Writer, found *tune.Result, judged *judgement) {
	t.printTrials(w, found, len(judged.scores.Targets()))
	fmt.Fprintf(w, "train it with: %s --out MODEL\n", terminal.ShellCommand(t.Command...))
	fmt.Fprintf(w, "%s is it, trained on all training rows; on the %s held out, which no trial has seen:\n", t.Model, terminal.Count(judged.scores.Rows, "row"))
	judged.print(w)
	// The best of many noisy scores is best partly by luck.
	compared := t.Trials - t.Failed
	if found.TimedOut {
		compared = t.Complete
	}
	fmt.Fprintf(w, "the score of the best trial is the best of %d, so expect other rows to come out worse: the scores on rows held out are the honest ones\n", compared)
}

// printTrials writes how many trials were compared and how, and the settings and score of the best one. targets is the
// number of targets.
func (t tuneResult) printTrials(w io.Writer, found *tune.Result, targets int) {
	score := found.Measure.Title
	if found.Measure.Unit != measure.None {
		score = "standardised " + score
	}
	if targets > 1 {
		score += fmt.Sprintf(" (mean over %d targets)", targets)
	}
	fmt.Fprintf(w, "%s: %s of %s, compared by %s on %d folds of the %d training rows", t.Tuning, terminal.Count(t.Trials, "trial"), t.Data, score, t.Folds, t.Rows)
	if t.Failed > 0 {
		fmt.Fprintf(w, "; %d failed, and count as worst (trials.csv says why)", t.Failed)
	}
	if found.TimedOut {
		fmt.Fprintf(w, "; %d of %d were complete when the time limit was over: the same command goes on", t.Complete, found.Tuning.Trials)
	}
	best := t.Best.Rung
	fmt.Fprintf(w, "\nbest is trial %d, %s %.4g ± %.2g over the folds:", t.Best.Trial, score, float64(best.Mean), float64(best.Std))
	for _, s := range found.Trials[found.Best].Settings {
		fmt.Fprintf(w, " %s=%s", s.Key, s.Value)
	}
	fmt.Fprintln(w)
}
