package cmd

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/urfave/cli/v2"

	"sml/data/safefile"
	"sml/data/strict"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/models"
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
		Description: "A line for each model below DIR: what it was trained on, the settings in which these models differ, and the\n" +
			"scores on the rows that were held out, in standard deviations of the target. --csv has those in its unit, too.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "sort", Usage: "the best by the measure of that `NAME` first (see \"sml measures\")", DefaultText: "by name"},
			&cli.IntFlag{Name: "depth", Value: defaultDepth, Usage: "look so many `LEVELS` of folders deep"},
			&cli.BoolFlag{Name: "csv", Usage: "print CSV, numbers with all their digits"},
			jsonFlag(),
		},
		Action: listRuns,
	}
}

// listed is a model, or a folder that should be one.
type listedModel struct {
	Model  string         `json:"model"`
	Broken string         `json:"broken,omitempty"` // why it cannot be read
	Method string         `json:"method,omitempty"`
	Data   string         `json:"data,omitempty"`
	Rows   int            `json:"rows,omitempty"`
	Seed   uint64         `json:"seed"`
	Set    []namedText    `json:"settings,omitempty"`
	Test   map[string]any `json:"test,omitempty"` // scores by standardised/NAME and original/NAME

	scores []testScore
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

// score is a score by its name, NaN if there is none.
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
	if by.Name != "" {
		slices.SortStableFunc(list, func(a, b listedModel) int { return better(a, b, by) })
	}
	switch {
	case c.Bool("json"):
		return writeJSON(c, list)
	case c.Bool("csv"):
		return runsCSV(c.App.Writer, list)
	}
	return runsTable(c.App.Writer, list)
}

// better says which of two models goes before the other by a measure: those without a
// score go behind all others.
func better(a, b listedModel, by measure.Measure) int {
	x, y := by.Badness(a.score("standardised/"+by.Name)), by.Badness(b.score("standardised/"+by.Name))
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
	m, err := models.Load(dir)
	if err != nil {
		return broken(err)
	}
	trained, err := experiment.Of(m)
	if err != nil {
		return broken(err)
	}
	settings, err := settingsOfModel(m)
	if err != nil {
		return broken(err)
	}
	if l.scores, err = scoresOfModel(m); err != nil {
		return broken(err)
	}
	l.Method, l.Data, l.Rows, l.Seed = m.Method, trained.Table.Name, trained.Table.Rows, trained.Training.Seed
	for _, s := range settings {
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

// apart are settings that follow from the table, or have a column of their own.
var apart = []string{"method", "inputs", "targets", "outputs", "texts", "seed", "engine", "data.name", "data.rows", "data.sha256", "data.header"}

// differing are the settings in which models that could be read are not all the same.
func differing(list []listedModel) []string {
	var names []string
	values := make(map[string]string)
	differs := make(map[string]bool)
	readable := slices.DeleteFunc(slices.Clone(list), func(m listedModel) bool { return m.Broken != "" })
	for _, m := range readable {
		for _, s := range m.Set {
			if !slices.Contains(names, s.Name) && !slices.Contains(apart, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	for _, name := range names {
		for k, m := range readable {
			if k == 0 {
				values[name] = m.setting(name)
			}
			differs[name] = differs[name] || m.setting(name) != values[name]
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !differs[name] })
}

// scored are the names of the scores that some model has.
func scored(list []listedModel, unit string) []string {
	var names []string
	for _, m := range list {
		for _, s := range m.scores {
			if strings.HasPrefix(s.name, unit) && !slices.Contains(names, s.name) {
				names = append(names, s.name)
			}
		}
	}
	return names
}

func runsTable(w io.Writer, list []listedModel) error {
	settings, scores := differing(list), scored(list, "standardised/")
	header := []any{"model", "method", "data", "rows", "seed"}
	for _, name := range settings {
		header = append(header, name)
	}
	first := len(header) + 1
	for _, name := range scores {
		name = strings.TrimPrefix(name, "standardised/")
		if m, err := measure.Lookup(name); err == nil {
			name = m.Title
		}
		header = append(header, name)
	}
	t := newTable(0, header...)
	t.Style().Format.Header = text.FormatDefault
	right := []table.ColumnConfig{{Number: 4, Align: text.AlignRight, AlignHeader: text.AlignRight}, {Number: 5, Align: text.AlignRight, AlignHeader: text.AlignRight}}
	for i := first; i <= len(header); i++ {
		right = append(right, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	broken := 0
	for _, m := range list {
		if m.Broken != "" {
			broken++
			continue
		}
		row := table.Row{m.Model, m.Method, m.Data, m.Rows, m.Seed}
		for _, name := range settings {
			row = append(row, m.setting(name))
		}
		for _, name := range scores {
			cell := "–"
			if slices.ContainsFunc(m.scores, func(s testScore) bool { return s.name == name }) {
				cell = fmt.Sprintf("%.4g", m.score(name))
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	if broken < len(list) {
		if _, err := fmt.Fprintln(w, t.Render()); err != nil {
			return err
		}
	}
	for _, m := range list {
		if m.Broken != "" {
			if _, err := fmt.Fprintf(w, "%s: broken: %s\n", m.Model, m.Broken); err != nil {
				return err
			}
		}
	}
	return nil
}

// runsCSV writes the columns of the table, the scores in the target's unit as well, and
// why a model cannot be read.
func runsCSV(w io.Writer, list []listedModel) error {
	settings, scores := differing(list), append(scored(list, "standardised/"), scored(list, "original/")...)
	out := csv.NewWriter(w)
	out.Write(slices.Concat([]string{"model", "method", "data", "rows", "seed"}, settings, scores, []string{"broken"})) // an error of Write is kept for Error
	for _, m := range list {
		record := []string{m.Model, m.Method, m.Data, strconv.Itoa(m.Rows), strconv.FormatUint(m.Seed, 10)}
		if m.Broken != "" {
			record = []string{m.Model, "", "", "", ""}
		}
		for _, name := range settings {
			record = append(record, m.setting(name))
		}
		for _, name := range scores {
			cell := ""
			if slices.ContainsFunc(m.scores, func(s testScore) bool { return s.name == name }) {
				cell = strconv.FormatFloat(m.score(name), 'g', -1, 64)
			}
			record = append(record, cell)
		}
		out.Write(append(record, m.Broken))
	}
	out.Flush()
	return out.Error()
}
