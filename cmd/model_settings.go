package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/models"
)

// Prefixes of the names of scores.
const (
	standardised = "standardised/"
	inTargetUnit = "original/"
)

// setting is a setting of a model.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// settingsOfModel returns the settings of a model by their names in model.json: its method,
// hyperparameters, network, training, table and calibration. The layout of the table is left out: it has
// a setting for each column, too many to show.
func settingsOfModel(m *models.Model) ([]setting, error) {
	calibration, err := calibrationChoices(m.Calibration)
	if err != nil {
		return nil, err
	}
	list := []setting{{"method", m.Method}}
	for _, part := range []struct {
		prefix  string
		content json.RawMessage // a JSON object; nil if the model has no such part
	}{
		{"hyperparameters.", mustJSON(m.Hyperparameters)},
		{"", mustJSON(m.Architecture)},
		{"", m.Training},
		{"data.", m.Data},
		{"calibration.", calibration},
	} {
		settings, err := flatten(part.prefix, part.content)
		if err != nil {
			return nil, err
		}
		for _, s := range settings {
			isKnown := slices.ContainsFunc(list, func(l setting) bool { return l.Name == s.Name }) // the network and the training have some in common
			if !isKnown && !strings.HasPrefix(s.Name, "data.layout.") {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// calibrationChoices returns the part of a saved calibration that a user has chosen, without what was
// fitted, as a JSON object. It returns nil for nil.
func calibrationChoices(calibration json.RawMessage) (json.RawMessage, error) {
	if calibration == nil {
		return nil, nil
	}
	var choices struct {
		Kind     string  `json:"kind"`
		Coverage float64 `json:"coverage"`
		By       string  `json:"by,omitempty"`
	}
	if err := json.Unmarshal(calibration, &choices); err != nil {
		return nil, err
	}
	return mustJSON(choices), nil
}

// settingsByKey returns the settings of model.json under their keys where they have one, and
// behind them the settings that follow from others.
func settingsByKey(list []setting, trained experiment.Settings) []setting {
	list = slices.Clone(list)
	for _, s := range experiment.ListSettings() {
		if s.Saved == "" && s.Get != nil {
			list = append(list, setting{s.Key, s.Get(trained)})
		}
		if i := slices.IndexFunc(list, func(l setting) bool { return l.Name == s.Saved }); i >= 0 {
			list[i].Name = s.Key
		}
	}
	return list
}

// maxDepth is the depth of nested JSON objects that flatten still flattens.
const maxDepth = 8

// flatten returns the values of a JSON object in its order. A value in an inner object has a name
// such as "outer.inner". An array is a single value. Texts lose their quotes.
func flatten(prefix string, text json.RawMessage) ([]setting, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var list []setting
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, fmt.Errorf("%.20s is not a JSON object", text)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		settings, err := flattenValue(prefix+key.(string), value)
		if err != nil {
			return nil, err
		}
		list = append(list, settings...)
	}
	return list, nil
}

// flattenValue returns the settings in the JSON value with a name: those of an object, or one.
func flattenValue(name string, value json.RawMessage) ([]setting, error) {
	switch {
	case value[0] == '{' && strings.Count(name, ".") < maxDepth:
		return flatten(name+".", value)
	case value[0] == '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return nil, err
		}
		return []setting{{name, text}}, nil
	}
	compact := new(bytes.Buffer)
	if err := json.Compact(compact, value); err != nil {
		return nil, err
	}
	return []setting{{name, compact.String()}}, nil
}

// testScore is a score of a model on the rows that were held out of its training.
type testScore struct {
	name  string // standardised/rmse, original/rmse, …
	value float64
}

// listScores returns the scores of a model over all targets, none if e is nil.
func listScores(e *evaluation.Evaluation) []testScore {
	if e == nil {
		return nil
	}
	var list []testScore
	for _, v := range e.Standardised {
		list = append(list, testScore{standardised + v.Measure, v.Score})
	}
	for _, v := range e.Original {
		list = append(list, testScore{inTargetUnit + v.Measure, v.Score})
	}
	return list
}
