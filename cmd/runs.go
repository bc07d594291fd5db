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

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/safefile"
	"sml/internal/strict"
)

// Bounds of what is looked through for models.
const (
	defaultDepth = 4
	maxFolders   = 100_000
)

func runsCommand() *cli.Command {
	return &cli.Command{
		Name:      "runs",
		Usage:     "list the models in folders, with their settings and test scores",
		UsageText: "sml runs DIR [DIR …] [--sort MEASURE] [--csv|--json]",
		Description: "A table for each target: its models below DIR, the settings in which they differ, and the scores on the rows\n" +
			"that were held out, in the target's unit. Models of different targets, or of different tables, are not ranked\n" +
			"against each other. --csv and --json have all settings and scores, and the standardised ones.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "sort", Usage: "rank the models of each target by the measure `NAME` in the target's unit (see \"sml measures\")", DefaultText: "by name"},
			&cli.IntFlag{Name: "depth", Value: defaultDepth, Usage: "look so many `LEVELS` of folders deep"},
			&cli.BoolFlag{Name: "csv", Usage: "print CSV, numbers with all their digits"},
			jsonFlag(),
		},
		Action: listRuns,
	}
}

// listedModel describes a model, or a folder that should be one.
type listedModel struct {
	Model   string         `json:"model"`
	Broken  string         `json:"broken,omitempty"` // why it cannot be read
	Method  string         `json:"method,omitempty"`
	Data    string         `json:"data,omitempty"`
	Rows    int            `json:"rows,omitempty"`
	Targets []string       `json:"targets,omitempty"`
	Seed    uint64         `json:"seed"`
	Set     []namedText    `json:"settings,omitempty"`
	Test    map[string]any `json:"test,omitempty"` // scores by standardised/NAME and original/NAME

	scores []testScore
}

// targetNames returns the names of the targets as one text.
func (m listedModel) targetNames() string { return strings.Join(m.Targets, ", ") }

// sameTarget reports whether scores in the target's unit can be compared: the models
// predict the same columns of a table of one name and length.
func (m listedModel) sameTarget(other listedModel) bool {
	return m.Data == other.Data && m.Rows == other.Rows && slices.Equal(m.Targets, other.Targets)
}

// namedText is a setting as JSON.
type namedText struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (m listedModel) setting(name string) string {
	if i := slices.IndexFunc(m.Set, func(s namedText) bool { return s.Name == name }); i >= 0 {
		return m.Set[i].Value
	}
	return ""
}

// hasScore reports whether the model has a score of that name.
func (m listedModel) hasScore(name string) bool {
	return slices.ContainsFunc(m.scores, func(s testScore) bool { return s.name == name })
}

// score returns a score by its name, NaN if there is none.
func (m listedModel) score(name string) float64 {
	if i := slices.IndexFunc(m.scores, func(s testScore) bool { return s.name == name }); i >= 0 {
		return m.scores[i].value
	}
	return math.NaN()
}

func listRuns(c *cli.Context) error {
	if !c.Args().Present() {
		return usage("a folder with models is missing")
	}
	if c.Bool("csv") && c.Bool("json") {
		return usage("--csv and --json: choose one")
	}
	depth := c.Int("depth")
	if depth < 0 || depth > 100 {
		return usage("--depth %d: want 0 to 100", depth)
	}
	var by measure.Measure
	if c.String("sort") != "" {
		var err error
		if by, err = measure.Lookup(c.String("sort")); err != nil {
			return usageError{err}
		}
		if by.Undirected {
			return usage("--sort %s: it says of no score that it is better than another", by.Name)
		}
	}
	var list []listedModel
	for _, dir := range c.Args().Slice() {
		if dir == "" {
			return usage("the name of a folder is empty")
		}
		dirs, err := modelsBelow(safefile.Path(dir), depth)
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			if err := c.Context.Err(); err != nil {
				return err
			}
			if !slices.ContainsFunc(list, func(m listedModel) bool { return m.Model == dir }) {
				list = append(list, readListed(dir))
			}
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("no model is in %s, up to %d levels of folders deep", strings.Join(c.Args().Slice(), ", "), depth)
	}
	groups := groupByTarget(list)
	if by.Name != "" {
		for _, g := range groups {
			slices.SortStableFunc(g, func(a, b listedModel) int { return compareScores(a, b, by) })
		}
		list = slices.Concat(groups...)
	}
	switch {
	case c.Bool("json"):
		return writeJSON(c, list)
	case c.Bool("csv"):
		return runsCSV(c.App.Writer, list)
	}
	return runsTables(c.App.Writer, groups, by.Name)
}

