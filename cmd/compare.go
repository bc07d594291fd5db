package cmd

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data/split"
)

// compareCommand returns the command "sml compare".
func compareCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "compare",
		Usage:     "score models, methods and other programs' predictions on the same rows",
		UsageText: "sml compare [MODEL|FILE …] [--methods NAMES --data NAME|FILE --target COLUMN] [options]",
		Description: "Without --methods, the rows are those on which evaluate scores the first model. With --methods, each method\n" +
			"is trained on each fold of the split, and the rows are the folds' test rows. Linear or logistic regression and a\n" +
			"constant are always compared, too. No model may have been trained or calibrated on the rows. Several targets are\n" +
			"compared one after the other, each on the rows in which it is known.\n\n" +
			"A FILE in any format of tables has a line for each row, in the order of the table or with the column row, the row's number\n" +
			"from 1. Its columns are mean, and std or quantiles such as q0.05 and q0.95; evaluate --predictions writes\n" +
			"such files.",
		Action: compareAll,
	}, []string{
		"sml compare model --reference constant",
		`sml compare --data houses.csv --target price --methods "pu-de,sml,sml beta=0.25" --split random --epochs 20`,
	}, mostUsedFirst(compareOptionGroups(), "methods", "data", "target", "split", "group", "time", "drop", "na", "epochs", "reference", "json")...)
}

// compareOptionGroups returns the options of compare by purpose.
func compareOptionGroups() []optionGroup {
	rows := optionGroup{"Rows", []cli.Flag{
		&cli.StringFlag{Name: "data", Usage: "compare on this table: a data set, or a `FILE` in any format that train reads", DefaultText: "the table that the first model was trained on"},
		&cli.StringFlag{Name: "on", Usage: "without --methods, use these `ROWS` of the first model's table: " + joinChoices(splitParts), DefaultText: "test"},
		dataDirFlag(),
		headerFlag("--data"),
		&cli.StringFlag{Name: "group", Usage: "let rows with the same value in `COLUMN` belong together: intervals are over these groups, and --methods are tested on whole groups", DefaultText: "the column of the models' --group"},
	}}
	methods := optionGroup{"Methods", []cli.Flag{
		&cli.StringFlag{Name: "methods", Usage: "train the methods with these `NAMES`, with commas between them; a name may have settings, such as \"sml beta=0.25 epochs=20\""},
	}}
	output := optionGroup{"Output", []cli.Flag{
		&cli.StringFlag{Name: "reference", Usage: "print differences to the competitor with this `NAME`", DefaultText: "the competitor with the lowest CRPS"},
		&cli.BoolFlag{Name: "force", Usage: "read models although their files were changed"},
		jsonFlag(), quietFlag(),
	}}
	return slices.Concat([]optionGroup{rows, methods}, methodOptionGroups(), []optionGroup{output})
}

// methodOptionGroups returns the options of the trainings by --methods.
func methodOptionGroups() []optionGroup {
	return []optionGroup{
		{"Training of --methods", slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "seeds", Usage: "train from each of these `SEEDS` on the same folds, such as 1,2, and average the rows' losses; the first seed also divides the rows", DefaultText: "1"},
			protocolFlag("train by `PROTOCOL`", "sound"),
			jobsFlag("trainings"),
		}, variedSettingFlags("training"))},
		{"Table of --methods", withoutFlags(dataFlags(), "data", "data-dir", "header")},
		{"Split of --methods", slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "split", Value: comparedSplit, Usage: "split into training and test rows by `KIND`: " + strings.Join(split.Names(), ", ")},
			&cli.StringFlag{Name: "fold", Usage: "test on the folds with these `NUMBERS`, from 0, such as 0,3,5", DefaultText: "all"},
		}, withoutFlags(tableSplitFlags(), "group"))},
		{"Network of --methods", variedSettingFlags("network")},
		{"Calibration of --methods", variedSettingFlags("calibration")},
		{"Predictions of --methods", variedSettingFlags("prediction")},
	}
}

// comparedSplit is the default split of a comparison of methods.
const comparedSplit = "random"

