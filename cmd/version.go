package cmd

import (
	"cmp"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"sml/evaluation/study"
	"sml/internal/kernels"
	"sml/internal/safefile"
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

// machine is what this process computes on, and with.
func machine() study.Machine {
	host, _ := os.Hostname()
	v := version()
	return study.Machine{
		Host: host, CPU: cmp.Or(cpuid.CPU.BrandName, "unknown CPU"), System: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.GOMAXPROCS(0), Kernels: kernels.Path(), Go: v.Go, Gorgonia: v.Gorgonia,
	}
}

// programVersion tells programs apart whose results may differ: the version
// that the program was built from, which names its commit. A program without
// one, one built from changed files, and one that sml is only a part of are told
// apart by their file.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	part := ok && slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "sml" })
	v := version().SML
	if part || v == "development" || strings.Contains(v, "+dirty") {
		return fileVersion()
	}
	return v
}

// fileVersion identifies a program by its file.
func fileVersion() string {
	path, _ := os.Executable()
	file, err := os.ReadFile(path)
	if err != nil {
		return "development"
	}
	return "build " + safefile.Sum(file)[:16]
}

// mustJSON encodes values of this package's own types, which cannot fail.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
