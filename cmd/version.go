package cmd

import (
	"cmp"
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

// versions are the versions of what computed a result.
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

// machine describes the machine and the programs that this process computes with.
func machine() study.Machine {
	host, _ := os.Hostname()
	v := version()
	return study.Machine{
		Host:     host,
		CPU:      cmp.Or(cpuid.CPU.BrandName, "unknown CPU"),
		System:   runtime.GOOS + "/" + runtime.GOARCH,
		Cores:    runtime.GOMAXPROCS(0),
		Kernels:  kernels.Path(),
		Go:       v.Go,
		Gorgonia: v.Gorgonia,
	}
}

// programVersion identifies a program whose results may differ from another program's: by the
// version that it was built from, which names its commit. A program without a version, one
// built from changed files, and one that only uses sml are identified by their file.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	usesSML := ok && slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "sml" })
	v := version().SML
	if usesSML || v == "development" || strings.Contains(v, "+dirty") {
		return fileVersion()
	}
	return v
}

// fileVersion identifies this program by its file.
func fileVersion() string {
	path, _ := os.Executable()
	file, err := os.ReadFile(path)
	if err != nil {
		return "development"
	}
	return "build " + safefile.Sum(file)[:16]
}