// groupByTarget groups models whose scores can be compared, in the order of the first
// model of each group. Models that cannot be read are the last group.
func groupByTarget(list []listedModel) [][]listedModel {
	var groups [][]listedModel
	var broken []listedModel
	for _, m := range list {
		if m.Broken != "" {
			broken = append(broken, m)
			continue
		}
		i := slices.IndexFunc(groups, func(g []listedModel) bool { return g[0].sameTarget(m) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], m)
	}
	if broken != nil {
		groups = append(groups, broken)
	}
	return groups
}

// compareScores orders models by a measure in the target's unit, the best first. Models
// without a score come last.
func compareScores(a, b listedModel, by measure.Measure) int {
	x, y := by.Badness(a.score(inTargetUnit+by.Name)), by.Badness(b.score(inTargetUnit+by.Name))
	if math.IsNaN(x) || math.IsNaN(y) {
		return cmp.Compare(notNumber(x), notNumber(y))
	}
	return cmp.Compare(x, y)
}

func notNumber(x float64) int {
	if math.IsNaN(x) {
		return 1
	}
	return 0
}

// modelsBelow lists the folders that have a model.json, dir itself or so many levels
// below, in their order. Links are not followed, and neither what begins with a dot nor
// copies in runs of MLflow are looked at.
func modelsBelow(dir string, depth int) ([]string, error) {
	var found []string
	looked := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		below, errRel := filepath.Rel(dir, path)
		level := strings.Count(filepath.ToSlash(below), "/") + 1
		if below == "." {
			level = 0
		}
		switch {
		case err != nil && level == 0:
			return err
		case errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		case err != nil || errRel != nil:
			return cmp.Or(err, errRel)
		case !d.IsDir():
			return nil
		case level > depth, level > 0 && strings.HasPrefix(d.Name(), "."), d.Name() == "artifacts" && exists(filepath.Join(filepath.Dir(path), "meta.yaml")):
			return fs.SkipDir
		}
		if looked++; looked > maxFolders {
			return fmt.Errorf("%s has more than %d folders: name one with fewer, or a smaller --depth", dir, maxFolders)
		}
		if info, err := os.Stat(filepath.Join(path, "model.json")); err == nil && !info.IsDir() {
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	if err == nil {
		if info, wrong := os.Stat(dir); wrong == nil && !info.IsDir() {
			err = fmt.Errorf("%s is a file: want a folder with models", dir)
		}
	}
	return found, err
}

// readListed reads a model as it is listed.
func readListed(dir string) listedModel {
	l := listedModel{Model: dir}
	broken := func(err error) listedModel { return listedModel{Model: dir, Broken: err.Error()} }
	m, err := experiment.Open(dir)
	if err != nil {
		return broken(err)
	}
	settings, err := settingsOfModel(m.Model)
	if err != nil {
		return broken(err)
	}
	l.scores = listScores(m.Scores)
	l.Method, l.Data, l.Rows, l.Seed = m.Method, m.Settings.Table.Name, m.Settings.Table.Rows, m.Settings.Training.Seed
	l.Targets = m.Targets.Names()
	for _, s := range settingsByKey(settings, m.Settings) {
		l.Set = append(l.Set, namedText(s))
	}
	for _, s := range l.scores {
		if l.Test == nil {
			l.Test = make(map[string]any)
		}
		l.Test[s.name] = strict.Number(s.value)
	}
	return l
}
