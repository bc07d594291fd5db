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
	"sml/data/preparation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// job describes a training. Its checkpoint stores the job, so that --resume needs no other flags.
type job struct {
	experiment.Settings
	Dir string `json:"data_dir,omitempty"` // directory of downloaded data sets; "" for the default

	// Preparation and identity of the model that the training starts from; nil if it starts
	// from none.
	Preparation *preparation.Preparation `json:"preparation,omitempty"`
	Parent      *experiment.Parent       `json:"parent,omitempty"`

	// Means and standard deviations for standardising the columns. A resumed training keeps them,
	// even if the model in InitFrom has changed since.
	Inputs  data.Scalers `json:"inputs"`
	Targets data.Scalers `json:"targets"`

	Replace bool `json:"replace,omitempty"` // whether the training replaces a model

	// Alternative describes the quantile networks that may be trained, too (experiment.TrainBetter); nil if there are none.
	Alternative *job `json:"alternative,omitempty"`
}

// check returns an error for a job that no training could have written, or that does not fit states, the
// states of the ensemble members in the same checkpoint. A user may have edited or damaged the checkpoint.
func (j job) check(states []trainers.State) error {
	if err := j.Settings.Check(); err != nil {
		return err
	}
	if j.Alternative != nil {
		if err := j.Alternative.check(states); err != nil { // as many members
			return fmt.Errorf("its alternative: %w", err)
		}
	}
	a := j.Spec.Architecture
	if len(j.Inputs) != a.Inputs || len(j.Targets) != a.Targets {
		return fmt.Errorf("it has %d input and %d target columns, and its network %d and %d", len(j.Inputs), len(j.Targets), a.Inputs, a.Targets)
	}
	for _, scaler := range slices.Concat(j.Inputs, j.Targets) {
		if err := scaler.Check(); err != nil {
			return err
		}
	}
	startsFromModel := j.InitFrom != ""
	if startsFromModel != (j.Parent != nil) {
		return errors.New("it does not identify the model that it starts from")
	}
	if len(states) != j.Training.Members {
		return fmt.Errorf("it has %d members, and its settings %d", len(states), j.Training.Members)
	}
	return nil
}

// planTraining returns the training that the command line describes, with its table read and its
// experiment prepared.
func planTraining(c *cli.Context) (*training, error) {
	j, err := chosenJob(c)
	if err != nil {
		return nil, err
	}
	t, err := readTable(c, j.Settings, j.Dir)
	if err != nil {
		return nil, err
	}
	noteTable(c, t)
	j.Table, err = j.Table.Identify(c.Context, t)
	if err != nil {
		return nil, err
	}
	table := experiment.NewTable(t)
	chosen, defaults, err := j.complete(c, table.Table)
	if err != nil {
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, j.Settings, table)
	if errors.Is(err, calibrate.ErrTooFew) {
		return nil, fmt.Errorf("%w (--calibrate, --calibrate-coverage, --cross-validation, --bootstrap)", err)
	}
	if err != nil {
		return nil, err
	}
	if j.InitFrom != "" {
		from, err := openModel(c, j.InitFrom)
		if err != nil {
			return nil, err
		}
		if err := startFrom(c, e, from); err != nil {
			return nil, fmt.Errorf("--init-from %w", err)
		}
	}
	if !c.Bool("quiet") {
		notePlan(c, table.Table, e, defaults)
	}
	planned := newTraining(j, e)
	planned.alternative, err = planAlternative(c, chosen, e.Settings, table)
	if planned.alternative != nil {
		planned.Alternative = &planned.alternative.job
	}
	return planned, err
}

// planAlternative returns the training of the quantile networks that train compares with its default method, or nil if
// there is none: if the user has chosen a method, or settings that quantile networks do not take. chosen holds the
// chosen settings, and complete has their defaults filled in.
func planAlternative(c *cli.Context, chosen, complete experiment.Settings, table *experiment.Table) (*training, error) {
	recipe := experiment.RecipeFor(chosen.Table.Name, chosen.Table.WeightedRows())
	alternative, ok := recipe.Alternative(chosen, complete)
	if !ok || c.IsSet("method") {
		return nil, nil
	}
	isChosen := func(key string) bool { return c.IsSet(key) || key == "members" } // as many as the default has
	alternative, _, err := resolveChosen(alternative, isChosen)
	if err != nil {
		return nil, nil
	}
	e, err := experiment.Prepare(c.Context, alternative, table)
	if errors.Is(err, calibrate.ErrTooFew) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return newTraining(job{Settings: alternative}, e), nil
}

// newTraining returns the training of a job by its experiment, whose settings, scalers and parent the job takes over.
func newTraining(j job, e *experiment.Experiment) *training {
	j.Settings = e.Settings // with the settings that the experiment has completed
	if j.InitFrom != "" {
		j.Preparation = e.Preparation()
		j.Parent = e.Parent
	}
	j.Inputs = e.Inputs
	j.Targets = e.Targets
	return &training{job: j, experiment: e}
}

