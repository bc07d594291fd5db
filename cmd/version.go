package cmd

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
)

// versions names what computed a result.
type versions struct {
	SML      string `json:"sml"`
	Gorgonia string `json:"gorgonia"`
	Go       string `json:"go"`
}

func version() versions {
	v := versions{SML: "development", Gorgonia: "unknown", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if main := info.Main.Version; main != "" && main != "(devel)" {
		v.SML = main
	}
	for _, m := range info.Deps {
		if m.Path == "gorgonia.org/gorgonia" {
			v.Gorgonia = m.Version
		}
	}
	return v
}

// mustJSON encodes values of this package's own types, which cannot fail.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
