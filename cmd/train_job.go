package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/preparation"
	"sml/models"
	"sml/trainers"
)

// job is the description of a training in its checkpoint.
type job struct {
	experiment.Settings
	Dir string `json:"data_dir,omitempty"`

	// Preparation and identity of the model that the training starts from; nil if it starts
	// from none.
	Preparation *preparation.Preparation `json:"preparation,omitempty"`
	Parent      *experiment.Parent       `json:"parent,omitempty"`

	// Means and standard deviations for standardising the columns. A resumed training keeps them,
	// even if the model in InitFrom has changed since.
	Inputs  data.Scalers `json:"inputs"`
	Targets data.Scalers `json:"targets"`

	Replace bool `json:"replace,omitempty"` // whether the training replaces a model
}

// check returns an error for a job that no training could have written, or that does not fit states, the
// states of the ensemble members in the same checkpoint.
func (j job) check(states []trainers.State) error {
	if err := j.Settings.Check(); err != nil {
		return err
	}
	if a := j.Spec.Architecture; len(j.Inputs) != a.Inputs || len(j.Targets) != a.Targets {
		return fmt.Errorf("it has %d input and %d target columns, and its network %d and %d", len(j.Inputs), len(j.Targets), a.Inputs, a.Targets)
	}
	for _, c := range slices.Concat(j.Inputs, j.Targets) {
		if err := c.Check(); err != nil {
			return err
		}
	}
	if (j.InitFrom == "") != (j.Parent == nil) {
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
	earlyNote, err := j.complete(c, t)
	if err != nil {
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, j.Settings, experiment.NewTable(t))
	if errors.Is(err, calibrate.ErrTooFew) {
		return nil, fmt.Errorf("%w (--calibrate, --calibrate-coverage)", err)
	}
	if err != nil {
		return nil, err
	}
	if err := startFrom(c, e, j.InitFrom); err != nil {
		return nil, err
	}
	j.Settings = e.Settings
	if j.InitFrom != "" {
		j.Preparation = e.Preparation()
		j.Parent = e.Parent
	}
	j.Inputs = e.Inputs
	j.Targets = e.Targets
	if !c.Bool("quiet") {
		notePlan(c, j.Settings, t, e, earlyNote)
	}
	return &training{job: j, experiment: e}, nil
}

// chosenJob returns the job that the command line describes. It does not read the table, so that
// the network's numbers of inputs and targets are missing.
func chosenJob(c *cli.Context) (job, error) {
	j := job{Settings: experiment.DefaultSettings(), Dir: c.String("data-dir"), Replace: c.Bool("force")}
	j.InitFrom = c.String("init-from")
	j.Training.Seed = c.Uint64("seed")
	j.Training.Engine = graph.Engine(c.String("engine"))
	var err error
	j.Training.Protocol, err = chosenProtocol(c, experiment.RecipeFor(c.String("data"), 0).Protocol)
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
	if err := cmp.Or(chooseSplit(c, &j.Settings), chooseCalibration(c, &j.Settings)); err != nil {
		return j, err
	}
	j.Spec.Method = c.String("method")
	if m, err := models.Lookup(j.Spec.Method); err == nil { // checkNetwork reports an unknown method
		j.Table.Classes = m.PredictsClasses()
	}
	j.Spec.Hyperparameters, err = models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return j, usageError{err}
	}
	return j, checkNetwork(j.Spec.Method, j.Spec.Architecture)
}

