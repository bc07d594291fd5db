package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
)

func studyCommand() *cli.Command {
	return &cli.Command{
		Name:  "study",
		Usage: "run and report a grid of data sets, methods, splits, folds and seeds",
		Subcommands: []*cli.Command{
			{
				Name:      "plan",
				Usage:     "write the plan of a study, with every cell and its settings",
				UsageText: "sml study plan DIR [--preset paper|beta|quick] [--data FILE.csv …] [--config FILE.yaml] [options]",
				Description: "Flags narrow or replace the preset and the YAML file of --config. The file's keys have the names of the\n" +
					"flags, except predictions (for --save-predictions) and tables (a list, each with data, name and the\n" +
					"flags for its columns). A method may have hyperparameters: --methods \"sml beta=0.25\". A setting may\n" +
					"have several values: --dropout 0.05,0.1 --hidden 50,50 --hidden 100. A study has all combinations.",
				Flags: slices.Concat([]cli.Flag{
					&cli.StringFlag{Name: "preset", Usage: "start from the preset `NAME`: " + strings.Join(study.PresetNames(), ", "), DefaultText: "paper; tables with --data"},
					&cli.StringFlag{Name: "config", Usage: "read the study from a YAML `FILE`"},
					&cli.StringFlag{Name: "datasets", Usage: "`NAMES` of data sets or toy sets, with commas between them"},
					&cli.StringFlag{Name: "methods", Usage: "`NAMES` of methods, with commas between them"},
					&cli.StringFlag{Name: "splits", Usage: "`KINDS` of splits: " + strings.Join(data.SplitNames(), ", ")},
					&cli.StringFlag{Name: "fold", Usage: "`NUMBERS` of the folds to hold out, from 0, such as 0,3,5", DefaultText: "the paper's for its data sets, otherwise all"},
					&cli.StringFlag{Name: "seeds", Usage: "`SEEDS`, such as 1,2", DefaultText: "1"},
					protocolFlag("", "paper; sound with --data"),
					&cli.StringFlag{Name: "save-predictions", Usage: "save the predictions of all test rows in this `FORMAT`: csv or parquet"},
					measuresFlag(),
					&cli.BoolFlag{Name: "skip-missing", Usage: "leave out data sets whose files are missing"},
					jsonFlag(),
				}, studyTableFlags(), variedSettingFlags()),
				Action: onArgument("the study's directory", planStudy),
			},
			{
				Name:      "run",
				Usage:     "run the remaining cells on all cores; safe to interrupt and start again",
				UsageText: "sml study run DIR [options]",
				Description: "Several runs of one directory at the same time share its cells. In an array job of Slurm, Grid\n" +
					"Engine, LSF or AWS Batch each task runs its share; on Kubernetes and PBS add --shard /N, the number\n" +
					"of tasks.",
				Flags: []cli.Flag{
					&cli.IntFlag{Name: "jobs", Usage: "run `N` cells at the same time", DefaultText: "all cores"},
					&cli.StringFlag{Name: "shard", Usage: "run share I of N shares, `I/N`; /N if the scheduler sets I", DefaultText: "the scheduler's share; all cells without a scheduler"},
					&cli.StringFlag{Name: "out", Usage: "write results to the directory `OWN`; join it later with \"sml study collect\"", DefaultText: "the study's directory"},
					&cli.BoolFlag{Name: "retry-failed", Usage: "run failed cells again"},
					&cli.BoolFlag{Name: "fail-fast", Usage: "stop at the first cell that fails"},
					dataDirFlag(), quietFlag(), jsonFlag(),
				},
				Action: onArgument("the study's directory", runStudy),
			},
			collectCommand(),
			{
				Name:      "status",
				Usage:     "count the cells that are done, failed, missing and broken",
				UsageText: "sml study status DIR [--json]",
				Flags:     []cli.Flag{jsonFlag()},
				Action:    onArgument("the study's directory", statusOfStudy),
			},
			reportCommand(), studySubmitCommand(), studyCancelCommand(),
		},
	}
}

// errCellsFailed is the error of a study that is done, but for cells that
// failed.
var errCellsFailed = errors.New("cells failed")

