package cmd

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"sml/evaluation"
	"sml/evaluation/experiment"
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
func settingsOfModel(m *experiment.Model) []setting {
	settings := []setting{{Name: "method", Value: m.Method}}
	settings = appendSettings(settings, flatten("hyperparameters.", mustJSON(m.Hyperparameters)))
	settings = appendSettings(settings, flatten("", mustJSON(m.Architecture)))
	settings = appendSettings(settings, flatten("", m.Training))
	settings = appendSettings(settings, flatten("data.", m.Data))
	if k := m.Calibration; k != nil { // the choices of the user alone: fitted numbers are no settings
		settings = append(settings, setting{"calibration.kind", k.Kind}, setting{"calibration.coverage", string(mustJSON(k.Coverage))})
		if k.GroupColumn != "" {
			settings = append(settings, setting{"calibration.by", k.GroupColumn})
		}
	}
	return settings
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

// flatten returns the values of a JSON object of a model in its order, nil for an empty text. The name of a value is the
// prefix with its key. flatten also flattens inner objects: their values have names such as "outer.inner". An
// array is a single value. Texts lose their quotes. Opening the model has checked the JSON.
func flatten(prefix string, object json.RawMessage) (settings []setting) {
	d := json.NewDecoder(bytes.NewReader(object)) // a map would lose the order of the keys
	d.Token()                                     // the brace
	for d.More() {
		key, _ := d.Token()
		var value json.RawMessage
		d.Decode(&value)
		settings = append(settings, flattenValue(prefix+key.(string), value)...)
	}
	return settings
}

// flattenValue returns the settings in a JSON value: one for each value of an object, otherwise one with the given
// name. value comes from a decoder, so that it is not empty and has no space in front.
func flattenValue(name string, value json.RawMessage) []setting {
	switch value[0] {
	case '{':
		return flatten(name+".", value)
	case '"':
		var text string
		json.Unmarshal(value, &text)
		return []setting{{Name: name, Value: text}}
	}
	compact := new(bytes.Buffer) // without spaces and line breaks
	json.Compact(compact, value)
	return []setting{{Name: name, Value: compact.String()}}
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
