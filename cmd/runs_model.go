package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/strict"
)

// listedModel describes a model, or a folder that should be one.
type listedModel struct {
	Model   string         `json:"model"`
	Broken  string         `json:"broken,omitempty"` // why it cannot be read
	Method  string         `json:"method,omitempty"`
	Data    string         `json:"data,omitempty"`
	Rows    int            `json:"rows,omitempty"` // rows of the whole table
	Targets []string       `json:"targets,omitempty"`
	Seed    uint64         `json:"seed"`
	Set     []setting      `json:"settings,omitempty"`
	Test    map[string]any `json:"test,omitempty"` // scores as JSON, by their names (testScore)

	scores []testScore // scores in the order of the measures; nil if the model was not tested
}

// targetNames returns the names of the targets as one text.
func (m listedModel) targetNames() string { return strings.Join(m.Targets, ", ") }

// sameTarget reports whether scores in the target's unit can be compared: the models
// predict the same columns of a table of one name and length.
func (m listedModel) sameTarget(other listedModel) bool {
	return m.Data == other.Data && m.Rows == other.Rows && slices.Equal(m.Targets, other.Targets)
}

// setting returns the value of a setting, "" if the model does not have it.
func (m listedModel) setting(name string) string {
	for _, s := range m.Set {
		if s.Name == name {
			return s.Value
		}
	}
	return ""
}

// shownScores returns the prefix of the scores that tables show: scores in the target's unit, or standardised scores, as
// means over the targets, if there are several targets, which may have different units.
func (m listedModel) shownScores() string {
	if len(m.Targets) > 1 {
		return standardised
	}
	return inTargetUnit
}

// score returns a score by its name, NaN and false if there is none.
func (m listedModel) score(name string) (value float64, ok bool) {
	for _, s := range m.scores {
		if s.name == name {
			return s.value, true
		}
	}
	return math.NaN(), false
}

// readListedModel reads the model in a folder. If that fails, the listed model is broken: one broken model
// does not hide the others.
func readListedModel(dir string) listedModel {
	m, err := experiment.Open(dir)
	if err != nil {
		return listedModel{Model: dir, Broken: err.Error()}
	}
	l := listedModel{
		Model:   dir,
		Method:  m.Method,
		Data:    m.Settings.Table.Name,
		Rows:    m.Settings.Table.Rows,
		Targets: m.Targets.Names(),
		Seed:    m.Settings.Training.Seed,
		Set:     settingsByKey(settingsOfModel(m), m.Settings),
		scores:  listScores(m.Scores),
	}
	if len(l.scores) > 0 {
		l.Test = make(map[string]any)
	}
	for _, s := range l.scores {
		l.Test[s.name] = strict.Number(s.value) // a score may be infinite, which JSON has no number for
	}
	return l
}

// groupByTarget groups models whose scores can be compared, in the order of each group's first
// model. Unreadable models are the last group.
func groupByTarget(models []listedModel) [][]listedModel {
	var groups [][]listedModel
	var broken []listedModel
	for _, m := range models {
		if m.Broken != "" {
			broken = append(broken, m)
			continue
		}
		i := slices.IndexFunc(groups, func(group []listedModel) bool { return group[0].sameTarget(m) })
		if i < 0 { // the model is the first of a new group
			groups = append(groups, []listedModel{m})
			continue
		}
		groups[i] = append(groups[i], m)
	}
	if broken != nil {
		groups = append(groups, broken)
	}
	return groups
}

// compareScores orders models of the same targets by a measure, the best first. Models without a score come last.
func compareScores(a, b listedModel, m measure.Measure) int {
	return cmp.Compare(a.badness(m), b.badness(m))
}

// badness returns a number that is smaller for better scores by a measure, and infinite without a score.
func (m listedModel) badness(by measure.Measure) float64 {
	score, _ := m.score(m.shownScores() + by.Name)
	badness := by.Badness(score)
	if math.IsNaN(badness) {
		return math.Inf(1)
	}
	return badness
}

// maxFolders is the maximum number of folders that modelsBelow searches, so that "sml runs /" ends soon.
const maxFolders = 100_000

// modelsBelow returns the folders with a model.json, in lexical order: dir and the folders up
// to depth levels below. It does not follow links, and leaves out folders that cannot be read, names that
// begin with a dot, and copies of models in runs of MLflow. It returns an error if dir cannot be read or
// has more than maxFolders folders.
func modelsBelow(dir string, depth int) ([]string, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file: want a folder with models", dir)
	}
	var modelDirs []string
	folders := 0 // number of folders searched so far
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, walkErr error) error {
		level := folderLevel(dir, path)
		switch {
		case walkErr != nil && level == 0:
			return walkErr // dir itself cannot be read
		case errors.Is(walkErr, fs.ErrPermission):
			return fs.SkipDir
		case walkErr != nil:
			return walkErr
		case !d.IsDir():
			return nil
		}
		isHidden := level > 0 && strings.HasPrefix(d.Name(), ".")
		if level > depth || isHidden || isRunArtifacts(path) {
			return fs.SkipDir
		}
		folders++
		if folders > maxFolders {
			return fmt.Errorf("%s has more than %d folders: name one with fewer, or a smaller --depth", dir, maxFolders)
		}
		if isModelFolder(path) {
			modelDirs = append(modelDirs, path)
			return fs.SkipDir // a model has no models in its folders
		}
		return nil
	})
	return modelDirs, err
}

// folderLevel returns the number of levels that path, which begins with dir, lies below dir: 0 for dir itself, 1 for its
// folders.
func folderLevel(dir, path string) int {
	below, _ := filepath.Rel(dir, path)
	if below == "." {
		return 0
	}
	return strings.Count(filepath.ToSlash(below), "/") + 1
}

// isRunArtifacts reports whether a folder holds the artifacts of a run of MLflow, with a copy of its model.
func isRunArtifacts(path string) bool {
	return filepath.Base(path) == "artifacts" && fileExists(filepath.Join(filepath.Dir(path), "meta.yaml"))
}

// isModelFolder reports whether a folder has a file model.json.
func isModelFolder(path string) bool {
	info, err := os.Stat(filepath.Join(path, "model.json"))
	return err == nil && !info.IsDir()
}
