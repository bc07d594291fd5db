package data

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dataset is what is known of a data set. Its file is a CSV with a header and the
// target last.
type Dataset struct {
	Name          string
	Rows          int    // samples in the file
	Features      int    // inputs
	Target        string // name of the target's column
	TargetMeaning string // with its unit
	Source        string
	Licence       string
	Remarks       string // the paper's, and where the file differs from its table; may be empty

	skipInPaper int // first rows that the paper's reading lost
}

const (
	ccBy       = "CC BY 4.0 (UCI)"
	noneStated = "none stated at the source"
)

// The paper's table of data sets, in its order. It gives diabetes 7 features; the
// set that the authors' code loads has 10.
var datasets = []Dataset{
	{Name: "yacht", Rows: 308, Features: 6, Target: "residuary_resistance",
		TargetMeaning: "residuary resistance per unit weight of displacement",
		Source:        "UCI 243, Yacht Hydrodynamics", Licence: ccBy},
	{Name: "diabetes", Rows: 442, Features: 10, Target: "progression",
		TargetMeaning: "disease progression after one year, score",
		Source:        "Efron, Hastie, Johnstone, Tibshirani (2004), Least Angle Regression", Remarks: "all 10 features of the source; the paper's table has 7",
		Licence: noneStated},
	{Name: "boston", Rows: 506, Features: 13, Target: "medv",
		TargetMeaning: "median home value, 1000 USD",
		Source:        "Harrison, Rubinfeld (1978), StatLib", Licence: noneStated},
	{Name: "energy", Rows: 768, Features: 8, Target: "cooling_load",
		TargetMeaning: "cooling load, kWh/m²",
		Source:        "UCI 242, Energy Efficiency", Remarks: "only the cooling load of two targets",
		Licence: ccBy},
	{Name: "concrete", Rows: 1030, Features: 8, Target: "compressive_strength",
		TargetMeaning: "compressive strength, MPa",
		Source:        "UCI 165, Concrete Compressive Strength", Licence: ccBy},
	{Name: "wine-red", Rows: 1599, Features: 11, Target: "quality",
		TargetMeaning: "quality, whole-number score",
		Source:        "UCI 186, Wine Quality (red)", Licence: ccBy},
	{Name: "abalone", Rows: 4177, Features: 7, Target: "rings",
		TargetMeaning: "rings, count",
		Source:        "UCI 1, Abalone", Remarks: "the first column, sex, is left out",
		Licence:     ccBy,
		skipInPaper: 1}, // read as a header, hence the 4176 of the paper's table
	{Name: "power", Rows: 9568, Features: 4, Target: "pe",
		TargetMeaning: "net hourly electrical output, MW",
		Source:        "UCI 294, Combined Cycle Power Plant (first sheet)", Licence: ccBy},
	{Name: "naval", Rows: 11934, Features: 16, Target: "gt_turbine_decay",
		TargetMeaning: "gas turbine decay state coefficient",
		Source:        "UCI 316, Condition Based Maintenance of Naval Propulsion Plants", Remarks: "only the turbine of two targets",
		Licence: ccBy},
	{Name: "california", Rows: 20640, Features: 8, Target: "med_house_val",
		TargetMeaning: "median house value, 100 000 USD",
		Source:        "Pace, Barry (1997), StatLib cal_housing", Licence: noneStated},
	{Name: "superconduct", Rows: 21263, Features: 81, Target: "critical_temp",
		TargetMeaning: "critical temperature, K",
		Source:        "UCI 464, Superconductivity", Licence: ccBy},
	{Name: "protein", Rows: 45730, Features: 9, Target: "rmsd",
		TargetMeaning: "RMSD, angstrom",
		Source:        "UCI 265, Physicochemical Properties of Protein Tertiary Structure", Licence: ccBy},
	{Name: "year", Rows: 515345, Features: 90, Target: "year",
		TargetMeaning: "release year of a song",
		Source:        "UCI 203, YearPredictionMSD", Licence: ccBy},
}

// Datasets returns the 13 data sets of the paper, in its order.
func Datasets() []Dataset { return slices.Clone(datasets) }

// Lookup returns the data set of that name.
func Lookup(name string) (Dataset, error) {
	var known []string
	for _, d := range Datasets() {
		if d.Name == name {
			return d, nil
		}
		known = append(known, d.Name)
	}
	return Dataset{}, fmt.Errorf("unknown data set %q: there is %s", name, strings.Join(known, ", "))
}

// RemarksUnder are the remarks, with what reading under the given protocol leaves out.
func (d Dataset) RemarksUnder(protocol Protocol) string {
	if d.RowsUnder(protocol) == d.Rows {
		return d.Remarks
	}
	skipped := "the first row is lost, read as a header"
	if d.Remarks == "" {
		return skipped
	}
	return d.Remarks + "; " + skipped
}

// RowsUnder is the number of samples that Load returns under the given protocol.
func (d Dataset) RowsUnder(protocol Protocol) int {
	if protocol == Paper {
		return d.Rows - d.skipInPaper
	}
	return d.Rows
}

// Locate returns the file of a data set, NAME.csv or NAME.csv.gz. It looks in dir;
// where dir is empty in $SML_DATA, then in the folder sml of the user's cache
// directory. The error names every place looked in.
func Locate(name, dir string) (path string, err error) {
	if _, err := Lookup(name); err != nil {
		return "", err
	}
	dirs := []string{dir}
	if dir == "" {
		dirs = nil
		if env := os.Getenv("SML_DATA"); env != "" {
			dirs = append(dirs, env)
		}
		if cache, err := os.UserCacheDir(); err == nil {
			dirs = append(dirs, filepath.Join(cache, "sml"))
		}
	}
	var tried []string
	for _, d := range dirs {
		for _, ending := range []string{".csv", ".csv.gz"} {
			path := filepath.Join(d, name+ending)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path, nil
			}
			tried = append(tried, path)
		}
	}
	return "", fmt.Errorf("data set %s not found; looked for %s; put the file there, or give its folder as data directory or in $SML_DATA",
		name, strings.Join(tried, ", "))
}

// Load reads a data set from the file that Locate finds and checks its shape.
// Under the paper protocol abalone lacks its first row.
func Load(ctx context.Context, name, dir string, protocol Protocol) (*Table, error) {
	d, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return d.load(ctx, dir, protocol, Options{Targets: []string{d.Target}, Header: HeaderYes}, d.Features)
}

// LoadColumns is Load of the columns that o asks for.
func LoadColumns(ctx context.Context, name, dir string, protocol Protocol, o Options) (*Table, error) {
	d, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return d.load(ctx, dir, protocol, o, 0)
}

// load checks the number of inputs where it is not 0.
func (d Dataset) load(ctx context.Context, dir string, protocol Protocol, o Options, inputs int) (*Table, error) {
	if _, err := ParseProtocol(string(protocol)); err != nil {
		return nil, err
	}
	path, err := Locate(d.Name, dir)
	if err != nil {
		return nil, err
	}
	t, err := ReadFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	if t.Rows() != d.Rows || inputs != 0 && len(t.Columns) != inputs {
		return nil, fmt.Errorf("%s: %d rows of %d inputs; %s has %d rows of %d inputs and the target %s",
			show(path), t.Rows(), len(t.Columns), d.Name, d.Rows, d.Features, d.Target)
	}
	t.Name = d.Name
	first := d.Rows - d.RowsUnder(protocol)
	t.X, t.Y = t.X[first*len(t.Columns):], t.Y[first*len(t.Targets):]
	return t, nil
}
