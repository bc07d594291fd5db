package cmd

import (
	"math"
	"slices"
	"strconv"

	"sml/evaluation/report"
	"sml/evaluation/report/drawing"
	"sml/evaluation/study/tune"
)

// drawTrials draws the trials against the settings that vary.
func drawTrials(found *tune.Result) (*drawing.Figure, error) {
	var varied []report.TrialSetting
	tried := make([]report.Trial, len(found.Trials))
	for i, t := range found.Trials {
		tried[i] = report.Trial{Score: float64(t.Score().Mean), Stopped: t.State == tune.Stopped}
		if t.State == tune.Failed {
			tried[i].Score = math.NaN()
		}
	}
	for j, d := range found.Tuning.Space {
		if len(d.Choices) == 1 {
			continue
		}
		varied = append(varied, report.TrialSetting{Name: d.Key, Choices: d.Choices, Low: d.Low, High: d.High, Log: d.Log})
		for i, t := range found.Trials {
			v := math.NaN()
			switch text := t.Values[j]; {
			case text == "":
			case d.Choices != nil:
				v = float64(slices.Index(d.Choices, text))
			default:
				v, _ = strconv.ParseFloat(text, 64)
			}
			tried[i].Values = append(tried[i].Values, v)
		}
	}
	return report.Trials(found.Measure, varied, tried, found.Best)
}