// studyTables reads tables for a study.
func studyTables(c *cli.Context) study.Reader {
	dir := c.String("data-dir")
	return func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error) {
		if d, err := data.Lookup(s.Name); err == nil && d.Make == nil {
			if _, err := data.Locate(s.Name, dir); err != nil {
				return nil, fmt.Errorf("%w (%w)", err, study.ErrAbsent)
			}
		}
		ctx, stop := showReading(ctx, c, s.Name)
		defer stop()
		t, err := s.Read(ctx, dir, protocol)
		if errors.Is(err, data.ErrHeader) {
			err = fmt.Errorf("%w with --header yes or --header no, or with header: among the tables of --config", err)
		}
		if errors.Is(err, data.ErrLastColumn) {
			err = fmt.Errorf("%w; --target names another column, or target: among the tables of --config", err)
		}
		if err == nil {
			warn(c, t)
		}
		return t, err
	}
}

func planStudy(c *cli.Context, dir string) error {
	config, err := readConfig(c.Context, c.String("config"))
	if err != nil {
		return err
	}
	flags, err := studyFlags(c)
	if err != nil {
		return err
	}
	config = config.Over(flags)
	if err := checkDatasets(config.Datasets); err != nil {
		return err
	}
	if err := config.Check(); err != nil {
		return usageError{err}
	}
	defer meanwhile(c, "reading tables")()
	p, err := study.NewPlan(c.Context, config, programVersion(), studyTables(c), c.Bool("skip-missing"))
	if errors.Is(err, study.ErrAbsent) {
		return fmt.Errorf("%w\ndownload them with \"sml data fetch NAME…\", leave them out with --skip-missing, or name others with --datasets", err)
	}
	if err != nil {
		return interruption(err)
	}
	if err := p.Write(dir); err != nil {
		return err
	}
	tellTables(c, config, p.Config)
	seconds := 0.0
	for _, cell := range p.Cells {
		seconds += cell.Cost
	}
	if c.Bool("json") {
		return writeJSON(c, struct {
			Study   string   `json:"study"`
			Cells   int      `json:"cells"`
			Absent  []string `json:"absent"`
			Seconds float64  `json:"estimated_core_seconds"`
		}{dir, len(p.Cells), p.Absent, seconds})
	}
	fmt.Fprintf(c.App.Writer, "%s: %d cells, about %s on one core\n", dir, len(p.Cells), inTime(seconds))
	if len(p.Absent) > 0 {
		fmt.Fprintf(c.App.Writer, "left out, since their files are not there: %s\n", strings.Join(p.Absent, ", "))
	}
	fmt.Fprintf(c.App.Writer, "run it with \"sml study run %s\"\n", dir)
	return nil
}

