package cmd

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
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

// programVersion tells programs apart whose results may differ: the version,
// or the commit, that the program was built from; without either, its file.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if ok && version().SML != "development" {
		return version().SML
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	if revision != "" && modified == "false" {
		return revision
	}
	path, err := os.Executable()
	if err != nil {
		return "development"
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return "development"
	}
	sum := sha256.Sum256(file)
	return "build " + hex.EncodeToString(sum[:8])
}

// mustJSON encodes values of this package's own types, which cannot fail.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
