package tune

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
	_ "sml/evaluation/report/paper" // for the presets of studies
	"sml/evaluation/study"
	"sml/internal/expect"
)

const testVersion = "test"

func parseSpace(t *testing.T, text string) Space {
	t.Helper()
	return expect.Must(ParseSpace(text))
}

// friedmanTable returns a table of 120 rows, whatever the source.
func friedmanTable(context.Context, experiment.Source, data.Protocol) (*data.Table, error) {
	return data.Friedman(120, 1), nil
}

// smallTuning returns a tuning that takes a second.
func smallTuning(t *testing.T, strategy string, trials int) Tuning {
	return Tuning{
		Study: study.Config{
			Preset: "quick", Datasets: []string{"friedman"}, Splits: []string{"random"}, Fold: []int{0}, Seeds: []uint64{3},
			Settings: study.Settings{"epochs": {"9"}, "batch": {"20"}, "width": {"5"}, "samples": {"5"}, "validation": {"0.1"}},
		},
		Method: "sml", Space: parseSpace(t, "dropout=0.05..0.3,lr=1e-3..1e-1:log,beta=0.1..2,patience=1..3"),
		Trials: trials, Strategy: strategy, Folds: 3,
	}
}

// run runs a tuning in a new directory.
func run(t *testing.T, tuning Tuning, read study.Reader, o Options) (dir string, r *Result) {
	t.Helper()
	dir = t.TempDir()
	r = expect.Must(tuning.Run(t.Context(), dir, testVersion, read, o))
	return dir, r
}

// encodeResult returns the CSV file and the JSON file of a result.
func encodeResult(t *testing.T, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	expect.NoError(t, r.WriteCSV(&b))
	expect.NoError(t, r.WriteJSON(&b))
	return b.String()
}

// readFiles returns the contents of all files in a directory except logs, which hold times, by relative path.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	expect.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == "log" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	}))
	return files
}

// Each strategy runs the wanted number of trials, with values within the space. Its results have the same bytes with
// one worker, with two workers, and if the tuning is continued after some of its files were lost.
func TestStrategies(t *testing.T) {
	if testing.Short() {
		t.Skip("tunes nine times: 41 s")
	}
	for _, s := range Strategies() {
		t.Run(s.Name, func(t *testing.T) {
			tuning := smallTuning(t, s.Name, 18)
			dir, r := run(t, tuning, friedmanTable, Options{Jobs: 1})
			secondDir, second := run(t, tuning, friedmanTable, Options{Jobs: 2})
			want := encodeResult(t, r)
			if got := encodeResult(t, second); got != want {
				t.Errorf("two workers have\n%s\nand one\n%s", got, want)
			}
			files := readFiles(t, dir)
			for name, text := range readFiles(t, secondDir) {
				if files[name] != text {
					t.Errorf("%s differs", name)
				}
			}
			names := make([]string, 0, len(files))
			for name := range files {
				names = append(names, name)
			}
			slices.Sort(names)
			for i, name := range names { // some cells and a round are lost
				if i%3 == 1 && strings.Contains(name, "cells") || strings.HasPrefix(name, "rounds/02/plan") {
					expect.NoError(t, os.Remove(filepath.Join(dir, name)))
				}
			}
			continued, err := tuning.Run(t.Context(), dir, testVersion, friedmanTable, Options{})
			if err != nil || encodeResult(t, continued) != want {
				t.Errorf("the continued tuning has another result, or the error %v", err)
			}
			if len(r.Trials) != 18 || r.Best < 0 || r.Rows != 108 {
				t.Fatalf("%d trials, the best at %d, on %d rows", len(r.Trials), r.Best, r.Rows)
			}
			work := 0
			for i, trial := range r.Trials {
				if trial.Number != i+1 || len(trial.Score().Scores) != 3 || math.IsNaN(float64(trial.Score().Mean)) {
					t.Errorf("%+v", trial)
				}
				for j, d := range r.Tuning.Space {
					if v, err := strconv.ParseFloat(trial.Values[j], 64); err != nil || v < d.Low || v > d.High {
						t.Errorf("%s is %s", d, trial.Values[j])
					}
				}
				for _, rung := range trial.Rungs {
					work += rung.Epochs
				}
				if best := r.Trials[r.Best]; trial.State == Complete && trial.Score().Mean < best.Score().Mean {
					t.Errorf("trial %d is better than the best, %d", trial.Number, best.Number)
				}
			}
			if want := s.TotalEpochs(&History{TrialCount: 18, Epochs: 9}); work != want {
				t.Errorf("%d epochs, want %d", work, want)
			}
		})
	}
}

