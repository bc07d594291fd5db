package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/registry"
	"sml/models"
)

// Preset is a named configuration.
type Preset struct {
	Name    string
	Summary string
	Config  Config

	// Recipe returns the recipe of the trainings on a data set or table, as experiment.RecipeFor does. It is nil for
	// experiment.RecipeFor itself.
	Recipe func(dataset string, rows int) experiment.Recipe

	// PredictBy returns the Prediction.Mode of the cells with this spec and protocol. If it is nil,
	// every method predicts in its own way.
	PredictBy func(models.Spec, data.Protocol) string
}

var presets = registry.New("preset", func(p Preset) string { return p.Name }, "import sml/evaluation/report/paper")

// RegisterPreset adds a preset. It panics if the name is taken.
func RegisterPreset(p Preset) { presets.Add(p) }

// tablesPreset is the preset of studies of the user's own tables, unless they name another.
var tablesPreset = Preset{
	Name:    "tables",
	Summary: "your own tables, under the sound protocol",
	Config: Config{
		Methods:  []string{"mc", "sml", "sml-de", "pu", "pu-de", "de"},
		Splits:   []string{"random"},
		Seeds:    []uint64{1},
		Protocol: string(data.Sound),
		Settings: Settings{"width": {"50"}, "samples": {strconv.Itoa(evaluation.DefaultSamples)}},
	},
}

// Presets returns the registered presets and, last, the preset of studies of the user's own tables. The first preset is
// the default.
func Presets() []Preset { return append(presets.All(), tablesPreset) }

// presetNames returns the names of Presets.
func presetNames() []string { return append(presets.Names(), tablesPreset.Name) }

// preset returns the preset that the configuration names, or its default preset.
func (c Config) preset() (Preset, error) {
	all := Presets()
	if c.Preset == "" {
		if len(c.Tables) > 0 {
			return tablesPreset, nil
		}
		return all[0], nil
	}
	i := slices.IndexFunc(all, func(p Preset) bool { return p.Name == c.Preset })
	if i < 0 {
		return Preset{}, fmt.Errorf("unknown preset %q; want one of %s", c.Preset, strings.Join(presetNames(), ", "))
	}
	return all[i], nil
}

// recipeFor returns the recipe of the trainings on a data set or table.
func (p Preset) recipeFor(dataset string, rows int) experiment.Recipe {
	if p.Recipe == nil {
		return experiment.RecipeFor(dataset, rows)
	}
	return p.Recipe(dataset, rows)
}
