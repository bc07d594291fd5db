//go:build same && unix

package cmd

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sync/errgroup"

	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models"
)

// TestSamePrograms compares the outputs and the files of the program with those of an earlier program, $OLD, in every
// script of testdata, in the commands of every page, and in 300 short trainings. testdata/meant.txt lists the intended
// differences. "make same OLD=program" runs the test.
func TestSamePrograms(t *testing.T) {
	old, err := filepath.Abs(os.Getenv("OLD"))
	if err != nil || !fileExists(old) {
		t.Fatalf("OLD=%s is no program: make same OLD=PROGRAM, built from the commit before", os.Getenv("OLD"))
	}
	before, after := recordProgram(t, old), recordProgram(t, built(t))
	meant := readMeantDifferences(t)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		a, b := meant.remove(name, before[name]), meant.remove(name, after[name])
		if a != b {
			t.Errorf("%s differs:\n%s", name, firstDifference(a, b))
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok && meant.remove(name, "new\n") != "" {
			t.Errorf("%s is new", name)
		}
	}
	for _, m := range meant {
		if !m.isUsed {
			t.Errorf("testdata/meant.txt: no line matches %q %q", m.name, m.line)
		}
	}
	t.Logf("%d outputs and files are compared", len(before))
}

// recording holds what a program printed and wrote, by the name of the run and of the file.
type recording map[string]string

// recordProgram runs everything with a program in the PATH, as sml.
func recordProgram(t *testing.T, program string) recording {
	t.Helper()
	dir := t.TempDir()
	expect.NoError(t, os.Symlink(program, filepath.Join(dir, "sml")))
	path := os.Getenv("PATH")
	defer os.Setenv("PATH", path)
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+path)
	version := expect.Must(exec.Command(program, "--version").Output())
	r := make(recording)
	r.addScripts(t)
	r.addPages(t)
	r.addTrainings(t, program)
	for name, content := range r {
		r[name] = strings.ReplaceAll(content, strings.TrimSpace(string(version)), "VERSION")
	}
	return r
}

// addScripts runs the scripts, whether or not the program is as they expect.
func (r recording) addScripts(t *testing.T) {
	root := t.TempDir()
	p := scriptParams()
	p.WorkdirRoot = root
	p.ContinueOnError = true
	p.Cmds["exits"] = exitsInProcess // the compared program, not this one
	var lock sync.Mutex
	var scripts sync.WaitGroup
	limit := make(chan struct{}, runtime.NumCPU())
	testscript.RunT(&scriptRun{scripts: &scripts, limit: limit, record: func(name, log string) {
		lock.Lock()
		defer lock.Unlock()
		r["script "+name] = withoutChance(log, filepath.Join(root, "script-"+name))
	}}, p)
	scripts.Wait()
	for name := range maps.Clone(r) {
		script := strings.TrimPrefix(name, "script ")
		r.addFiles(t, name, filepath.Join(root, "script-"+script))
	}
}

// scriptRun is a testscript.T that records the log of each script.
type scriptRun struct {
	scripts *sync.WaitGroup
	limit   chan struct{} // has room for the scripts that run at the same time
	record  func(name, log string)
	log     strings.Builder
}

func (s *scriptRun) Skip(...any)    { runtime.Goexit() }
func (s *scriptRun) Fatal(a ...any) { s.Log(a...); s.FailNow() }
func (s *scriptRun) Parallel()      {}
func (s *scriptRun) Log(a ...any)   { fmt.Fprintln(&s.log, a...) }
func (s *scriptRun) FailNow()       { runtime.Goexit() }
func (s *scriptRun) Verbose() bool  { return true }
func (s *scriptRun) Run(name string, f func(testscript.T)) {
	s.scripts.Go(func() {
		s.limit <- struct{}{}
		defer func() { <-s.limit }()
		script := &scriptRun{}
		defer func() { s.record(name, script.log.String()) }()
		f(script)
	})
}