// inTime says how long so many seconds are. A time.Duration holds three
// centuries.
func inTime(seconds float64) string {
	const year = 365.25 * 24 * 3600
	if seconds > 100*year {
		return fmt.Sprintf("%.3g years", seconds/year)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// readConfig reads a YAML file, if there is a path, or a stream such as a shell's
// <(command). One that nobody writes to is left to itself when ctx ends.
func readConfig(ctx context.Context, path string) (study.Config, error) {
	if path == "" {
		return study.Config{}, nil
	}
	return await(ctx, func() (study.Config, error) {
		f, err := os.Open(path)
		if err != nil {
			return study.Config{}, err
		}
		defer f.Close()
		config, err := study.ReadConfig(f)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return config, err
	})
}

// studyFlags reads what flags say of a study.
func studyFlags(c *cli.Context) (study.Config, error) {
	for _, name := range []string{"preset", "datasets", "methods", "splits", "fold", "seeds", "protocol", "save-predictions"} {
		if c.IsSet(name) && len(list(c.String(name))) == 0 {
			return study.Config{}, usage("--%s %q names nothing: leave it out for its default", name, c.String(name))
		}
	}
	if err := cmp.Or(withoutTable(c), notSeveral(c.StringSlice("data")), notZero(c, "test-share")); err != nil {
		return study.Config{}, err
	}
	measures, err := measuresOf(c)
	if err != nil {
		return study.Config{}, err
	}
	config := study.Config{
		Measures: measures,
		Preset:   c.String("preset"), Datasets: list(c.String("datasets")), Tables: studyTablesOf(c), Methods: labels(c.String("methods")), Splits: list(c.String("splits")),
		Protocol: c.String("protocol"), Predictions: c.String("save-predictions"),
	}
	if config.Settings, err = variedSettings(c); err != nil {
		return config, err
	}
	for _, text := range list(c.String("fold")) {
		fold, err := strconv.Atoi(text)
		if err != nil {
			return config, usage("--fold %q: %q is not a whole number", c.String("fold"), text)
		}
		config.Fold = append(config.Fold, fold)
	}
	for _, text := range list(c.String("seeds")) {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return config, usage("--seeds %q: %q is not a seed, a whole number from 0", c.String("seeds"), text)
		}
		config.Seeds = append(config.Seeds, seed)
	}
	return config, nil
}

// list cuts a text at its commas.
func list(text string) []string {
	var words []string
	for _, w := range strings.Split(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// labels cuts labels of methods at their commas, but for those of a schedule such as
// linear(0,1,0.2).
func labels(text string) []string {
	var all []string
	inside := false
	for _, part := range list(text) {
		if inside {
			all[len(all)-1] += "," + part
		} else {
			all = append(all, part)
		}
		inside = strings.Count(all[len(all)-1], "(") > strings.Count(all[len(all)-1], ")")
	}
	return all
}

func runStudy(c *cli.Context, dir string) error {
	if jobs := c.Int("jobs"); c.IsSet("jobs") && !study.Jobs.Has(float64(jobs)) {
		return usage("--jobs %d: want %v", jobs, study.Jobs)
	}
	shard, err := shardOf(c)
	if err != nil {
		return err
	}
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	if own := c.String("out"); own != "" {
		if err := p.Write(own); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		dir = own
	}
	view := newProgress(c, "study")
	defer view.End()
	start := time.Now()
	stop := meanwhile(c, "study: reading tables")
	defer stop()
	s, err := study.Run(c.Context, dir, p, programVersion(), studyTables(c), study.Options{
		Jobs: c.Int("jobs"), RetryFailed: c.Bool("retry-failed"), FailFast: c.Bool("fail-fast"), Machine: machine(), Shard: shard,
		Warn: func(what string) { note(c, "warning: %v", what) },
		Progress: func(now study.Progress) {
			stop()
			note := fmt.Sprintf(", %d of %d cells", now.Done, now.Cells)
			if now.Failed > 0 {
				note += fmt.Sprintf(", %d failed", now.Failed)
			}
			const parts = 1_000_000
			view.At(int(parts*now.Worked/max(now.Work, 1e-9)), parts, note)
		},
	})
	view.End()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w with %d of %d cells done: go on with \"sml study run %s\"", errInterrupted, s.Done+s.Failed, s.Cells, dir)
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = writeJSON(c, statusOf{dir, s, nil})
	} else if shard.N > 0 {
		_, err = fmt.Fprintf(c.App.Writer, "%s: %d of %d cells of share %s done in %v\n", dir, s.Done, s.Cells, shard, time.Since(start).Round(time.Second))
	} else {
		_, err = fmt.Fprintf(c.App.Writer, "%s: %d of %d cells done in %v; report with \"sml study report %s --out OUT\"\n",
			dir, s.Done, s.Cells, time.Since(start).Round(time.Second), dir)
	}
	for _, line := range s.Warnings {
		note(c, "warning: %v", line)
	}
	if s.Failed > 0 { // whether or not anybody reads the summary
		return fmt.Errorf("%d %w:\n%s", s.Failed, errCellsFailed, strings.Join(s.Failures, "\n"))
	}
	return err
}

// statusOf is what a study's commands print as JSON.
type statusOf struct {
	Study string `json:"study"`
	study.Summary
	Submission *submitted `json:"submission,omitempty"`
}

func statusOfStudy(c *cli.Context, dir string) error {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	// The submission is asked before the cells are counted: when all its tasks have ended, the
	// count has all their cells.
	submission := statusOfSubmission(c, dir)
	s := study.Status(dir, p)
	if c.Bool("json") {
		return writeJSON(c, statusOf{dir, s, submission})
	}
	fmt.Fprintf(c.App.Writer, "%s: %d cells, %d done, %d failed, %d missing, %d broken\n", dir, s.Cells, s.Done, s.Failed, s.Missing, s.Broken)
	if submission != nil {
		fmt.Fprintln(c.App.Writer, submission)
	}
	say := func(what string, lines []string) {
		for _, line := range lines {
			fmt.Fprintln(c.App.Writer, what+line)
		}
	}
	say("failed: ", s.Failures)
	say("warned: ", s.Warnings)
	say("broken, will be run again: ", s.Breaks)
	return nil
}
