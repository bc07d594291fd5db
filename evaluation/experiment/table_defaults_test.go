package experiment

import (
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// Each method gets the defaults that fit it, a chosen setting is left alone, and registered data sets are trained as
// published. The table of docs/reference/defaults.md is the source of the values.
func TestTableDefaults(t *testing.T) {
	withFlag := func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.Mean(b.Mul(t.Column("flag"), b.Square(b.Sub(t.Forward(graph.Full), t.Y))))
	}
	for _, m := range []models.Method{
		{Name: "reads-flag", Objective: withFlag},
		{Name: "reads-flag-by-nll", Objective: withFlag, ValidationMeasure: models.ByNLL},
		{Name: "by-loss", Objective: methods.FullMSE, ValidationMeasure: models.ByLoss},
	} {
		m.Predict = methods.PredictFullNetwork
		models.Register(m)
	}
	const network = "hidden=128,128,128 bins=32 "
	const stop = "patience=40 validation-measure=crps "
	for _, c := range []struct {
		name, method string
		extra        string // column for the objective only; "" for none
		rows         int
		inputs       int // columns of the file, 0 if they are not known
		initFrom     string
		protocol     data.Protocol
		chosen       string // settings, separated by blanks
		want         string // defaults apart from epochs and batch, separated by blanks
	}{
		{name: "mine.csv", method: "crps-de", rows: 500, want: network + "members=8 average=ema(0.99) cross-validation=true " + stop},
		{name: "mine.csv", method: "crps-de", rows: 49, want: network + "members=8 average=ema(0.99) "},
		{name: "mine.csv", method: "sml", rows: 500, want: network + "average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "sml", rows: 500, inputs: MaxBinnedInputs, want: network + "average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "sml", rows: 500, inputs: MaxBinnedInputs + 1, want: "hidden=128,128,128 average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "bayes", rows: 500, want: "average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "classes", rows: 500, want: network + "average=ema(0.99) validation=0.1 patience=40 validation-measure=nll "},
		{name: "mine.csv", method: "sml", rows: 500, chosen: "members=6", want: network + "average=ema(0.99) cross-validation=true " + stop},
		{name: "mine.csv", method: "crps-de", rows: 500, chosen: "members=3", want: network + "average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "crps-de", rows: 500, chosen: "calibrate=0.2", want: network + "members=8 average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "crps-de", rows: 500, chosen: "validation=0", want: network + "members=8 average=ema(0.99) "},
		{name: "mine.csv", method: "crps-de", rows: 500, chosen: "cross-validation=false width=20", want: "bins=32 members=8 average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "crps-de", rows: 500, initFrom: "model", want: network + "members=8 average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "crps", extra: "flag", rows: 500, want: network + "average=ema(0.99) validation=0.1 " + stop},
		{name: "mine.csv", method: "reads-flag", extra: "flag", rows: 500, want: network + "average=ema(0.99) validation=0.1 patience=40 "},
		{name: "mine.csv", method: "reads-flag-by-nll", extra: "flag", rows: 500, want: network + "average=ema(0.99) validation=0.1 patience=40 validation-measure=nll "},
		{name: "mine.csv", method: "by-loss", rows: 500, want: network + "average=ema(0.99) validation=0.1 patience=40 "},
		{name: "mine.csv", method: "crps-de", rows: 2000, want: network + "members=8 average=ema(0.99) cross-validation=true patience=20 validation-measure=crps "}, // 15 steps of 100 rows in an epoch
		{name: "mine.csv", method: "crps-de", rows: 8000, want: network + "members=8 average=ema(0.99) cross-validation=true patience=8 validation-measure=crps "},
		{name: "published", method: "crps-de", rows: 500, want: ""},
		{name: "mine.csv", method: "crps-de", rows: 500, protocol: data.Paper, want: ""},
	} {
		s := DefaultSettings()
		s.Table.Name = c.name
		s.Table.Rows = c.rows
		s.Table.Inputs = c.inputs
		if c.extra != "" {
			s.Table.Extra = []string{c.extra}
		}
		s.Spec.Method = c.method
		s.Spec.Architecture.Inputs = 2
		s.Spec.Architecture.Targets = 1
		s.InitFrom = c.initFrom
		s.Training.Protocol = c.protocol
		for _, text := range strings.Fields(c.chosen) {
			key, value, _ := strings.Cut(text, "=")
			setting := expect.Must(LookupSetting(key))
			expect.NoError(t, s.Choose(setting, value))
		}
		recipe := RecipeFor(c.name, c.rows)
		if c.name == "published" {
			recipe = Recipe{Epochs: 7, Batch: 9}
		}
		completed, defaults, err := recipe.Complete(s)
		expect.NoError(t, err)
		got := ""
		for _, d := range defaults {
			if d.Key != "epochs" && d.Key != "batch" {
				got += d.Key + "=" + d.Value + " "
			}
			checkDefaultIsSet(t, completed, d)
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		if completed.Training.Epochs != recipe.Epochs || completed.Training.Batch != recipe.Batch {
			t.Errorf("%+v: %d epochs of batches of %d rows", c, completed.Training.Epochs, completed.Training.Batch)
		}
	}
}

// checkDefaultIsSet reports a default that the settings do not have.
func checkDefaultIsSet(t *testing.T, s Settings, d Default) {
	t.Helper()
	setting := expect.Must(LookupSetting(d.Key))
	if got := setting.Get(s); got != d.Value {
		t.Errorf("%s is %s; want %s", d.Key, got, d.Value)
	}
}

// Every registered method can be trained by the defaults of a table.
func TestTableDefaultsResolve(t *testing.T) {
	for _, method := range models.Methods() {
		s := DefaultSettings()
		s.Table.Name = "mine.csv"
		s.Table.Rows = 500
		s.Spec.Method = method.Name
		s.Spec.Architecture.Inputs = 3
		s.Spec.Architecture.Targets = 1
		s, _, err := RecipeFor("mine.csv", 500).Complete(s)
		expect.NoError(t, err)
		if _, err := s.Resolve(); err != nil {
			t.Errorf("%s: %v", method.Name, err)
		}
	}
}
