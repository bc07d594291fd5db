package cmd

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"sml/internal/expect"
)

// TestSameBytes trains, predicts, judges and runs a study with programs for
// several CPUs, and as a CPU with fewer instructions would, and compares every
// file. If qemu is installed (Debian's qemu-user-static), it also runs the program
// for arm64, with NEON and with portable kernels.
func TestSameBytes(t *testing.T) {
	if os.Getenv("SML_LONG") == "" {
		t.Skip("takes minutes: make bytes runs it")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: bytes are compared with those of linux/amd64, which this is not")
	}
	here := built(t)
	want := produced(t, nil, here)
	for _, c := range []struct {
		name  string
		build []string // environment of the compiler
		run   []string // and of the program
		with  string   // program that runs it
	}{
		{name: "without FMA", run: []string{"GODEBUG=cpu.fma=off"}},
		{name: "without vectors", run: []string{"GODEBUG=cpu.avx512f=off,cpu.avx2=off,cpu.avx=off,cpu.fma=off,cpu.sse41=off,cpu.sse42=off"}},
		{name: "portable kernels", run: []string{"SML_KERNELS=portable"}},
		{name: "amd64 v3", build: []string{"GOAMD64=v3"}},
		{name: "386", build: []string{"GOARCH=386", "CGO_ENABLED=0"}},
		{name: "arm64", build: []string{"GOARCH=arm64", "CGO_ENABLED=0"}, with: "qemu-aarch64-static"},
		{name: "arm64 with portable kernels", build: []string{"GOARCH=arm64", "CGO_ENABLED=0"}, run: []string{"SML_KERNELS=portable"}, with: "qemu-aarch64-static"},
	} {
		t.Run(c.name, func(t *testing.T) {
			command := []string{here}
			if c.build != nil {
				command = []string{built(t, c.build...)}
			}
			if c.with != "" {
				with, err := exec.LookPath(c.with)
				if err != nil {
					t.Skipf("SKIPPED: there is no %s, so nothing is compared for %s", c.with, c.name)
				}
				command = append([]string{with}, command...)
			}
			if out, err := exec.Command(command[0], append(command[1:], "--version")...).CombinedOutput(); err != nil {
				t.Skipf("SKIPPED: programs for %s do not run here: %s", c.name, out)
			}
			checkFiles(t, want, produced(t, c.run, command...))
		})
	}
}

// built is the program as a compiler with that environment makes it.
func built(t *testing.T, env ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "sml")
	c := exec.Command("go", "build", "-o", program, "./sml")
	c.Env = append(os.Environ(), env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// produced returns the files that a program leaves behind, without what names
// the program itself.
func produced(t *testing.T, env []string, program ...string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		c := exec.Command(program[0], append(program[1:], args...)...)
		c.Dir, c.Env = dir, append(os.Environ(), env...)
		var out, errOut bytes.Buffer
		c.Stdout, c.Stderr = &out, &errOut
		if err := c.Run(); err != nil {
			t.Fatalf("sml %s: %v\n%s", strings.Join(args, " "), err, errOut.Bytes())
		}
		if strings.Contains(strings.Join(args, " "), "--json") {
			expect.NoError(t, os.WriteFile(filepath.Join(dir, args[0]+"-"+args[1]+".json"), out.Bytes(), 0o644))
		}
	}
	for _, toy := range []string{"toy", "toy-modulated", "toy-uniform", "toy-noise-strong", "friedman"} {
		run("data", "toy", toy, "--seed", "3", "--out", toy+".csv")
	}
	run("data", "describe", "friedman.csv", "--json")
	run("train", "--data", "friedman.csv", "--method", "sml", "--epochs", "2", "--schedule", "cosine", "--clip", "0.1", "--weight-decay", "0.01",
		"--validation", "0.2", "--split", "pca", "--fold", "3", "--out", "sml", "--quiet")
	run("train", "--data", "friedman.csv", "--method", "pu-de", "--epochs", "2", "--schedule", "cosine", "--split", "random", "--protocol", "sound",
		"--hidden", "20", "--activation", "tanh", "--optimizer", "adam beta1=0.8", "--out", "pu-de", "--quiet")
	run("train", "--data", "toy.csv", "--method", "mc", "--epochs", "2", "--activation", "softplus",
		"--hidden", "10", "--optimizer", "sgd", "--weight-decay", "0.01", "--out", "mc", "--quiet")
	for model, samples := range map[string][]string{"sml": {"--samples", "10"}, "pu-de": nil} {
		run(append([]string{"predict", model, "--in", "friedman.csv", "--coverage", "0.8", "--out", model + ".csv", "--quiet"}, samples...)...)
		run(append([]string{"evaluate", model, "--json", "--quiet"}, samples...)...)
	}
	run("study", "plan", "study", "--preset", "quick", "--datasets", "friedman,toy-hf", "--methods", "mc,sml,pu-de", "--splits", "random,pca,label",
		"--fold", "0,4", "--epochs", "2", "--width", "10", "--samples", "5", "--save-predictions", "csv")
	run("study", "run", "study", "--quiet")

	ofProgram := regexp.MustCompile(`"(version|sha256)": ?"[^"]*"`)
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == "log" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if filepath.Ext(path) == ".json" {
			text = ofProgram.ReplaceAll(text, nil)
		}
		name, _ := filepath.Rel(dir, path)
		files[name] = text
		return err
	})
	expect.NoError(t, err)
	return files
}

// TestSameBytesNothingFuses looks for fused instructions in the program for arm64,
// whose compiler fuses x*y + z into one instruction if Go allows it. Only pictures,
// calls of math.FMA and the kernels' assembly may have such instructions.
func TestSameBytesNothingFuses(t *testing.T) {
	if os.Getenv("SML_LONG") == "" {
		t.Skip("takes minutes: make bytes runs it")
	}
	program := built(t, "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	listing := expect.Must(exec.Command("go", "tool", "objdump", "-s", "^sml/", program).Output())
	fused := regexp.MustCompile(`\bFN?M(ADD|SUB)[SD]\b`)
	allowed := regexp.MustCompile(`^sml/(graph/draw|evaluation/report(/(chart|paper))?)\.|^sml/internal/kernels\.(Welford|[a-zA-Z]+NEON\.abi0)\(`)
	functions, function := 0, ""
	lines := bufio.NewScanner(bytes.NewReader(listing))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "TEXT "); ok {
			function, _, _ = strings.Cut(rest, " ")
			functions++
		} else if fused.MatchString(lines.Text()) && !allowed.MatchString(function) {
			t.Errorf("%s: %s: round the product, as float64(x*y) + z", function, strings.Join(strings.Fields(lines.Text())[:1], ""))
		}
	}
	if err := lines.Err(); err != nil || functions < 1000 {
		t.Errorf("%d functions, %v; is this the program?", functions, err)
	}
}
