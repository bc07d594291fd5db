package cmd

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/internal/page"
)

// dependenciesPage is the page whose tables are made from the built program.
const dependenciesPage = "../docs/explanation/dependencies.md"

// modulePurposes says what each module that go.mod requires directly is for.
var modulePurposes = map[string]string{
	"github.com/andybalholm/brotli":          "unpacks Parquet pages (Brotli)",
	"github.com/chewxy/hm":                   "types of Gorgonia operations",
	"github.com/jedib0t/go-pretty/v6":        "tables on a terminal",
	"github.com/klauspost/compress":          "unpacks Parquet pages (Snappy, Zstandard)",
	"github.com/klauspost/cpuid/v2":          "the name of the CPU",
	"github.com/parquet-go/parquet-go":       "writes Parquet files, decodes their values",
	"github.com/richardlehane/mscfb":         "reads the `.xls` workbook of concrete",
	"github.com/rogpeppe/go-internal":        "scripts that test commands",
	"github.com/schollz/progressbar/v3":      "progress bar",
	"github.com/urfave/cli/v2":               "commands and flags",
	"github.com/xuri/excelize/v2":            "workbooks for tests",
	"go.yaml.in/yaml/v3":                     "configurations of studies",
	"golang.org/x/crypto/x509roots/fallback": "certificates for HTTPS where the system has none",
	"golang.org/x/sync":                      "`errgroup`",
	"golang.org/x/sys":                       "CPU features, file locks, atomic renames",
	"golang.org/x/term":                      "width of the terminal",
	"golang.org/x/text":                      "UTF-16, composed accents",
	"gonum.org/v1/gonum":                     "statistics of figures",
	"gonum.org/v1/plot":                      "figures as SVG and PNG",
	"google.golang.org/protobuf":             "`protowire` writes ONNX files",
	"gorgonia.org/gorgonia":                  "graphs, the tape machine",
	"gorgonia.org/tensor":                    "tensors",
}

// The tables of docs/explanation/dependencies.md say what go.mod requires and how large the program
// is. Sizes may drift a little before the test fails; then
//
//	go test ./cmd -run TestDependenciesPage -update
//
// writes the page.
func TestDependenciesPage(t *testing.T) {
	skipIfShort(t)
	packages := programPackages(t)
	program := buildProgram(t)
	defer program.Close()
	sizes := packageSizes(t, program)
	text := "\n" + modulesTable(t, packages, sizes) + "\n" + fileTable(program) + "\n"
	section := page.Section{Path: dependenciesPage, Name: "the tables"}
	section.Check(t, keepNearSizes(t, text))
}

// programPackage is a package of the program as "go list" describes it.
type programPackage struct {
	ImportPath string
	Imports    []string
	ImportMap  map[string]string // import path in the source → package, where they differ
	Module     struct{ Path string }
}

// linuxEnv is the environment in which the program is built for linux/amd64 on any machine.
func linuxEnv() []string {
	return append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
}

// programPackages returns all packages of the program ./cmd/sml by import path.
func programPackages(t *testing.T) map[string]programPackage {
	t.Helper()
	packages := make(map[string]programPackage)
	for _, p := range goList[programPackage](t, linuxEnv(), "-deps", "-json=ImportPath,Imports,ImportMap,Module", "./cmd/sml") {
		packages[p.ImportPath] = p
	}
	return packages
}

// goList returns what "go list" with these arguments describes, in an environment, or in this process's if it is nil.
func goList[T any](t *testing.T, env []string, args ...string) []T {
	t.Helper()
	list := exec.Command("go", append([]string{"list"}, args...)...)
	list.Dir, list.Env = "..", env
	var all []T
	for d := json.NewDecoder(bytes.NewReader(expect.Must(list.Output()))); d.More(); {
		var described T
		expect.NoError(t, d.Decode(&described))
		all = append(all, described)
	}
	return all
}

// buildProgram builds ./cmd/sml and returns the file. It has -trimpath, as the programs of TestDocsCommands, so that
// both share the compiled packages.
func buildProgram(t *testing.T) *elf.File {
	t.Helper()
	return expect.Must(elf.Open(built(t, append(linuxEnv(), "GOFLAGS=-buildvcs=false -trimpath")...)))
}

// packageSizes returns the bytes of code and data of each package in a program. Types, strings and
// tables for stack traces belong to no package and are left out.
func packageSizes(t *testing.T, program *elf.File) map[string]int64 {
	t.Helper()
	symbols := expect.Must(program.Symbols())
	sizes := make(map[string]int64)
	for _, s := range symbols {
		if int(s.Section) >= len(program.Sections) || program.Sections[s.Section].Type == elf.SHT_NOBITS {
			continue // takes no room in the file
		}
		if name := symbolPackage(s.Name); name != "" {
			sizes[name] += int64(s.Size)
		}
	}
	return sizes
}