// compareAll scores all competitors on the same rows and prints their scores and differences.
func compareAll(c *cli.Context) error {
	dirs, files, err := competitorArguments(c)
	if err != nil {
		return err
	}
	if err := checkMethodFlags(c); err != nil {
		return err
	}
	k := &comparison{}
	k.declareAll(modelKind, dirs)
	train := func() error { return nil }
	if c.String("methods") != "" {
		train, err = k.planMethods(c, files)
	} else {
		err = k.chooseRows(c, dirs[0], files)
	}
	if err != nil {
		return err
	}
	if err := k.checkReference(c.String("reference")); err != nil {
		return err
	}
	if err := k.addAll(c, dirs, files); err != nil {
		return err
	}
	if err := train(); err != nil { // last, since it may take long
		return err
	}
	var results []*comparisonResult
	for target := range k.targetCount {
		results = append(results, k.result(target, c.String("reference")))
	}
	return printComparison(c, results)
}

// addAll adds the models in directories, and the files of predictions.
func (k *comparison) addAll(c *cli.Context, dirs, files []string) error {
	for _, dir := range dirs {
		if err := k.addModel(c, dir); err != nil {
			return err
		}
	}
	for _, path := range files {
		if err := k.addFile(c.Context, path); err != nil {
			return err
		}
	}
	return nil
}

// printComparison prints the results of all targets. JSON is an object for one target, and a list of them for several.
func printComparison(c *cli.Context, results []*comparisonResult) error {
	var document any = results
	if len(results) == 1 {
		document = results[0]
	}
	return printResult(c, document, func(w io.Writer) {
		for _, r := range results {
			r.print(w)
		}
	})
}

// competitorArguments returns the arguments of compare: directories of models, and files with predictions.
func competitorArguments(c *cli.Context) (dirs, files []string, err error) {
	args := c.Args().Slice()
	for _, arg := range args {
		switch {
		case arg == "":
			return nil, nil, usageErrorf("an argument is empty: name a model's directory, or a file with predictions")
		case namesFile(arg):
			files = append(files, arg)
		default:
			dirs = append(dirs, arg)
		}
	}
	sorted := slices.Sorted(slices.Values(args))
	if len(slices.Compact(sorted)) < len(args) {
		return nil, nil, usageErrorf("an argument is named twice: %s", strings.Join(args, " "))
	}
	if len(dirs) == 0 && c.String("methods") == "" {
		return nil, nil, usageErrorf("name a model's directory, or methods with --methods")
	}
	return dirs, files, nil
}

// namesFile reports whether an argument names a file. Other arguments name directories of models. A name ending in .csv
// names a file, even if the file does not exist.
func namesFile(arg string) bool {
	info, err := os.Stat(arg)
	if err != nil {
		return strings.EqualFold(filepath.Ext(arg), ".csv")
	}
	return !info.IsDir()
}

// checkReference returns a usage error unless a competitor has the name in --reference, or the flag is not set.
func (k *comparison) checkReference(reference string) error {
	var names []string
	for _, competitor := range k.competitors {
		names = append(names, competitor.name)
	}
	if reference == "" || slices.Contains(names, reference) {
		return nil
	}
	return usageErrorf("--reference %q: want one of %s", reference, strings.Join(names, ", "))
}

// checkMethodFlags returns a usage error for a flag that does not go with --methods, or that needs it.
func checkMethodFlags(c *cli.Context) error {
	if c.String("data") == "-" {
		return usageErrorf("--data -: every competitor reads the table anew, and standard input is read once: name a file")
	}
	if c.String("methods") != "" {
		if c.String("data") == "" {
			return usageErrorf("--methods needs --data, the table to train on")
		}
		if c.IsSet("on") {
			return usageErrorf("--on %s: --methods are compared on the test rows of --split", c.String("on"))
		}
		return nil
	}
	for _, f := range flagsOf(methodOptionGroups()) {
		name := f.Names()[0]
		if c.IsSet(name) {
			return usageErrorf("--%s is for --methods, and none is named", name)
		}
	}
	return nil
}