// Other targets and inputs in the held-out rows change no score of any trial.
func TestHeldOutRowsReachNoTrial(t *testing.T) {
	if testing.Short() {
		t.Skip("tunes four times: 23 s")
	}
	for _, strategy := range []string{"halving", "tpe"} {
		tuning := smallTuning(t, strategy, 12)
		_, before := run(t, tuning, friedmanTable, Options{})
		changeHeldOutRows := func(ctx context.Context, _ experiment.Source, p data.Protocol) (*data.Table, error) {
			table := data.Friedman(120, 1)
			rows, err := randomSplit(ctx, table, split.Options{Protocol: p, Seed: 3})
			if err != nil {
				return nil, err
			}
			width := len(table.Columns)
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows.Test), func(i, j int) {
				a, b := rows.Test[i], rows.Test[j]
				table.Y[a], table.Y[b] = table.Y[b], -1000*table.Y[a]
				for k := range width {
					table.X[a*width+k], table.X[b*width+width-1-k] = 50*table.X[b*width+width-1-k], table.X[a*width+k]
				}
			})
			return table, nil
		}
		if _, after := run(t, tuning, changeHeldOutRows, Options{}); encodeResult(t, after) != encodeResult(t, before) {
			t.Errorf("%s: changed held-out rows change trials:\n%s\n%s", strategy, encodeResult(t, after), encodeResult(t, before))
		}
		changeTrainingRow := func(ctx context.Context, s experiment.Source, p data.Protocol) (*data.Table, error) {
			table := data.Friedman(120, 1)
			rows, err := randomSplit(ctx, table, split.Options{Protocol: p, Seed: 3})
			if err == nil {
				table.Y[rows.Train[7]] += 0.5
			}
			return table, err
		}
		if _, after := run(t, tuning, changeTrainingRow, Options{}); encodeResult(t, after) == encodeResult(t, before) {
			t.Errorf("%s: a changed training row changes no trial", strategy)
		}
	}
}

// Halving keeps the best third of each rung, and trains these trials for more epochs.
func TestHalving(t *testing.T) {
	if testing.Short() {
		t.Skip("tunes by 18 trials: 6 s")
	}
	_, r := run(t, smallTuning(t, "halving", 18), friedmanTable, Options{})
	at := make(map[int][]Trial)
	for _, trial := range r.Trials {
		for i, rung := range trial.Rungs {
			at[i] = append(at[i], trial)
			if rung.Epochs != []int{1, 3, 9}[i] {
				t.Errorf("rung %d has %d epochs", i, rung.Epochs)
			}
		}
		if complete := len(trial.Rungs) == 3; complete != (trial.State == Complete) {
			t.Errorf("trial %d is %s with %d rungs", trial.Number, trial.State, len(trial.Rungs))
		}
	}
	if len(at[0]) != 18 || len(at[1]) != 6 || len(at[2]) != 2 {
		t.Fatalf("%d, %d and %d trials", len(at[0]), len(at[1]), len(at[2]))
	}
	for i := range 2 {
		for _, on := range at[i+1] {
			for _, trial := range at[i] {
				if len(trial.Rungs) == i+1 && trial.Rungs[i].Mean < on.Rungs[i].Mean {
					t.Errorf("trial %d stopped after rung %d with %v, and %d went on with %v", trial.Number, i, trial.Rungs[i].Mean, on.Number, on.Rungs[i].Mean)
				}
			}
		}
	}
}