// symbolPackage returns the import path in a symbol's name, such as a/b in a/b.(*T).Method, or ""
// if the symbol belongs to no package.
func symbolPackage(symbol string) string {
	for _, prefix := range []string{"type:.eq.", "type:.hash."} {
		symbol = strings.TrimPrefix(symbol, prefix)
	}
	symbol, _, _ = strings.Cut(symbol, "[") // type arguments
	symbol, _, _ = strings.Cut(symbol, "(")
	slash := strings.LastIndex(symbol, "/") + 1
	name, _, ok := strings.Cut(symbol[slash:], ".")
	if !ok || strings.Contains(symbol, ":") {
		return ""
	}
	return symbol[:slash] + strings.ReplaceAll(name, "%2e", ".")
}

// modulesTable lists the modules that go.mod requires directly, with what each adds to the program:
// itself and all packages that the program has only because of it.
func modulesTable(t *testing.T, packages map[string]programPackage, sizes map[string]int64) string {
	text := "| module | what for | MB |\n| --- | --- | ---: |\n"
	required := requiredModules(t)
	for _, name := range slices.Sorted(maps.Keys(required)) {
		purpose, ok := modulePurposes[name]
		if !ok {
			t.Errorf("go.mod requires %s: say in modulePurposes what for", name)
		}
		text += fmt.Sprintf("| `%s` | %s | %s |\n", name, purpose, addedBy(name, packages, sizes))
	}
	for name := range modulePurposes {
		if required[name] == "" {
			t.Errorf("modulePurposes has %s, which go.mod does not require directly", name)
		}
	}
	return text
}

// requiredModules returns the versions of the modules that go.mod requires directly.
func requiredModules(t *testing.T) map[string]string {
	t.Helper()
	text := readFile(t, "../go.mod")
	versions := make(map[string]string)
	for _, found := range regexp.MustCompile(`(?m)^\t(\S+) v(\S+)$`).FindAllStringSubmatch(string(text), -1) {
		versions[found[1]] = found[2]
	}
	return versions
}

// addedBy returns the megabytes that a module adds to the program, or "tests" if the program does
// not contain it.
func addedBy(module string, packages map[string]programPackage, sizes map[string]int64) string {
	kept := make(map[string]bool)
	collectWithout(module, "sml/cmd/sml", packages, kept)
	contained, bytes := false, int64(0)
	for name, p := range packages {
		contained = contained || p.Module.Path == module
		if !kept[name] {
			bytes += sizes[name]
		}
	}
	if !contained {
		return "tests"
	}
	return megabytes(bytes)
}

// collectWithout adds to kept all packages that a package imports, itself included, on paths without
// packages of the given module.
func collectWithout(module, name string, packages map[string]programPackage, kept map[string]bool) {
	p, ok := packages[name]
	if !ok || kept[name] || p.Module.Path == module {
		return
	}
	kept[name] = true
	for _, imported := range p.Imports {
		collectWithout(module, cmp.Or(p.ImportMap[imported], imported), packages, kept)
	}
}

// fileTable says what the file of the program consists of.
func fileTable(program *elf.File) string {
	var code, traces, debug, other int64
	for _, section := range program.Sections {
		if section.Type == elf.SHT_NOBITS {
			continue
		}
		switch size := int64(section.FileSize); {
		case section.Name == ".text":
			code += size
		case section.Name == ".gopclntab":
			traces += size
		case strings.HasPrefix(section.Name, ".debug_"), section.Name == ".symtab", section.Name == ".strtab":
			debug += size
		default:
			other += size
		}
	}
	text := "| part of the program | MB |\n| --- | ---: |\n"
	for _, row := range []struct {
		part  string
		bytes int64
	}{
		{"code", code},
		{"tables for stack traces", traces},
		{"fonts, types, strings and other data", other},
		{"symbols for debuggers, which `-ldflags=\"-s -w\"` leaves out", debug},
	} {
		text += fmt.Sprintf("| %s | %s |\n", row.part, megabytes(row.bytes))
	}
	return text
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e6) }

// keepNearSizes returns a text with the sizes of the page in place of those that differ from them by
// less than a tenth or 0.3 MB, so that not every change of the code is one of the page.
func keepNearSizes(t *testing.T, text string) string {
	t.Helper()
	old := readFile(t, dependenciesPage)
	row := regexp.MustCompile(`(?m)^(\|.*\| )(\d+\.\d) \|$`)
	known := make(map[string]string) // size by the rest of its row
	for _, found := range row.FindAllStringSubmatch(string(old), -1) {
		known[found[1]] = found[2]
	}
	return row.ReplaceAllStringFunc(text, func(line string) string {
		found := row.FindStringSubmatch(line)
		before, err := strconv.ParseFloat(known[found[1]], 64)
		now, _ := strconv.ParseFloat(found[2], 64)
		if err != nil || math.Abs(now-before) > max(0.3, 0.1*before) {
			return line
		}
		return found[1] + known[found[1]] + " |"
	})
}