// addPages runs the commands of the pages that build no programs of their own.
func (r recording) addPages(t *testing.T) {
	var lock sync.Mutex
	t.Run("pages", func(t *testing.T) {
		for _, name := range docsPages(t) {
			t.Run(name, func(t *testing.T) {
				text := readPage(t, name)
				blocks := expect.Must(parseBlocks(text))
				buildsPrograms := func(b docsBlock) bool { return b.runs() && regexp.MustCompile(`(?m)^go |&& go `).MatchString(b.text) }
				if !slices.ContainsFunc(blocks, docsBlock.runs) || slices.ContainsFunc(blocks, buildsPrograms) {
					return
				}
				skipUnlessRunnable(t, text)
				t.Parallel()
				dir := newPageDir(t)
				scratch := t.TempDir()
				runShell(t, dir, pageScript(t, scratch, blocks)) // an error ends the page for both programs alike
				lock.Lock()
				defer lock.Unlock()
				for i := range blocks {
					if output := readOutput(scratch, i); blocks[i].runs() {
						r[fmt.Sprintf("%s, block %d", name, i)] = withoutChance(output.out+output.errors, dir)
					}
				}
				r.addFiles(t, name, dir)
			})
		}
	})
}

// addTrainings trains 300 small models, predicts with them and exports them.
func (r recording) addTrainings(t *testing.T, program string) {
	dir := t.TempDir()
	var lock sync.Mutex
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i := range 300 {
		group.Go(func() error {
			train, further := drawTraining(i)
			folder := filepath.Join(dir, fmt.Sprint(i))
			if err := writeTable(folder, i); err != nil {
				return err
			}
			var log bytes.Buffer
			for _, arguments := range append([][]string{train}, further...) {
				fmt.Fprintf(&log, "sml %s\n", strings.Join(arguments, " "))
				command := exec.Command(program, arguments...)
				command.Dir, command.Stdout, command.Stderr = folder, &log, &log
				if err := command.Run(); err != nil {
					fmt.Fprintln(&log, err)
				}
			}
			lock.Lock()
			defer lock.Unlock()
			name := fmt.Sprintf("training %d", i)
			r[name] = withoutChance(log.String(), folder)
			r.addFiles(t, name, folder)
			return nil
		})
	}
	expect.NoError(t, group.Wait())
}

// drawTraining returns the arguments of training i, and of the commands that use its model. Some combinations are
// refused: then the refusals are compared.
func drawTraining(i int) (train []string, further [][]string) {
	rng := rand.New(rand.NewPCG(1, uint64(i)))
	pick := func(choices ...string) string { return choices[rng.IntN(len(choices))] }
	methods, networks := models.Methods(), models.Networks()
	train = []string{"train", "--quiet", "--data", "table.csv", "--target", "y", "--epochs", "2", "--hidden", "8,8", "--out", "m", "--method", methods[i%len(methods)].Name}
	if pick("default", "other") == "other" {
		train = append(train, "--network", networks[rng.IntN(len(networks))].Name)
	}
	if kind := pick(append(calibrate.Names(), "none", "none")...); kind != "none" {
		train = append(train, "--calibrate", "0.3", "--calibrate-kind", kind)
	}
	if pick("all rows", "some") == "some" {
		train = append(train, "--split", "random")
	}
	train = append(train, "--transform", pick("none", "none", "log", "sqrt", "quantile-normal", "auto"))
	predict := []string{"predict", "m", "--in", "table.csv", "--out", "p.csv"}
	switch pick("", "moments", "quantiles") {
	case "moments":
		predict = append(predict, "--moments", "analytic")
	case "quantiles":
		predict = append(predict, "--quantiles", "0.1,0.9")
	}
	return train, [][]string{predict, {"evaluate", "m", "--data", "table.csv", "--json"}, {"export", "m", "--onnx", "m.onnx"}}
}

// writeTable makes a folder with the table of training i.
func writeTable(folder string, i int) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	table := newRandomTable(uint64(i))
	return os.WriteFile(filepath.Join(folder, "table.csv"), randomCSV(table, newSpelling(table, uint64(i))), 0o666)
}