// On a quadratic bowl in three dimensions, later trials of the tree of Parzen estimators have at most a third of the
// mean loss of independently drawn trials, averaged over 20 seeds.
func TestParzenIsBetterThanRandom(t *testing.T) {
	s := parseSpace(t, "x=0..1,y=1e-4..1:log,kind=a|b|c|d")
	loss := func(values []string) float64 {
		l := map[string]float64{"a": 0.1, "b": 0.3, "c": 0, "d": 0.2}[values[2]]
		for j, bottom := range []float64{0.3, 0.8} {
			x := s[j].fraction(values[j]) - bottom
			l += x * x
		}
		return l
	}
	mean := func(strategy Strategy, seed uint64) float64 {
		h := History{Space: s, Seed: seed, TrialCount: 60, Epochs: 1}
		for runs := strategy.Next(&h); len(runs) > 0; runs = strategy.Next(&h) {
			for _, run := range runs {
				h.Trials = append(h.Trials, Trial{Number: run.Trial, Values: run.Values, State: Complete, Rungs: []Rung{{loss: loss(run.Values)}}})
			}
		}
		if len(h.Trials) != 60 {
			t.Fatalf("%d trials", len(h.Trials))
		}
		sum := 0.0
		for _, trial := range h.Trials[30:] {
			sum += trial.loss() / 30
		}
		return sum
	}
	drawn, proposed := 0.0, 0.0
	for seed := range uint64(20) {
		drawn += mean(randomSearch, seed) / 20
		proposed += mean(parzenEstimators, seed) / 20
	}
	if proposed > drawn/3 {
		t.Errorf("a mean loss of %.3f, and of %.3f by chance", proposed, drawn)
	}
}

// A mixture integrates to 1, and its draws follow its density.
func TestDensity(t *testing.T) {
	d := parseSpace(t, "x=-2..6")[0]
	m := newMixture(d.fractions([]string{"-2", "-1.9", "0", "6"}))
	const steps = 20_000
	integral, left := 0.0, 0.0
	for i := range steps {
		p := m.density((float64(i) + 0.5) / steps)
		integral += p / steps
		if i < steps/4 {
			left += p / steps
		}
	}
	if math.Abs(integral-1) > 1e-6 {
		t.Errorf("it integrates to %v", integral)
	}
	r := rand.New(rand.NewPCG(1, 1))
	below := 0.0
	for range steps {
		if m.draw(r) < 0.25 {
			below += 1.0 / steps
		}
	}
	if math.Abs(below-left) > 4*math.Sqrt(left*(1-left)/steps) {
		t.Errorf("%v of the draws are in the first quarter, which has %v", below, left)
	}
}

