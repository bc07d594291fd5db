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

// Prefixes of the names of scores: in units of the target's standard deviation, and in the target's unit.
const (
	standardised = "standardised/"
	inTargetUnit = "original/"
)

// setting is a setting of a model as text.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// settingsOfModel returns the settings of a model by their names in model.json: its method, hyperparameters, network,
// training, table and calibration. It lists a setting that several parts have, such as the network and the training, once.
func settingsOfModel(m *models.Model) ([]setting, error) {
	calibration, err := calibrationChoices(m.Calibration)
	if err != nil {
		return nil, err
	}
	settings := []setting{{Name: "method", Value: m.Method}}
	for _, part := range []struct {
		prefix string          // of the names
		object json.RawMessage // a JSON object; nil if the model has no such part
	}{
		{prefix: "hyperparameters.", object: mustJSON(m.Hyperparameters)},
		{prefix: "", object: mustJSON(m.Architecture)},
		{prefix: "", object: m.Training},
		{prefix: "data.", object: m.Data},
		{prefix: "calibration.", object: calibration},
	} {
		partSettings, err := flatten(part.prefix, part.object)
		if err != nil {
			return nil, err
		}
		settings = appendSettings(settings, partSettings)
	}
	return settings, nil
}

// appendSettings appends the settings that are not listed yet, without the layout of a table: a setting for each column would
// be too many to show.
func appendSettings(listed, others []setting) []setting {
	for _, s := range others {
		isListed := slices.ContainsFunc(listed, func(l setting) bool { return l.Name == s.Name })
		isLayout := strings.HasPrefix(s.Name, "data.layout.")
		if !isListed && !isLayout {
			listed = append(listed, s)
		}
	}
	return listed
}

// calibrationChoices returns the part of a saved calibration that a user has chosen, as a JSON object without the
// fitted numbers. It returns nil if the model has no calibration.
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

// settingsByKey returns the settings of model.json with their keys, which flags and studies use, in place of
// their names in the file. A setting without a key keeps its name. Behind them stand the settings that
// model.json does not have, because they follow from others in trained.
func settingsByKey(settings []setting, trained experiment.Settings) []setting {
	settings = slices.Clone(settings)
	for _, s := range experiment.ListSettings() {
		if s.Saved == "" && s.Get != nil { // not in model.json
			settings = append(settings, setting{Name: s.Key, Value: s.Get(trained)})
		}
		i := slices.IndexFunc(settings, func(listed setting) bool { return listed.Name == s.Saved })
		if i >= 0 {
			settings[i].Name = s.Key
		}
	}
	return settings
}

// maxDepth is the depth of nested JSON objects that flatten still flattens; deeper ones stay JSON. It is more than
// models need, and bounds the recursion in a damaged file.
const maxDepth = 8

// flatten returns the values of a JSON object in its order, nil for an empty text. The name of a value is the
// prefix with its key. flatten also flattens inner objects: their values have names such as "outer.inner". An
// array is a single value. Texts lose their quotes.
func flatten(prefix string, object json.RawMessage) ([]setting, error) {
	if len(object) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(object)) // a map would lose the order of the keys
	first, err := d.Token()
	if err != nil || first != json.Delim('{') {
		return nil, fmt.Errorf("%.20s is not a JSON object", object)
	}
	var settings []setting
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string) // in an object, the decoder accepts only a string as a key
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		valueSettings, err := flattenValue(prefix+key, value)
		if err != nil {
			return nil, err
		}
		settings = append(settings, valueSettings...)
	}
	return settings, nil
}

// flattenValue returns the settings in a JSON value: one for each value of an object, otherwise one with the given
// name. value comes from a decoder, so that it is not empty and has no space in front.
func flattenValue(name string, value json.RawMessage) ([]setting, error) {
	depth := strings.Count(name, ".")
	switch {
	case value[0] == '{' && depth < maxDepth:
		return flatten(name+".", value)
	case value[0] == '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return nil, err
		}
		return []setting{{Name: name, Value: text}}, nil
	}
	compact := new(bytes.Buffer) // without spaces and line breaks
	if err := json.Compact(compact, value); err != nil {
		return nil, err
	}
	return []setting{{Name: name, Value: compact.String()}}, nil
}

// testScore is a score of a model on the rows that were held out of its training.
type testScore struct {
	name  string // standardised/rmse, original/rmse, …; of several targets standardised/rmse and original/TARGET/rmse
	value float64
}

// listScores returns the scores of a model: the standardised ones, as means over the targets, and those of each target in
// its unit. It returns nil if e is nil: the model was not tested.
func listScores(e *evaluation.Evaluation) []testScore {
	if e == nil {
		return nil
	}
	var scores []testScore
	for _, s := range e.Standardised {
		scores = append(scores, testScore{name: standardised + s.Measure, value: s.Score})
	}
	for _, target := range e.Targets() {
		prefix := inTargetUnit
		if target.Name != "" {
			prefix += target.Name + "/"
		}
		for _, s := range target.Original {
			scores = append(scores, testScore{name: prefix + s.Measure, value: s.Score})
		}
	}
	return scores
}
