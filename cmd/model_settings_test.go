package cmd

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sml/models"
)

func TestFlatten(t *testing.T) {
	list, err := flatten("data.", []byte(`{"b": {"y": [1, 2], "x": "text", "none": {}}, "a": 1e-8, "c": null}`))
	want := []setting{{"data.b.y", "[1,2]"}, {"data.b.x", "text"}, {"data.a", "1e-8"}, {"data.c", "null"}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v", list, err)
	}
}

// Whatever stands in a model's parts is a list of settings or an error.
func FuzzModelSettings(f *testing.F) {
	f.Add(`{"name": "t.csv", "rows": 5, "layout": {"columns": 3}}`, `{"epochs": 3, "adam": {"beta1": 0.9}}`, `{"kind": "scale", "coverage": 0.9}`)
	f.Add(strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100), "[]", "")
	f.Fuzz(func(t *testing.T, data, training, calibration string) {
		m := &models.Model{Data: json.RawMessage(data), Training: json.RawMessage(training)}
		if calibration != "" {
			m.Calibration = json.RawMessage(calibration)
		}
		list, err := settingsOfModel(m)
		if err == nil && len(list) == 0 {
			t.Error("no settings, and no error")
		}
	})
}
