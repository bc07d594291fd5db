package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
)

// planTraining returns the training that the command line describes, with its table read and its
// experiment prepared.
func planTraining(c *cli.Context) (*training, error) {
	s, err := chosenSettings(c)
	if err != nil {
		return nil, err
	}
	dataDir := c.String("data-dir")
	t, err := readTable(c, s, dataDir)
	if err != nil {
		return nil, err
	}
	noteTable(c, t)
	s.Table, err = s.Table.Identify(c.Context, t)
	if err != nil {
		return nil, err
	}
	table := experiment.NewTable(t)
	chosen := withTableSizes(s, table.Table)
	complete, defaults, err := completeSettings(c, chosen)
	if err != nil {
		return nil, err
	}
	e, err := prepareExperiment(c, complete, table)
	if err != nil {
		return nil, err
	}
	if !c.Bool("quiet") {
		notePlan(c, table.Table, e, defaults)
	}
	alternative, err := planAlternative(c, chosen, e.Settings, table)
	return &training{dataDir: dataDir, experiment: e, alternative: alternative}, err
}

// prepareExperiment returns the experiment of complete settings, with the weights of the model of --init-from.
func prepareExperiment(c *cli.Context, s experiment.Settings, table *experiment.Table) (*experiment.Experiment, error) {
	e, err := experiment.Prepare(c.Context, s, table)
	if errors.Is(err, calibrate.ErrTooFew) {
		return nil, fmt.Errorf("%w (--calibrate, --calibrate-coverage, --cross-validation, --bootstrap)", err)
	}
	if err != nil || e.InitFrom == "" {
		return e, err
	}
	from, err := openModel(c, e.InitFrom)
	if err != nil {
		return nil, err
	}
	if err := startFrom(c, e, from); err != nil {
		return nil, fmt.Errorf("--init-from %w", err)
	}
	return e, nil
}

// planAlternative returns the experiment of the quantile networks that train compares with its default method, or nil if
// there is none: if the user has chosen a method, or settings that quantile networks do not take. chosen holds the
// chosen settings, and complete has their defaults filled in.
func planAlternative(c *cli.Context, chosen, complete experiment.Settings, table *experiment.Table) (*experiment.Experiment, error) {
	recipe := experiment.RecipeFor(chosen.Table.Name, chosen.Table.WeightedRows())
	alternative, ok := recipe.Alternative(chosen, complete)
	if !ok || c.IsSet("method") {
		return nil, nil
	}
	alternative, _, err := recipe.ResolveChosen(alternative)
	if err != nil {
		return nil, nil
	}
	e, err := experiment.Prepare(c.Context, alternative, table)
	if errors.Is(err, calibrate.ErrTooFew) {
		return nil, nil
	}
	return e, err
}

// chosenSettings returns the settings that the command line describes. It does not read the table, so that
// the network's numbers of inputs and targets are missing.
func chosenSettings(c *cli.Context) (experiment.Settings, error) {
	s := experiment.DefaultSettings()
	s.InitFrom = c.String("init-from")
	s.Training.Seed = c.Uint64("seed")
	s.Training.Engine = graph.Engine(c.String("engine"))
	const unknownRows = 0 // protocol and method of a recipe do not depend on the number of rows
	recipe := experiment.RecipeFor(c.String("data"), unknownRows)
	s.Training.Protocol = chosenProtocol(c, recipe.Protocol)
	s.Prediction.Measures = chosenMeasures(c)
	var err error
	s.Table, err = chosenSource(c, c.String("data"))
	if err != nil {
		return s, err
	}
	if err := chooseSettings(c, &s, allParts...); err != nil {
		return s, err
	}
	if err := cmp.Or(chooseSplit(c, &s), checkCalibrationFlags(c, s)); err != nil {
		return s, err
	}
	s.Spec.Method = cmp.Or(c.String("method"), recipe.Method)
	if method, err := models.Lookup(s.Spec.Method); err == nil { // checkNetwork reports an unknown method
		s.Table.Classes = method.PredictsClasses()
		s.Table.Unlabelled = method.UsesUnlabelled
	}
	s.Spec.Hyperparameters, err = models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return s, usageError{err}
	}
	return s, checkNetwork(s.Spec.Method, s.Spec.Architecture)
}