// chosenJob returns the job that the command line describes. It does not read the table, so that
// the network's numbers of inputs and targets are missing.
func chosenJob(c *cli.Context) (job, error) {
	j := newJob(c)
	const unknownRows = 0 // protocol and method of a recipe do not depend on the number of rows
	recipe := experiment.RecipeFor(c.String("data"), unknownRows)
	var err error
	j.Training.Protocol, err = chosenProtocol(c, recipe.Protocol)
	if err != nil {
		return j, err
	}
	j.Prediction.Measures, err = chosenMeasures(c)
	if err != nil {
		return j, err
	}
	j.Table, err = chosenSource(c, c.String("data"))
	if err != nil {
		return j, err
	}
	if err := chooseSettings(c, &j.Settings, allParts...); err != nil {
		return j, err
	}
	if err := chooseOptimizer(c, &j.Training); err != nil {
		return j, err
	}
	if err := cmp.Or(chooseSplit(c, &j.Settings), checkCalibrationFlags(c, j.Settings)); err != nil {
		return j, err
	}
	j.Spec.Method = cmp.Or(c.String("method"), recipe.Method)
	if method, err := models.Lookup(j.Spec.Method); err == nil { // checkNetwork reports an unknown method
		j.Table.Classes = method.PredictsClasses()
	}
	j.Spec.Hyperparameters, err = models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return j, usageError{err}
	}
	return j, checkNetwork(j.Spec.Method, j.Spec.Architecture)
}

// newJob returns a job with default settings and with the flags that cannot be wrong.
func newJob(c *cli.Context) job {
	j := job{
		Settings: experiment.DefaultSettings(),
		Dir:      c.String("data-dir"),
		Replace:  c.Bool("force"),
	}
	j.InitFrom = c.String("init-from")
	j.Training.Seed = c.Uint64("seed")
	j.Training.Engine = graph.Engine(c.String("engine"))
	return j
}

// complete fills in the settings that follow from the table: the sizes of the network, and the defaults. It returns the
// settings without the defaults, and the defaults. If the settings do not fit each other, its error names the flags at
// fault.
func (j *job) complete(c *cli.Context, t *data.Table) (chosen experiment.Settings, defaults []experiment.Default, err error) {
	if j.Calibration.GroupColumn != "" {
		// The flag may be a column's number, and the model needs its name. The table keeps the group column last.
		j.Calibration.GroupColumn = t.KeptTexts.Names[len(t.KeptTexts.Names)-1]
	}
	j.Spec.Architecture.Inputs = len(t.Columns)
	j.Spec.Architecture.Targets = len(t.Targets)
	j.Spec.Architecture.Classes = t.CountClasses()
	chosen = j.Settings
	j.Settings, defaults, err = resolveChosen(chosen, c.IsSet)
	if err != nil {
		return chosen, nil, nameFlags(c, err, func(s experiment.Setting) error { return resolveWithout(c, chosen, s, err) })
	}
	return chosen, defaults, nil
}

// resolveWithout returns the error of resolving chosen settings in which one setting has its default instead: nil
// if this setting alone is at fault. It returns unchanged, the error with the setting, for a setting without a
// default.
func resolveWithout(c *cli.Context, chosen experiment.Settings, s experiment.Setting, unchanged error) error {
	if s.Get == nil {
		return unchanged
	}
	byDefault := s.Get(experiment.DefaultSettings())
	if err := s.Set(&chosen, byDefault); err != nil {
		return unchanged
	}
	isChosen := func(key string) bool { return key != s.Key && c.IsSet(key) }
	_, _, err := resolveChosen(chosen, isChosen)
	return err
}

// resolveChosen returns chosen settings with their defaults, which depend on the method and on the
// number of rows, and the defaults of the table's recipe. isChosen reports whether the user has
// chosen the setting with a key.
func resolveChosen(s experiment.Settings, isChosen func(key string) bool) (resolved experiment.Settings, defaults []experiment.Default, err error) {
	recipe := experiment.RecipeFor(s.Table.Name, s.Table.WeightedRows())
	s, defaults, err = recipe.Complete(s, isChosen)
	if err != nil {
		return s, nil, err
	}
	if err := s.CheckRead(isChosen); err != nil {
		return s, nil, err
	}
	s.Spec, err = models.NewSpec(s.Spec.Method, s.Spec.Hyperparameters, s.Spec.Architecture)
	if err != nil {
		return s, nil, err
	}
	resolved, err = s.Resolve()
	return resolved, defaults, err
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
	lines = append(lines, describeEmbeddings(e.Preparation(), e.Spec.Architecture))
	lines = append(lines, describeSplit(e), describeFewGroups(e), describeWide(e, defaults), describeDefaults(c, e.Settings, defaults))
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