// A failed trial has the worst loss and a reason. The other trials are scored all the same.
func TestFailedTrials(t *testing.T) {
	tuning := smallTuning(t, "random", 6)
	tuning.Space = parseSpace(t, "batch=20|5000,dropout=0.1|0.2") // so large a batch has no room
	_, r := run(t, tuning, friedmanTable, Options{})
	failed := 0
	for _, trial := range r.Trials {
		if trial.Values[0] == "5000" {
			failed++
			if trial.State != Failed || !strings.Contains(trial.Reason, "5000") || !math.IsInf(trial.loss(), 1) {
				t.Errorf("%+v", trial)
			}
		}
	}
	if failed == 0 || failed == 6 || r.Failed != failed || r.Best < 0 || r.Trials[r.Best].State != Complete {
		t.Errorf("%d failed; the best is %d", failed, r.Best)
	}
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"speed=1..2":                       "unknown setting; want one of method, alpha, beta, gamma, through, epochs, batch, lr,",
		"samples=10..20":                   "unknown setting",
		"hidden=5..50":                     "a list of widths cannot have a range; want a choice such as hidden=20|50,50",
		"method=1..2":                      "is not a number",
		"activation=1..2":                  "is not a number",
		"epochs=1.5..3":                    "has an end that is not a whole number",
		"dropout=0.1..1.5":                 "dropout rate 1.5 is out of range",
		"beta=-1..1":                       "out of range",
		"method=sml|nothing":               `unknown method "nothing"`,
		"method=pu,beta=0.1..1":            "unknown setting",
		"network=nothing":                  `unknown network "nothing"`,
		"patience=-5..10":                  "patience is -5: want 0 to",
		"through=0..1:log":                 "a logarithm needs a number above 0",
		"activation=relu|relu":             "the value relu is repeated",
		"optimizer=adam|sgd momentum=high": "momentum",
	} {
		s, err := ParseSpace(text)
		if err == nil {
			tuning := smallTuning(t, "random", 3)
			tuning.Space = s
			err = tuning.Check()
		}
		expect.Error(t, err, want)
	}
	for what, change := range map[string]func(*Tuning){
		"the number of folds is 1":        func(t *Tuning) { t.Folds = 1 },
		`unknown measure "beauty"`:        func(t *Tuning) { t.Measure = "beauty" },
		"the space is empty":              func(t *Tuning) { t.Space = nil },
		"the tuning has 2 tables":         func(t *Tuning) { t.Study.Datasets = []string{"friedman", "toy"} },
		"unknown method \"nothing\"":      func(t *Tuning) { t.Method = "nothing" },
		"a trial has 2 trainings on each": func(t *Tuning) { t.Study.Seeds = []uint64{1, 2} },
		"2 folds":                         func(t *Tuning) { t.Measure, t.Study.Fold = "accuracy", []int{0, 1} },
	} {
		tuning := smallTuning(t, "random", 3)
		change(&tuning)
		_, err := tuning.Run(t.Context(), t.TempDir(), testVersion, friedmanTable, Options{})
		if err == nil || what != "2 folds" && !strings.Contains(err.Error(), what) {
			t.Errorf("%v; want %s", err, what)
		}
	}
	tuning := smallTuning(t, "random", 2)
	tuning.Measure = "accuracy"
	expect.Error(t, expect.ErrorOf(tuning.Run(t.Context(), t.TempDir(), testVersion, friedmanTable, Options{})), "has no Accuracy")
	dir, _ := run(t, smallTuning(t, "random", 2), friedmanTable, Options{})
	_, err := smallTuning(t, "random", 3).Run(t.Context(), dir, testVersion, friedmanTable, Options{})
	expect.Error(t, err, "another tuning")
}

// The best trial has the highest score if higher scores are better, as by r2.
func TestHigherIsBetter(t *testing.T) {
	tuning := smallTuning(t, "tpe", 12)
	tuning.Measure = "r2"
	_, r := run(t, tuning, friedmanTable, Options{})
	for _, trial := range r.Trials {
		if trial.Score().Mean > r.Trials[r.Best].Score().Mean {
			t.Errorf("trial %d has %v, the best %v", trial.Number, trial.Score().Mean, r.Trials[r.Best].Score().Mean)
		}
	}
}