// complete fills in the settings that follow from the table. It returns a note on early
// stopping, "" if the training stops early only by request.
func (j *job) complete(c *cli.Context, t *data.Table) (earlyNote string, err error) {
	if j.Calibration.GroupColumn != "" {
		// The flag may be a column's number, and the model needs its name. The table keeps the group column last.
		j.Calibration.GroupColumn = t.KeptTexts.Names[len(t.KeptTexts.Names)-1]
	}
	j.Table, err = j.Table.Identify(c.Context, t)
	if err != nil {
		return "", err
	}
	j.Spec.Architecture.Inputs = len(t.Columns)
	j.Spec.Architecture.Targets = len(t.Targets)
	j.Spec.Architecture.Classes = t.CountClasses()
	chosen := j.Settings
	j.Settings, earlyNote, err = resolveChosen(c, chosen)
	if err != nil {
		return "", nameFlags(c, err, func(s experiment.Setting) error {
			without := chosen
			if s.Get == nil || s.Set(&without, s.Get(experiment.DefaultSettings())) != nil {
				return err // the same error: without a default, the flag is not at fault
			}
			_, _, err := resolveChosen(c, without)
			return err
		})
	}
	return earlyNote, nil
}

// resolveChosen returns chosen settings with their defaults, which depend on the method and on the
// number of rows. It returns a note on early stopping, "" if the training stops early only by
// request.
func resolveChosen(c *cli.Context, s experiment.Settings) (resolved experiment.Settings, earlyNote string, err error) {
	s.Spec, err = models.NewSpec(s.Spec.Method, s.Spec.Hyperparameters, s.Spec.Architecture)
	if err != nil {
		return s, "", err
	}
	recipe := experiment.RecipeFor(s.Table.Name, s.Table.Rows)
	s.Training.Epochs = cmp.Or(s.Training.Epochs, recipe.Epochs)
	s.Training.Batch = cmp.Or(s.Training.Batch, recipe.Batch)
	earlyNote = stopEarly(c, &s)
	resolved, err = s.Resolve()
	return resolved, earlyNote, err
}

// stopEarly sets validation rows for early stopping if --validation is not set and the method needs
// early stopping for a table of this size. It returns a note on the settings, "" if it changed
// nothing.
func stopEarly(c *cli.Context, s *experiment.Settings) (note string) {
	m, err := models.Lookup(s.Spec.Method)
	validation, patience, reason := experiment.EarlyStoppingFor(s.Table.Name, m, s.Table.Rows)
	if err != nil || c.IsSet("validation") || validation == 0 {
		return ""
	}
	note = fmt.Sprintf("--validation %v", validation)
	s.Training.Validation = validation
	if !c.IsSet("patience") {
		s.Training.Patience = patience
		note += fmt.Sprintf(" --patience %d", patience)
	}
	return fmt.Sprintf("%s: %s (--validation 0 trains on all)", note, reason)
}

// startFrom gives an experiment the weights of the model in dir, unless dir is "".
func startFrom(c *cli.Context, e *experiment.Experiment, dir string) error {
	if dir == "" {
		return nil
	}
	from, err := openModel(c, dir)
	if err != nil {
		return err
	}
	loadTrainingRows(c, from, dir)
	err = e.StartFrom(from)
	if errors.Is(err, experiment.ErrNetworkDiffers) {
		return usageErrorf("--init-from %s: %w", dir, err)
	}
	if err != nil {
		return fmt.Errorf("--init-from %s: %w", dir, err)
	}
	warnParent(c, e, from)
	return nil
}

// notePlan prints how a training prepares its table, and which settings the recipe and early
// stopping have chosen, with their reasons.
func notePlan(c *cli.Context, s experiment.Settings, t *data.Table, e *experiment.Experiment, earlyNote string) {
	lines := append(describePreparation(t, e.Preparation()), describeSpikes(e)...)
	lines = append(lines, describeSplit(e))
	var byRecipe []string
	for _, set := range []struct {
		flag  string
		value any
	}{{"epochs", s.Training.Epochs}, {"batch", s.Training.Batch}, {"protocol", s.Training.Protocol}} {
		if !c.IsSet(set.flag) {
			byRecipe = append(byRecipe, fmt.Sprintf("--%s %v", set.flag, set.value))
		}
	}
	if len(byRecipe) > 0 {
		lines = append(lines, strings.Join(byRecipe, " ")+": "+experiment.RecipeFor(s.Table.Name, s.Table.Rows).Reason)
	}
	for _, line := range append(lines, earlyNote) {
		if line != "" {
			note(c, "%s", line)
		}
	}
}