// addFiles adds the checksums of all files below a folder, and the contents of texts.
func (r recording) addFiles(t *testing.T, run, folder string) {
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // scripts also leave what cannot be read
		}
		name, _ := filepath.Rel(folder, path)
		if uncompared.MatchString(filepath.ToSlash(name)) {
			return nil
		}
		const maxBytes = 1 << 26 // scripts leave endless files
		if info, err := entry.Info(); err != nil || info.Size() > maxBytes {
			r[run+": "+filepath.ToSlash(name)] = "large\n"
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		text := withoutChance(string(content), folder)
		if bytes.ContainsRune(content, 0) || len(text) > 1<<20 {
			text = fmt.Sprintf("SHA-256 %x\n", sha256.Sum256([]byte(text)))
		}
		r[run+": "+filepath.ToSlash(name)] = text
		return nil
	})
}

// progressLine matches lines of progress, whose number depends on the time that a run takes.
var progressLine = regexp.MustCompile(`(?m)^.*: \d+%, .* left\n`)

// chance matches texts that differ from run to run or from program to program: times, memory, addresses, numbers of
// processes, and checksums of contents with the program's version.
var chance = regexp.MustCompile(`(?m)\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| UTC|[+-]\d\d:?\d\d)?|\b1\d{12}\b|` +
	`\b\d+(\.\d+)? ?(h|ms|µs|ns|s|MiB|GiB|MB)\b|\b(\d+h)?(\d+m)?\d+(\.\d+)?s\b|\d+\.\d% │$|` +
	`"(seconds|microseconds|fraction|pid|process|memory|elapsed|rate)": ?[0-9.e+-]+|process \d+|"[a-z_]*sha256": ?"[0-9a-f]{64}"|-[0-9a-f]{8}\b|\baside-\d+|` +
	`0x[0-9a-f]+|build [0-9a-f]{16}|127\.0\.0\.1:\d+|/tmp/[\w/.%-]*`)

// uncompared matches files that list times or checksums, copies of the program, and states of trainings that a script
// interrupts at a moment by chance.
var uncompared = regexp.MustCompile(`(^|/)(sml-manifest\.json|log/.*|sml|before|whole\.json)$`)

// withoutChance replaces the texts that chance matches, and the path of the folder.
func withoutChance(text, folder string) string {
	text = progressLine.ReplaceAllString(strings.ReplaceAll(text, folder, "FOLDER"), "")
	return chance.ReplaceAllString(text, "CHANCE")
}

// meantDifference is a line of testdata/meant.txt. In outputs and files with a matching name, TestSamePrograms ignores
// matching lines.
type meantDifference struct {
	name, line *regexp.Regexp
	isUsed     bool
}

type meantDifferences []*meantDifference

// readMeantDifferences reads testdata/meant.txt, whose lines are two regular expressions and a reason, separated by tabs.
func readMeantDifferences(t *testing.T) (all meantDifferences) {
	text := readFile(t, "testdata/meant.txt")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) != 3 {
			t.Fatalf("testdata/meant.txt: %q has not a name, a line and a reason, separated by tabs", line)
		}
		all = append(all, &meantDifference{name: regexp.MustCompile("^(" + cells[0] + ")$"), line: regexp.MustCompile("^(" + cells[1] + ")$")})
	}
	return all
}

// remove returns a text without the lines of intended differences.
func (all meantDifferences) remove(name, text string) string {
	for _, m := range all {
		if !m.name.MatchString(name) {
			continue
		}
		var kept strings.Builder
		for line := range strings.Lines(text) {
			if m.line.MatchString(strings.TrimRight(line, "\n")) {
				m.isUsed = true
				continue
			}
			kept.WriteString(line)
		}
		text = kept.String()
	}
	return text
}

// firstDifference returns the first lines that differ in two texts.
func firstDifference(a, b string) string {
	linesA, linesB := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < len(linesA) && i < len(linesB) && linesA[i] == linesB[i] {
		i++
	}
	at := func(lines []string) string { return strings.Join(lines[min(i, len(lines)):min(i+3, len(lines))], "\n") }
	return fmt.Sprintf("line %d\n- %.600s\n+ %.600s", i+1, at(linesA), at(linesB))
}
