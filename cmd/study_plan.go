package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/data/split"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
)

// studyPlanCommand returns the command "sml study plan".
func studyPlanCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "plan",
		Usage:     "write the plan of a study, with every cell and its settings",
		UsageText: "sml study plan DIR [--preset paper|beta|quick] [--data FILE.csv …] [--config FILE.yaml] [options]",
		Description: "Flags narrow or replace the preset and the YAML file of --config. The file's keys have the names of the\n" +
			"flags, except predictions (for --save-predictions) and tables (a list, each with data, name and the\n" +
			"flags for its columns). A method may have hyperparameters: --methods \"sml beta=0.25\". A setting may\n" +
			"have several values: --dropout 0.05,0.1 --hidden 50,50 --hidden 100. A study has all combinations.",
		Action: argumentAction("the study's directory", planStudy),
	}, []string{
		"sml study plan quick --preset quick",
		"sml study plan comparison --data houses.csv --target price --methods mc,sml --dropout 0.05,0.1 --epochs 20",
	}, mostUsedFirst(studyPlanOptionGroups(), "preset", "config", "datasets", "data", "target", "methods", "splits", "seeds", "epochs", "group", "time", "drop", "na", "calibrate", "save-predictions", "force", "json")...)
}

// studyPlanOptionGroups returns the options of study plan by purpose.
func studyPlanOptionGroups() []optionGroup {
	return []optionGroup{
		{"Study", []cli.Flag{
			&cli.StringFlag{Name: "preset", Usage: "start from the preset `NAME`: " + describePresets(), DefaultText: "paper; tables with --data"},
			&cli.StringFlag{Name: "config", Usage: "read the study from a YAML `FILE`"},
			&cli.StringFlag{Name: "methods", Usage: "train the methods with these `NAMES`, with commas between them"},
			&cli.StringFlag{Name: "seeds", Usage: "train with each of these `SEEDS`, such as 1,2", DefaultText: "1"},
			protocolFlag("train by `PROTOCOL`", "paper; sound with --data"),
		}},
		{"Data", slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "datasets", Usage: "use the data sets or toy sets with these `NAMES`, with commas between them"},
			&cli.BoolFlag{Name: "skip-missing", Usage: "leave out data sets whose files are missing"},
		}, studyDataFlags())},
		{"Split", slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "splits", Usage: "split into training and test rows by these `KINDS`: " + strings.Join(split.Names(), ", ")},
			&cli.StringFlag{Name: "fold", Usage: "hold out the folds with these `NUMBERS`, from 0, such as 0,3,5", DefaultText: "the paper's for its data sets, otherwise all"},
		}, tableSplitFlags())},
		{"Network", variedSettingFlags("network")},
		{"Training", variedSettingFlags("training")},
		{"Calibration", variedSettingFlags("calibration")},
		{"Output", slices.Concat(variedSettingFlags("prediction"), []cli.Flag{
			measuresFlag(usualMeasures),
			&cli.StringFlag{Name: "save-predictions", Usage: "save the predictions of all test rows in this `FORMAT`: csv or parquet"},
			jsonFlag(),
		})},
	}
}

// describePresets returns the names of the presets with their summaries.
func describePresets() string {
	var list []string
	for _, p := range study.Presets() {
		list = append(list, p.Name+" ("+p.Summary+")")
	}
	return strings.Join(list, ", ")
}

// planResult is the result of "sml study plan".
type planResult struct {
	Study   string   `json:"study"`  // the study's directory
	Cells   int      `json:"cells"`  // number of cells
	Absent  []string `json:"absent"` // data sets that are left out, since their files are missing
	Seconds float64  `json:"estimated_core_seconds"`
}

// planStudy writes the plan of the study that the command line and --config describe into dir. A flag
// replaces the same key of --config.
func planStudy(c *cli.Context, dir string) error {
	fromFile, err := readConfig(c.Context, c.String("config"))
	if err != nil {
		return err
	}
	fromFlags, err := studyFlags(c)
	if err != nil {
		return err
	}
	config := fromFile.WithOverrides(fromFlags)
	if err := checkDatasets(config.Datasets); err != nil {
		return err
	}
	if err := config.Check(); err != nil {
		checkWithout := func(s experiment.Setting) error {
			return fromFile.WithOverrides(withoutSetting(fromFlags, s)).Check()
		}
		return nameFlags(c, err, checkWithout)
	}
	defer announce(c, "reading tables")()
	p, err := study.NewPlan(c.Context, config, programVersion(), studyTables(c), c.Bool("skip-missing"))
	if errors.Is(err, study.ErrMissingData) {
		return fmt.Errorf("%w\ndownload them with \"sml data fetch NAME…\", leave them out with --skip-missing, or name others with --datasets", err)
	}
	if err != nil {
		return err
	}
	if err := p.Write(dir); err != nil {
		return err
	}
	noteTableNames(c, config, p.Config)
	return printPlan(c, dir, p)
}

