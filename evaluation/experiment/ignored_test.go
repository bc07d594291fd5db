package experiment

import (
	"bytes"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models"
)

// Each value of each setting changes a byte of what follows from a training (outcome), or is refused: no setting does
// nothing. Values are tried beside small settings with validation rows, categories and numbers.
func TestNoSettingIsIgnored(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of trainings take half a minute: make test runs them")
	}
	values := map[string]string{
		"epochs": "2", "batch": "9", "lr": "0.03", "schedule": "cosine", "optimizer": "sgd", "clip": "0.01",
		"weight-decay": "0.1", "param-groups": "main:lr=0.02", "validation": "0.5", "cross-validation": "true",
		"bootstrap": "true", "validation-measure": validationNLL, "patience": "1", "average": "ema(0.5)", "members": "3",
		"network": "residual", "width": "5", "hidden": "5", "embedding-width": "3", "bins": "3", "periodic": "2",
		"copies": "2", "activation": "tanh", "dropout": "0.4", "dropout-layers": string(models.LastLayer), "samples": "4",
		"moments": "analytic", "calibrate": "0.4", "calibrate-kind": "scale", "calibrate-coverage": "0.96",
		"calibrate-by": "part", "calibrate-mean-groups": "2",
	}
	dir := t.TempDir()
	writeSmallTables(t, dir, func(lines []string) []string { return append(lines, lines[1:]...) }) // each row twice: 24 calibrate intervals of 96%
	for _, method := range ownMethods() {
		t.Run(method.Name, func(t *testing.T) {
			base := smallSettings(method, dir)
			base.Spec.Architecture.Hidden = []int{4, 4}
			base.Spec.Architecture.Dropout = 0.2
			base.Spec.Architecture.EmbeddingWidth = 2
			base.Training.Epochs = 8 // for an early stop
			base.Training.LearningRate = 0.2
			base.Table.Categorical = []string{"size"} // 13 categories, which are embedded
			base.Training.Validation = 0.3
			base.Training.Calibrate = 0.3
			base.Calibration = calibrate.Options{Coverage: 0.5}
			want := expect.Must(outcome(t, base, method.Name))
			for _, setting := range ListSettings() {
				value, hasValue := values[setting.Key]
				if value == string(method.DropLayers) {
					value = string(models.AllLayers)
				}
				if !hasValue {
					t.Errorf("setting %s has no value in this test", setting.Key)
					continue
				}
				s := base
				if err := setting.Set(&s, value); err != nil {
					t.Fatalf("%s %s: %v", setting.Key, value, err)
				}
				if s.Training.RotatesValidation() { // instead of validation and calibration rows
					s.Training.Validation = 0
					s.Training.Calibrate = 0
				}
				if s.CheckRead([]string{setting.Key}) != nil {
					continue
				}
				got, err := outcome(t, s, method.Name)
				if err == nil && bytes.Equal(got, want) {
					t.Errorf("%s %s changes nothing", setting.Key, value)
				}
			}
		})
	}
}

// A chosen setting that the training does not read is refused, and left out it is not; chosen settings keep their values
// beside the defaults of a table.
func TestResolveChosen(t *testing.T) {
	s := DefaultSettings()
	s.Table = Source{Name: "mine.csv", Rows: 500}
	s.Training.Protocol = data.Sound
	s.Spec.Method = "pu"
	s.Spec.Architecture.Inputs = 3
	s.Spec.Architecture.Targets = 1
	choose := func(key, value string) Setting {
		setting := expect.Must(LookupSetting(key))
		expect.NoError(t, s.Choose(setting, value))
		return setting
	}
	choose("width", "7")
	choose("epochs", "3")
	dropout := choose("dropout", "0.3")
	recipe := RecipeFor("mine.csv", 500)
	if _, _, err := recipe.ResolveChosen(s); err == nil || err.Error() != "dropout does nothing: method pu drops no units" {
		t.Errorf("got %v", err)
	}
	without := expect.Must(s.Without(dropout))
	resolved, defaults, err := recipe.ResolveChosen(without)
	expect.NoError(t, err)
	if resolved.Training.Epochs != 3 || !slices.Equal(resolved.Spec.Architecture.Hidden, []int{7, 7}) {
		t.Errorf("%d epochs, layers %v", resolved.Training.Epochs, resolved.Spec.Architecture.Hidden)
	}
	for _, d := range defaults {
		if d.Key == "epochs" || d.Key == "hidden" {
			t.Errorf("%s is chosen, and has the default %s", d.Key, d.Value)
		}
	}
}
