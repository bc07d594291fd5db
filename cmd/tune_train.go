package cmd

import (
	"bytes"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/evaluation/study/tune"
	"sml/models"
)

// trainTuned trains the best settings of a tuning as the model in the folder model, and returns its scores. It does not
// train if the model is there, and continues an interrupted training of it. A model with other settings was the best when
// a time limit ended the tuning earlier, and is replaced.
func trainTuned(c *cli.Context, s experiment.Settings, model string, readTable study.Reader) (*judgement, error) {
	t, err := planTuned(c, s, readTable)
	if err != nil {
		return nil, err
	}
	if !isModelOf(t.experiment, model) {
		return t.finishTuned(c, model)
	}
	m, err := openModel(c, model)
	if err != nil {
		return nil, err
	}
	return judge(c, t.experiment, m.Model, m.Scores)
}

// finishTuned trains the best settings of a tuning as the model in the folder model.
func (t *training) finishTuned(c *cli.Context, model string) (*judgement, error) {
	if !c.Bool("quiet") {
		notePlan(c, t.experiment.Data(), t.experiment, nil) // the plan of the study has chosen the defaults
	}
	removeLeftovers(model)
	job, states, err := readCheckpoint(checkpointDir(model))
	if err == nil && bytes.Equal(job, mustJSON(t.started())) {
		t.states = states
	}
	report, err := t.finish(c, model)
	if err != nil {
		return nil, err
	}
	return report.judged, nil
}

// planTuned returns the training of the best settings on all training rows.
func planTuned(c *cli.Context, s experiment.Settings, readTable study.Reader) (*training, error) {
	table, err := readTable(c.Context, s.Source(), s.Training.Protocol)
	if err != nil {
		return nil, err
	}
	s.Table.Header = read.Header(c.String("header")) // the choice, which a model records
	s.Table, err = s.Table.Identify(c.Context, table)
	if err != nil {
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, s, experiment.NewTable(table))
	return &training{dataDir: c.String("data-dir"), experiment: e}, err
}

// isModelOf reports whether the folder dir has a model with the settings of an experiment.
func isModelOf(e *experiment.Experiment, dir string) bool {
	m, err := models.Load(dir)
	if err != nil {
		return false
	}
	// The model has some of its settings as JSON, so both sides are compared as JSON.
	saved := mustJSON([]any{m.Data, m.Training, m.Spec})
	return bytes.Equal(saved, mustJSON([]any{e.Table, e.Training, e.Spec}))
}

// tunedCommand returns the words of a train command, without --out, that trains the settings of a trial: the shared
// flags of the tuning's command line, its method, and a flag for each setting. trained has the settings of the training.
func tunedCommand(c *cli.Context, trial tune.Trial, trained experiment.Settings) []string {
	words := []string{"sml", "train"}
	for _, f := range sharedFlags() {
		name := f.Names()[0]
		isReplaced := slices.ContainsFunc(trial.Settings, func(s tune.Setting) bool {
			return !s.Hyperparameter && sameField(s.Key, name)
		})
		// The hyperparameters of --set are among the settings: see addSet.
		switch {
		case isReplaced || name == "set":
		case name == "method": // without it, train would compare its default method with another one
			words = append(words, "--method", trial.Method)
		default:
			words = append(words, chosenWords(c, f)...)
		}
	}
	for _, s := range trial.Settings {
		words = append(words, settingWords(s, trained)...)
	}
	return words
}

// settingWords returns the words that choose a setting of a trial. trained has the settings of the training, which show the
// value of a setting that stands for another one: width=20 becomes --hidden 20,20.
func settingWords(s tune.Setting, trained experiment.Settings) []string {
	if s.Hyperparameter {
		return flagWords("set", s.Key+"="+s.Value)
	}
	setting, err := experiment.LookupSetting(s.Key)
	if err == nil && setting.StudyOnly {
		setting, err = experiment.LookupSetting(setting.Replaces)
	}
	if err == nil && setting.Kind == experiment.Widths {
		return flagWords(setting.Key, setting.Get(trained))
	}
	return flagWords(s.Key, s.Value) // the method, too, which is no setting of the list
}