// printPlan prints the size of the plan in dir, and how to run it.
func printPlan(c *cli.Context, dir string, p *study.Plan) error {
	seconds := 0.0
	for _, cell := range p.Cells {
		seconds += cell.Cost // estimated seconds on one core
	}
	result := planResult{
		Study:   dir,
		Cells:   len(p.Cells),
		Absent:  p.MissingDatasets,
		Seconds: seconds,
	}
	return printResult(c, result, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %d cells, about %s on one core\n", dir, len(p.Cells), formatDuration(seconds))
		if len(p.MissingDatasets) > 0 {
			fmt.Fprintf(w, "left out, since their files are not there: %s\n", strings.Join(p.MissingDatasets, ", "))
		}
		fmt.Fprintf(w, "run it with \"sml study run %s\"\n", dir)
	})
}

// withoutSetting returns a copy of the configuration without its values of a setting.
func withoutSetting(config study.Config, s experiment.Setting) study.Config {
	config.Settings = maps.Clone(config.Settings) // the caller's map stays as it is
	delete(config.Settings, s.Key)
	return config
}

// formatDuration returns a number of seconds as text for people. Long durations are in years, since a
// time.Duration holds at most about three centuries.
func formatDuration(seconds float64) string {
	const (
		year     = 365.25 * 24 * 3600 // seconds
		maxYears = 100                // well below the limit of a time.Duration
	)
	if seconds > maxYears*year {
		return fmt.Sprintf("%.3g years", seconds/year)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// readConfig reads a YAML file, or a stream such as a shell's <(command), until ctx ends. It
// returns an empty configuration if path is "".
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

// studyFlags returns the configuration that the flags choose. Fields of flags that are not set stay
// empty, so that they override nothing. It returns a usage error if a flag is empty or not valid.
func studyFlags(c *cli.Context) (study.Config, error) {
	err := cmp.Or(
		checkNotEmpty(c, "preset", "datasets", "methods", "splits", "fold", "seeds", "protocol", "save-predictions"),
		checkTableFlags(c),
		checkOneTable(c.StringSlice("data")),
		checkNotZero(c, "test-fraction"),
	)
	if err != nil {
		return study.Config{}, err
	}
	config, err := chosenTrainings(c)
	config.Measures = chosenMeasures(c)
	config.Preset = c.String("preset")
	config.Datasets = splitList(c.String("datasets"))
	config.Tables = chosenTables(c)
	config.Splits = splitList(c.String("splits"))
	config.Predictions = c.String("save-predictions")
	return config, err
}

// chosenTrainings returns the methods, folds, seeds, the protocol and the settings that the flags choose.
func chosenTrainings(c *cli.Context) (config study.Config, err error) {
	config.Methods = splitLabels(c.String("methods"))
	config.Protocol = c.String("protocol")
	config.Settings, err = variedSettings(c)
	if err != nil {
		return config, err
	}
	config.Fold, err = parseList(c, "fold", "a whole number", strconv.Atoi)
	if err != nil {
		return config, err
	}
	parseSeed := func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }
	config.Seeds, err = parseList(c, "seeds", "a seed, a whole number from 0", parseSeed)
	return config, err
}

// checkNotEmpty returns a usage error for the first of the named flags that is set to a list without
// elements, such as "" or ",": it would mean the default, which nobody asks for in this way.
func checkNotEmpty(c *cli.Context, names ...string) error {
	for _, name := range names {
		if c.IsSet(name) && len(splitList(c.String(name))) == 0 {
			return usageErrorf("--%s %q names nothing: leave it out for its default", name, c.String(name))
		}
	}
	return nil
}

// parseList returns the values in a flag, a list with commas between them such as 0,3,5; nil if it is empty. wanted describes
// a value in errors.
func parseList[T any](c *cli.Context, flag, wanted string, parse func(string) (T, error)) ([]T, error) {
	list := c.String(flag)
	var values []T
	for _, text := range splitList(list) {
		value, err := parse(text)
		if err != nil {
			return nil, usageErrorf("--%s %q: %q is not %s", flag, list, text, wanted)
		}
		values = append(values, value)
	}
	return values, nil
}

// splitLabels cuts labels of methods at their commas, except inside parentheses, as in the
// schedule linear(0,1,0.2), and in front of a number, as in levels=0.05,0.5,0.95.
func splitLabels(text string) []string {
	var labels []string
	isOpen := false // whether the last label has a parenthesis that is not closed yet
	for _, word := range splitList(text) {
		_, err := strconv.ParseFloat(word, 64)
		isNumber := err == nil
		if isOpen || isNumber && len(labels) > 0 {
			labels[len(labels)-1] += "," + word
		} else {
			labels = append(labels, word)
		}
		last := labels[len(labels)-1]
		isOpen = strings.Count(last, "(") > strings.Count(last, ")")
	}
	return labels
}