// Numbers or their logarithms are drawn uniformly and have few digits. The first and the last whole number are as
// likely as the numbers between.
func TestDraw(t *testing.T) {
	s := parseSpace(t, "a=0.05..0.3,b=1e-4..1e-2:log,c=2..5:int,d=x|y|z,e=1..1000:log:int,f=100..100.001")
	const n = 4000
	low, whole, choice, logs := 0, make(map[string]int), make(map[string]int), 0
	for trial := range n {
		v := s.Draw(7, trial)
		for j, d := range s {
			if x, err := strconv.ParseFloat(v[j], 64); d.Choices == nil && (err != nil || x < d.Low || x > d.High) {
				t.Fatalf("%v: %s", d, v[j])
			}
			if digits := strings.TrimLeft(strings.NewReplacer(".", "", "e-0", "").Replace(v[j]), "0"); j < 2 && len(digits) > 5 {
				t.Errorf("%v: %s", d, v[j])
			}
		}
		if x, _ := strconv.ParseFloat(v[0], 64); x < 0.175 {
			low++
		}
		if x, _ := strconv.ParseFloat(v[1], 64); x < 1e-3 {
			logs++
		}
		whole[v[2]]++
		choice[v[3]]++
	}
	for what, ratio := range map[string]float64{"lower half": float64(low) / n * 2, "lower half of logarithms": float64(logs) / n * 2, "2": float64(whole["2"]) / n * 4, "5": float64(whole["5"]) / n * 4, "x": float64(choice["x"]) / n * 3} {
		if math.Abs(ratio-1) > 0.15 {
			t.Errorf("%s: drawn %.2f times as often as expected", what, ratio)
		}
	}
	if first := fmt.Sprint(s.Draw(7, 1)); first != fmt.Sprint(append(s[:1:1], s[1:]...).Draw(7, 1)) {
		t.Error(first)
	}
	if one := parseSpace(t, "b=1e-4..1e-2:log").Draw(7, 1); one[0] != s.Draw(7, 1)[1] {
		t.Error("a value depends on other dimensions")
	}
}

// randomSplit returns the rows of a fold of the random split.
func randomSplit(ctx context.Context, t *data.Table, o split.Options) (split.Rows, error) {
	kind, err := split.Lookup("random")
	if err != nil {
		return split.Rows{}, err
	}
	return kind.Rows(ctx, t, o)
}

// A hyperparameter of a network is left out of trials with another network.
func TestNetworkHyperparameters(t *testing.T) {
	tuning := Tuning{Method: "mc-pu", Space: parseSpace(t, "network=mlp|bayes,prior-std=0.5..2"), Trials: 2, Strategy: "random"}
	tuning.Study = smallTuning(t, "random", 2).Study
	expect.NoError(t, tuning.Check())
	for _, c := range []struct {
		values []string
		want   string
	}{
		{[]string{"mlp", "0.7"}, "mc-pu network=mlp"},
		{[]string{"bayes", "0.7"}, "mc-pu network=bayes prior-std=0.7"},
	} {
		trial := tuning.newTrial(1, c.values)
		if got := trial.label(); got != c.want {
			t.Errorf("%v is labelled %q, want %q", c.values, got, c.want)
		}
		if settings := trial.Settings; len(settings) == 2 && !settings[1].Hyperparameter {
			t.Errorf("%+v: prior-std is a hyperparameter", settings)
		}
	}
	tuning.Space = parseSpace(t, "prior-std=0.5..2")
	expect.Error(t, tuning.Check(), "unknown setting")
}

// A tuning that time limits stop again and again ends with the bytes of an undisturbed one. Its trials are complete in
// their order, if one training runs at a time.
func TestTimeLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("stops two tunings again and again: 16 s")
	}
	for _, strategy := range []string{"random", "halving"} {
		tuning := smallTuning(t, strategy, 6)
		_, whole := run(t, tuning, friedmanTable, Options{})
		dir := t.TempDir()
		for calls := 1; ; calls++ {
			limit := time.Duration(calls*calls) * 100 * time.Millisecond
			r := expect.Must(tuning.Run(t.Context(), dir, testVersion, friedmanTable, Options{Jobs: 1, TimeLimit: limit}))
			if !r.TimedOut {
				if calls == 1 || encodeResult(t, r) != encodeResult(t, whole) {
					t.Errorf("%s: after %d calls another result", strategy, calls)
				}
				break
			}
			isStopped := func(trial Trial) bool { return trial.State == Stopped }
			if first := slices.IndexFunc(r.Trials, isStopped); strategy == "random" && first != r.Complete+r.Failed {
				t.Errorf("%d trials are complete, and the first that is not has the index %d", r.Complete, first)
			}
			if r.Best >= 0 && r.Settings.Training.Inner.Folds != 0 {
				t.Errorf("the best settings have inner folds: %+v", r.Settings.Training)
			}
		}
	}
}
