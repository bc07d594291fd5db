package cmd

import (
	"cmp"
	"debug/elf"
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

// versions are the versions of the programs that computed a result.
type versions struct {
	SML      string `json:"sml"`
	Gorgonia string `json:"gorgonia"`
	Go       string `json:"go"`
}

// version returns the versions of the program and of what it was built with. A build outside of a
// released module has the version development.
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
		Kernels:  kernels.Implementation(),
		Go:       v.Go,
		Gorgonia: v.Gorgonia,
	}
}

// programVersion identifies the program, since another program's results may differ. The version
// names a commit. programVersion returns a fingerprint of the program's file instead if there is no
// version, if source files were changed, or if sml is only a dependency of the program.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	usesSML := ok && slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "sml" })
	v := version().SML
	if usesSML || v == "development" || strings.Contains(v, "+dirty") {
		return fileVersion()
	}
	return v
}

// fileVersion returns a version that identifies the program's file, or "development" if the file cannot be read. It is a
// checksum of the file's build ID, or of the whole file if it has none: to read the whole file takes a tenth of a second.
func fileVersion() string {
	path, _ := os.Executable() // "" on failure, which cannot be read either
	const digits = 16          // of the checksum, enough to tell builds apart
	if id := buildID(path); id != "" {
		return "build " + safefile.Sum([]byte(id))[:digits]
	}
	const noLimit = 1 << 40 // bytes
	sum, err := safefile.SumFile(path, noLimit)
	if err != nil {
		return "development"
	}
	return "build " + sum[:digits]
}

// buildID returns Go's identifier of a program, which has checksums of all inputs of the build and
// of the program. buildID returns "" if the file has none or is no ELF file, the format of Linux, and for an
// identifier that was chosen with -ldflags=-buildid, which several programs may share.
func buildID(path string) string {
	file, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	section := file.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	note, err := section.Data()
	const headerSize = 16 // bytes of two lengths, a type and the owner "Go"
	if err != nil || len(note) <= headerSize {
		return ""
	}
	id := strings.TrimRight(string(note[headerSize:]), "\x00") // a note has a multiple of four bytes
	const checksums = 4                                        // in an identifier that Go has made, with slashes between them
	if strings.Count(id, "/") != checksums-1 {
		return ""
	}
	return id
}
