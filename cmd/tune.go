package cmd

import (
	"cmp"
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

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study/tune"
)

func tuneCommand() *cli.Command {
	var samplers []string
	for _, s := range tune.Samplers() {
		samplers = append(samplers, fmt.Sprintf("%s (%s)", s.Name, s.Summary))
	}
	return &cli.Command{
		Name:      "tune",
		Usage:     "choose settings by cross-validation inside the training rows, and train the best",
		UsageText: "sml tune --data NAME|FILE --space \"dropout=0.05..0.3,hidden=20|50|50,50,lr=1e-4..1e-2:log\" --out DIR [options]",
		Description: "A trial draws settings from --space and judges them by cross-validation: it scores each fold of the\n" +
			"training rows with networks trained on the other folds. No trial sees the rows that the split holds out.\n" +
			"The best settings are then trained on all training rows, as DIR/model, and scored once on the held-out\n" +
			"rows. DIR also gets trials.csv, trials.json, and a picture as SVG and PNG. The same command continues an\n" +
			"interrupted tuning.\n\n" +
			"Separate the settings of a space by commas, or repeat the flag. A setting has a range a..b or a list\n" +
			"a|b|c; add :log to a range for a uniform logarithm, :int for whole numbers. A setting is method, a\n" +
			"hyperparameter (see \"sml methods\"), or a flag that studies vary, such as lr, batch, dropout, hidden,\n" +
			"activation or optimizer. All other flags are flags of train and hold for all trials.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "space", Usage: "`SETTINGS` to try, such as \"dropout=0.05..0.3,lr=1e-4..1e-2:log\"; repeat the flag for several"},
			&cli.IntFlag{Name: "trials", Value: 40, Usage: "`NUMBER` of trials"},
			&cli.StringFlag{Name: "sampler", Value: tune.Samplers()[0].Name, Usage: "`NAME` of the sampler that chooses trials: " + strings.Join(samplers, "; ")},
			&cli.StringFlag{Name: "judge", Value: "crps", Usage: "judge trials by this `MEASURE` (see \"sml measures\")"},
			&cli.IntFlag{Name: "folds", Value: 3, Usage: "`NUMBER` of folds that the training rows are cut into: whole groups and later times where the split is by them"},
			&cli.IntFlag{Name: "jobs", Usage: "run `N` trainings at the same time", DefaultText: "all cores"},
			&cli.StringFlag{Name: "out", Usage: "write the trials and the model into `DIR`"},
		}, sharedFlags(), []cli.Flag{jsonFlag(), quietFlag()}),
		Action: tuneSettings,
	}
}

// sharedFlags returns the flags of train that hold for all trials.
func sharedFlags() []cli.Flag {
	flags := trainCommand().Flags
	shared := []string{"method", "set", "seed", "protocol"}
	for _, s := range experiment.ListSettings() {
		if s.Vary { // a trial is a cell of a study
			shared = append(shared, s.Key)
		}
	}
	for _, f := range slices.Concat(dataFlags(), optimizerFlags(), splitFlags()) {
		shared = append(shared, f.Names()[0])
	}
	flags = slices.DeleteFunc(flags, func(f cli.Flag) bool { return !slices.Contains(shared, f.Names()[0]) })
	for _, f := range flags {
		if f, ok := f.(*cli.StringFlag); ok && f.Name == "split" {
			f.DefaultText = tunedSplit
		}
	}
	return flags
}

// tunedSplit is the split of a tuning that names none: some rows are kept for an honest score.
const tunedSplit = "random"