// withTableSizes returns s with the settings that follow from its table t: the sizes of the network, and the name of the
// column of groups.
func withTableSizes(s experiment.Settings, t *data.Table) experiment.Settings {
	if s.Calibration.GroupColumn != "" {
		// The flag may be a column's number, and the model needs its name. The table keeps the group column last.
		s.Calibration.GroupColumn = t.KeptTexts.Names[len(t.KeptTexts.Names)-1]
	}
	s.Spec.Architecture.Inputs = len(t.Columns)
	s.Spec.Architecture.Targets = len(t.Targets)
	s.Spec.Architecture.Classes = t.CountClasses()
	return s
}

// completeSettings returns the chosen settings with their defaults, and the defaults. If the settings do not fit each
// other, its error names the flags at fault.
func completeSettings(c *cli.Context, chosen experiment.Settings) (complete experiment.Settings, defaults []experiment.Default, err error) {
	recipe := experiment.RecipeFor(chosen.Table.Name, chosen.Table.WeightedRows())
	complete, defaults, err = recipe.ResolveChosen(chosen)
	if err == nil {
		return complete, defaults, nil
	}
	return complete, nil, nameFlags(c, err, func(s experiment.Setting) error {
		without, cannotLeaveOut := chosen.Without(s)
		if cannotLeaveOut != nil {
			return err // unchanged
		}
		_, _, errWithout := recipe.ResolveChosen(without)
		return errWithout
	})
}

// startFrom gives an experiment the weights of the model from, in the directory e.InitFrom, and prints which parts of
// the model it leaves out. Its errors begin with the directory.
func startFrom(c *cli.Context, e *experiment.Experiment, from *experiment.Model) error {
	err := loadTrainingRows(c, from, e.InitFrom) // warnParent looks for test rows among them
	if err != nil {
		return err
	}
	err = e.StartFrom(from)
	if errors.Is(err, experiment.ErrNetworkDiffers) {
		return usageErrorf("%s: %w", e.InitFrom, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.InitFrom, err)
	}
	warnParent(c, e, from)
	return nil
}

// notePlan prints how a training prepares and splits its table t, and the defaults that it has chosen for the
// table. A line that says nothing is "".
func notePlan(c *cli.Context, t *data.Table, e *experiment.Experiment, defaults []experiment.Default) {
	lines := append(describePreparation(t, e.Preparation()), describeSpikes(e)...)
	lines = append(lines, describeGravest(c.Context, e)...)
	lines = append(lines, describeEmbeddings(e.Preparation(), e.Spec.Architecture))
	lines = append(lines, describeDefaultSplit(c, e), describeSplit(e), describeFewGroups(e), describeWide(e, defaults), describeDefaults(c, e.Settings, defaults))
	for _, line := range lines {
		if line != "" {
			note(c, "%s", line)
		}
	}
}

// describeWide says that the defaults of a wide table have no bins. It returns "" for another table.
func describeWide(e *experiment.Experiment, defaults []experiment.Default) string {
	hasLayers := slices.ContainsFunc(defaults, func(d experiment.Default) bool { return d.Key == "hidden" })
	if !hasLayers || e.Table.Inputs <= experiment.MaxBinnedInputs || e.Spec.Architecture.Bins > 0 || e.Training.Protocol == data.Paper {
		return ""
	}
	return fmt.Sprintf("with more than %d input columns, the default is no bins, which would multiply the memory (--bins turns them on)", experiment.MaxBinnedInputs)
}

// describeDefaults describes the defaults of a training, such as "--epochs 40 --batch 100: as in the paper", with the
// method and the protocol. It returns "" if the flags choose all of them.
func describeDefaults(c *cli.Context, s experiment.Settings, defaults []experiment.Default) string {
	defaults = slices.Concat(
		[]experiment.Default{{Key: "method", Value: s.Spec.Method}},
		defaults,
		[]experiment.Default{{Key: "protocol", Value: string(s.Training.Protocol)}},
	)
	var flags []string
	for _, d := range defaults {
		if !c.IsSet(d.Key) {
			flags = append(flags, fmt.Sprintf("--%s %s", d.Key, terminal.ShellWord(d.Value)))
		}
	}
	if len(flags) == 0 {
		return ""
	}
	reason := experiment.RecipeFor(s.Table.Name, s.Table.WeightedRows()).Reason
	return strings.Join(flags, " ") + ": " + reason
}