func tuneSettings(c *cli.Context) error {
	if _, err := arguments(c); err != nil {
		return err
	}
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	t, err := tuningOf(c)
	if err != nil {
		return err
	}
	if err := t.Check(); err != nil {
		return usageError{err}
	}
	if err := placeTuning(out); err != nil {
		return err
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

// tuneInto runs the trials, writes what they came to, and trains the best.
func tuneInto(c *cli.Context, t tune.Tuning, out string, folder *folder) error {
	found, err := runTuning(c, t, out)
	if err != nil {
		return err
	}
	if err := writeTrials(c, folder, found); err != nil {
		return err
	}
	if found.Best < 0 {
		return fmt.Errorf("no trial of %d came to a score; the first: %s", len(found.Trials), found.Trials[0].Reason)
	}
	return trainBest(c, found, out)
}

// runTuning runs the trials and says how far they are.
func runTuning(c *cli.Context, t tune.Tuning, out string) (*tune.Result, error) {
	title := t.Judge
	if m, err := measure.Lookup(t.Judge); err == nil {
		title = m.Title
	}
	view := newProgress(c, "tuning")
	defer view.End()
	stop := meanwhile(c, "tuning: reading "+c.String("data"))
	defer stop()
	found, err := t.Run(c.Context, out, programVersion(), studyTables(c), tune.Options{Jobs: c.Int("jobs"), Machine: machine(), Progress: func(now tune.Progress) {
		stop()
		note := fmt.Sprintf(", round %d, %d of %d trials ended", now.Round, now.Ended, now.Trials)
		if now.Failed > 0 {
			note += fmt.Sprintf(", %s failed", terminal.Count(now.Failed, "training"))
		}
		if !math.IsNaN(now.Best) {
			note += fmt.Sprintf(", best %s %.4g", title, now.Best)
		}
		const parts = 1_000_000
		view.At(min(int(parts*now.Share), parts-1), parts, note)
	}})
	if errors.Is(err, tune.ErrOther) {
		return nil, fmt.Errorf("%w: choose another --out, or give the command that began it", err)
	}
	return found, err
}

// writeTrials writes what the trials came to.
func writeTrials(c *cli.Context, folder *folder, found *tune.Result) error {
	files := []report.File{{Name: "trials.csv", Write: found.WriteCSV}, {Name: "trials.json", Write: found.WriteJSON}}
	if found.Best >= 0 {
		picture, err := drawTrials(found)
		if err != nil {
			return err
		}
		files = append(files, report.File{Name: "trials.svg", Write: picture.WriteSVG}, report.File{Name: "trials.png", Write: picture.WritePNG})
	}
	return folder.write(c.Context, files)
}

// tuned is what `sml tune --json` prints.
type tuned struct {
	Tuning  string          `json:"tuning"`
	Data    string          `json:"data"`
	Sampler string          `json:"sampler"`
	Judge   string          `json:"judge"`
	Folds   int             `json:"folds"`
	Rows    int             `json:"training_rows"`
	Trials  int             `json:"trials"`
	Failed  int             `json:"failed"`
	Best    bestTrial       `json:"best"`
	Command []string        `json:"command"`        // that trains it
	Model   string          `json:"model"`          // that it has trained
	Test    json.RawMessage `json:"test,omitempty"` // of the rows held out
}

type bestTrial struct {
	Trial    int            `json:"trial"`
	Method   string         `json:"method"`
	Settings map[string]any `json:"settings"`
	tune.Rung
}

// trainBest trains the best settings on all training rows, as the train command does,
// and tells what came of it.
func trainBest(c *cli.Context, found *tune.Result, out string) error {
	best := found.Trials[found.Best]
	args := trainArgs(c, found.Settings(best))
	model := filepath.Join(out, "model")
	switch {
	case exists(checkpointOf(model)):
		if err := runTrain(c, []string{"--resume", "--out", model}); err != nil {
			return err
		}
	case !exists(model):
		if err := runTrain(c, append(slices.Clone(args), "--out", model)); err != nil {
			return err
		}
	}
	m, err := openModel(c, model)
	if err != nil {
		return err
	}
	command := slices.Concat([]string{"sml", "train"}, args)
	if c.Bool("json") {
		return writeJSON(c, tuned{
			out, c.String("data"), found.Tuning.Sampler, found.Measure.Name, found.Tuning.Folds, found.Rows, len(found.Trials), found.Failed(),
			bestTrial{best.Number, found.Method(best), tune.Values(found.Settings(best)), best.Score()}, command, model, m.Model.Scores,
		})
	}
	w := c.App.Writer
	fmt.Fprintf(w, "%s: %s of %s, judged by %s on %d folds of the %d training rows", out, terminal.Count(len(found.Trials), "trial"), c.String("data"), found.Measure.Title, found.Tuning.Folds, found.Rows)
	if n := found.Failed(); n > 0 {
		fmt.Fprintf(w, "; %d failed, and count as worst (trials.csv says why)", n)
	}
	fmt.Fprintf(w, "\nbest is trial %d, %s %.4g ± %.2g over the folds:", best.Number, found.Measure.Title, float64(best.Score().Mean), float64(best.Score().Std))
	for _, s := range found.Settings(best) {
		fmt.Fprintf(w, " %s=%s", s.Key, s.Value)
	}
	for i := range command {
		command[i] = terminal.ShellWord(command[i])
	}
	fmt.Fprintf(w, "\ntrain it with: %s --out MODEL\n", strings.Join(command, " "))
	fmt.Fprintf(w, "%s is it, trained on all training rows; on the %s held out, which no trial has seen:\n", model, terminal.Count(m.Scores.Rows, "row"))
	if err := scoresTable(w, m.Scores, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "the score of the best trial is the best of %d, so expect other rows to come out worse: the scores on rows held out are the honest ones\n", len(found.Trials)-found.Failed())
	return err
}

// runTrain runs the train command, whose results are not shown.
func runTrain(c *cli.Context, args []string) error {
	app := newApp()
	app.Reader, app.Writer, app.ErrWriter = c.App.Reader, io.Discard, c.App.ErrWriter
	if c.Bool("quiet") {
		args = append(args, "--quiet")
	}
	permuted, err := permute(app, append([]string{"sml", "train"}, args...))
	if err == nil {
		err = app.RunContext(c.Context, permuted)
	}
	return err
}

// trainArgs are the arguments of the train command that trains settings.
func trainArgs(c *cli.Context, settings []tune.Setting) []string {
	var args []string
	add := func(name, value string) {
		if strings.HasPrefix(value, "-") {
			args = append(args, "--"+name+"="+value)
		} else {
			args = append(args, "--"+name, value)
		}
	}
	varied := func(name string) bool {
		return slices.ContainsFunc(settings, func(s tune.Setting) bool { return !s.Hyperparameter && sameField(s.Key, name) })
	}
	for _, f := range sharedFlags() {
		name := f.Names()[0]
		if !c.IsSet(name) || name == "set" || varied(name) {
			continue
		}
		switch f.(type) {
		case *cli.StringSliceFlag:
			for _, v := range c.StringSlice(name) {
				add(name, v)
			}
		case *cli.BoolFlag:
			args = append(args, fmt.Sprintf("--%s=%v", name, c.Bool(name)))
		default:
			add(name, fmt.Sprint(c.Value(name)))
		}
	}
	for _, s := range settings {
		switch {
		case s.Hyperparameter:
			add("set", s.Key+"="+s.Value)
		case s.Key == optimizerKey:
			name, chosen, _ := strings.Cut(s.Value, " ")
			add(optimizerKey, name)
			for _, word := range strings.Fields(chosen) {
				args = append(args, "--"+name+"-"+word)
			}
		default:
			add(trainSetting(s.Key, s.Value))
		}
	}
	return args
}

// trainSetting translates a setting into one with a flag of train: width=20 becomes
// hidden=20,20. An empty list of widths becomes "".
func trainSetting(key, value string) (trainKey, trainValue string) {
	s, err := experiment.LookupSetting(key)
	if err != nil || s.Train && s.Kind != experiment.Widths {
		return key, value
	}
	parsed, err := s.Parse(value)
	if err != nil || s.Train {
		return key, parsed
	}
	var to experiment.Settings
	other, err := experiment.LookupSetting(s.Replaces)
	if err = cmp.Or(err, s.Set(&to, parsed)); err != nil {
		return key, value
	}
	return other.Key, other.Get(to)
}
