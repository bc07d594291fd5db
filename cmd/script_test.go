package cmd

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sml/evaluation/report/paper"
	"sml/graph"
	"sml/internal/safefile"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

// TestMain puts the test's own program into the PATH of all tests, as sml.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sml":         func() { os.Exit(Main()) },
		"sml-parts":   mainWithParts,
		"sml-columns": mainWithColumns,
		"sml-pupil":   mainWithPupil,
		"sml-site":    mainWithSite,
		"sml-brief": func() { // trains the networks of figure 1 for an epoch
			for i := range paper.Toys {
				paper.Toys[i].Epochs = 1
			}
			os.Exit(Main())
		},
		"invented-yacht": func() { // writes a table of yacht's shape
			text := "a,b,c,d,e,f,residuary_resistance\n"
			for i := range 308 {
				text += fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d\n", i%2, i%3, i%5, i%7, i%11, i%13, i*i%17)
			}
			if os.WriteFile("yacht.csv", []byte(text), 0o666) != nil {
				os.Exit(1)
			}
		},
		"sml-median": func() { // has a method that predicts one quantile
			models.Register(models.Method{
				Name: "median", Title: "Median", Objective: median, Outputs: models.Outputs(1),
				Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
					return methods.Quantiles([]float64{0.5}, m.Full)
				},
			})
			os.Exit(Main())
		},
		"sml-unjudged": func() {
			models.Register(models.Method{
				Name: "unjudged", Objective: methods.DropoutMSE, DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments,
				Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
					tried := b.Shift(m.Std[0], -0.3) // 0 when it is tried before the training
					return methods.Normal(m.Mean[0], b.Neg(b.Abs(tried)))
				},
			})
			os.Exit(Main())
		},
		"sml-endless": func() {
			models.Register(models.Method{
				Name: "endless", Predict: methods.PredictFullNetwork,
				Objective: func(*graph.Builder, *models.Task) *graph.Node {
					fmt.Println("it begins")
					select {}
				},
			})
			os.Exit(Main())
		},
		"sml-interrupted": func() { // while it judges the model $INTERRUPT
			var once sync.Once
			models.Register(models.Method{
				Name: "interrupted", Objective: methods.DropoutMSE, DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments,
				Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
					if fileExists(os.Getenv("INTERRUPT")) {
						once.Do(func() {
							self, _ := os.FindProcess(os.Getpid())
							self.Signal(syscall.SIGTERM)
							time.Sleep(repeatTime)
						})
					}
					return methods.PredictSubNetworks(b, m)
				},
			})
			os.Exit(Main())
		},
	})
}

// median is the pinball loss of the level 0.5.
func median(b *graph.Builder, t *models.Task) *graph.Node {
	e := b.Sub(t.Y, t.Forward(graph.Full))
	return t.Mean(b.Max(b.Scale(0.5, e), b.Scale(-0.5, e)))
}

// TestScripts runs testdata/*.txtar, each of which says in its first line what
// it shows. Beside the commands of testscript they have those below, and the
// conditions [datasets], which holds where $SML_DATA names a folder, [tables],
// which holds where there are raw tables, [cases], which holds where there are
// the small inputs that once failed, and [long], which holds where tests may take minutes.
func TestScripts(t *testing.T) { testscript.Run(t, scriptParams()) }

// scriptParams returns the parameters of testdata/*.txtar.
func scriptParams() testscript.Params {
	tables := rawTables()
	cases := sharedFolder("SML_CASES", "cases")
	dir, err := filepath.Abs("testdata") // since runInside changes the working directory
	if err != nil {
		panic(err)
	}
	return testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("SML_DATA", os.Getenv("SML_DATA"))
			e.Setenv("SML_TABLES", tables)
			e.Setenv("SML_CASES", cases)
			for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // for scripts that build programs
				e.Setenv(name, goEnv(name))
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "datasets":
				return os.Getenv("SML_DATA") != "", nil
			case "tables":
				return tables != "", nil
			case "cases":
				return cases != "", nil
			case "long":
				return os.Getenv("SML_LONG") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "interrupt": interrupt, "interruptover": interruptOver, "samemodel": sameModel, "otherprogram": otherProgram,
			"json": isJSON, "scores": scores, "reported": reported, "intervals": intervals, "gzip": gzipped, "unlist": unlist, "relist": relist, "workbook": workbook,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
}

// goEnv returns a setting of the go command, and "" without that command.
func goEnv(name string) string {
	text, _ := exec.Command("go", "env", name).Output()
	return strings.TrimSpace(string(text))
}

// rawTables is the folder of raw tables, "" where there is none.
func rawTables() string { return sharedFolder("SML_TABLES", "tables") }

// sharedFolder is the folder that an environment variable names, or the one of that name in the folder shared
// beside the checkout; "" where there is none.
func sharedFolder(variable, name string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", name)
	}
	dir, err := filepath.Abs(dir)
	if err != nil || !fileExists(dir) {
		return ""
	}
	return dir
}

// exits CODE PROGRAM ARGUMENTS...: the program ends with that code. sml runs in this process if canRunInside says so: scripts
// have hundreds of these calls, most of which are mistakes, and to start a process takes longer than to find a mistake.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if !canRunInside(ts, args[1:]) {
		exitsInProcess(ts, neg, args)
		return
	}
	checkExitCode(ts, neg, runInside(ts, args[1:]), args[0])
}

// canRunInside reports whether args call sml, which then does not read standard input or variables that runInside does not set.
func canRunInside(ts *testscript.TestScript, args []string) bool {
	isInput := func(arg string) bool { return arg == "-" || strings.HasPrefix(arg, "/dev/") }
	isChanged := func(variable string) bool { return ts.Getenv(variable) != os.Getenv(variable) }
	return args[0] == "sml" && !slices.ContainsFunc(args, isInput) &&
		!slices.ContainsFunc([]string{"PATH", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"}, isChanged)
}

// exitsInProcess is exits with a process for each program.
func exitsInProcess(ts *testscript.TestScript, neg bool, args []string) {
	code := exitCode(ts.Exec(args[1], args[2:]...))
	checkExitCode(ts, neg, code, args[0])
}

func checkExitCode(ts *testscript.TestScript, neg bool, code int, want string) {
	if neg || strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

// processMutex is held while a script has changed the working directory and the environment of this process. Scripts run at
// the same time, and no other test does meanwhile.
var processMutex sync.Mutex

// runInside runs the program in this process, in the directory and with the environment of a script, and returns its exit
// code.
func runInside(ts *testscript.TestScript, args []string) int {
	processMutex.Lock()
	defer processMutex.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "TMPDIR", "SML_DATA"} {
		value, isSet := os.LookupEnv(name)
		os.Setenv(name, ts.Getenv(name))
		if isSet {
			defer os.Setenv(name, value)
		} else {
			defer os.Unsetenv(name)
		}
	}
	return Run(context.Background(), args, strings.NewReader(""), ts.Stdout(), ts.Stderr())
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// interrupt SIGNAL MODEL PROGRAM ARGUMENTS...: the training that writes MODEL
// ends with code 130 on the signal, and its checkpoint stands somewhere in the
// middle. MODEL/alternative waits for the training of the alternative. The signal comes a short time after the training has begun. How fast it
// trains is not known, so a signal that comes too early or too late is sent again
// to a new run, at another time.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("interrupt cannot be negated")
	}
	interruptFrom(ts, "", args)
}

// interruptover is interrupt for a training that is to replace MODEL.
func interruptOver(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("interruptover cannot be negated")
	}
	model := ts.MkAbs(args[1])
	before := model + ".before"
	ts.Check(os.CopyFS(before, os.DirFS(model)))
	interruptFrom(ts, before, args)
	ts.Check(os.RemoveAll(before))
}

// interruptFrom interrupts a training that begins with a copy of the model
// before, or with none.
func interruptFrom(ts *testscript.TestScript, before string, args []string) {
	sent, ok := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[0]]
	if !ok {
		ts.Fatalf("usage: interrupt INT|TERM|HUP MODEL PROGRAM ARGUMENTS...")
	}
	received := make(chan os.Signal, 1)
	signal.Notify(received, sent) // so that the training does not inherit that a signal is ignored, as nohup does
	defer signal.Stop(received)
	model := ts.MkAbs(args[1])
	checkpoint := checkpointDir(model)
	if filepath.Base(model) == alternativeFolder {
		checkpoint = model
		model = filepath.Dir(model)
	}
	wait := 50 * time.Millisecond
	for range 30 {
		var out, errOut bytes.Buffer
		c := exec.Command(args[2], args[3:]...)
		c.Dir, c.Stdout, c.Stderr = ts.MkAbs("."), &out, &errOut
		ts.Check(c.Start())
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		awaitTraining(checkpoint, ended)
		time.Sleep(wait)
		c.Process.Signal(sent) // fails if it has ended
		code := exitCode(<-ended)
		_, states, err := readCheckpoint(checkpoint)
		const killed = -1 // by the signal, which came before it was listened to
		switch {
		case code == exitInterrupted && slices.ContainsFunc(states, func(s trainers.State) bool { return s.Epoch > 0 }):
			io.Copy(ts.Stdout(), &out)
			io.Copy(ts.Stderr(), &errOut)
			return
		case code == exitDone:
			wait /= 2
		case code == exitInterrupted && err != nil && strings.Contains(errOut.String(), "--resume"): // it had begun to train
			ts.Fatalf("there is no checkpoint: %v", err)
		case code == exitInterrupted, code == killed:
			wait += wait / 2
		default:
			ts.Fatalf("exit code %d: %s", code, &errOut)
		}
		ts.Check(os.RemoveAll(model))
		if before != "" {
			ts.Check(os.CopyFS(model, os.DirFS(before)))
		}
	}
	ts.Fatalf("no signal came in the middle of the training: give it more epochs")
}

// awaitTraining waits until a training writes its first checkpoint, before its
// first epoch, or ends.
func awaitTraining(checkpoint string, ended chan error) {
	for !fileExists(checkpoint) {
		select {
		case err := <-ended:
			ended <- err
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// samemodel A B: the models' files are the same byte for byte.
func sameModel(ts *testscript.TestScript, neg bool, args []string) {
	var differ []string
	for _, name := range []string{"model.json", "weights.safetensors", "history.csv", "training_rows.bin"} {
		if ts.ReadFile(filepath.Join(args[0], name)) != ts.ReadFile(filepath.Join(args[1], name)) {
			differ = append(differ, name)
		}
	}
	const kept = "calibration_rows.safetensors" // only calibrated models have it
	a, errA := os.ReadFile(ts.MkAbs(filepath.Join(args[0], kept)))
	b, errB := os.ReadFile(ts.MkAbs(filepath.Join(args[1], kept)))
	if !bytes.Equal(a, b) || (errA == nil) != (errB == nil) {
		differ = append(differ, kept)
	}
	if neg == (len(differ) == 0) {
		ts.Fatalf("%s and %s differ in %v", args[0], args[1], differ)
	}
}

// otherprogram FILE: FILE is a copy of this program that counts as another one.
func otherProgram(ts *testscript.TestScript, neg bool, args []string) {
	path, err := os.Executable()
	ts.Check(err)
	program, err := os.ReadFile(path)
	ts.Check(err)
	if id := buildID(path); id != "" {
		program = bytes.Replace(program, []byte(id), bytes.ToLower([]byte(id)), 1)
	}
	program = append(program, '\n') // changes the checksum, where there is no build ID
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), program, 0o755))
}

// unlist MODEL FILE: the manifest of the model does not list the file.
func unlist(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	manifest, err := safefile.ReadManifest(dir)
	ts.Check(err)
	delete(manifest, args[1])
	ts.Check(manifest.Write(dir))
}

// relist MODEL FILE: the manifest of the model lists the file as it is now.
func relist(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	manifest, err := safefile.ReadManifest(dir)
	ts.Check(err)
	content := ts.ReadFile(filepath.Join(args[0], args[1]))
	delete(manifest, args[1])
	ts.Check(manifest.Add(dir, args[1], safefile.WriteBytes([]byte(content))))
	ts.Check(manifest.Write(dir))
}

// reported FILE METHOD/DATASET/SPLIT/MEASURE LOW HIGH: the scores.csv of a report has the score once, of no fold that failed,
// and it is a finite number strictly between the two.
func reported(ts *testscript.TestScript, neg bool, args []string) {
	rows := cellsOf(ts, args[0])
	low, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	high, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	found := 0
	for _, row := range rows[1:] {
		field := func(column string) string { return row[slices.Index(rows[0], column)] }
		if strings.Join([]string{field("method"), field("dataset"), field("split"), field("measure")}, "/") != args[1] {
			continue
		}
		found++
		mean, err := strconv.ParseFloat(field("mean"), 64)
		ts.Check(err)
		if field("failed") != "0" || math.IsInf(mean, 0) || !(low < mean && mean < high) { // false for NaN
			ts.Fatalf("%s is %v, of %s failed folds; want more than %v and less than %v", args[1], mean, field("failed"), low, high)
		}
	}
	if neg || found != 1 {
		ts.Fatalf("%s has %s %d times, want once", args[0], args[1], found)
	}
}

// json PATH...: standard output was one JSON value that has these paths, such
// as standardised.rmse; a list is entered at its first element.
func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &value))
	for _, path := range args {
		at := value
		for key := range strings.SplitSeq(path, ".") {
			if list, ok := at.([]any); ok && len(list) > 0 {
				at = list[0]
			}
			object, _ := at.(map[string]any)
			found, ok := object[key]
			if ok == neg {
				ts.Fatalf("%s in the JSON value: %v", path, ok)
			}
			at = found
		}
	}
}

// scores MODEL: standard output was JSON with the scores that the model was
// saved with.
func scores(ts *testscript.TestScript, neg bool, args []string) {
	var found map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &found))
	var saved struct{ Scores map[string]any }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(filepath.Join(args[0], "model.json"))), &saved))
	if len(saved.Scores) == 0 {
		ts.Fatalf("%s has no scores", args[0])
	}
	for name, want := range saved.Scores {
		if same := reflect.DeepEqual(found[name], want); same == neg {
			ts.Fatalf("%s: %v, saved as %v", name, found[name], want)
		}
	}
}

// intervals ROWS: standard output was CSV of that many predictions of finite
// numbers, with lower ≤ mean ≤ upper and a std that is not negative.
func intervals(ts *testscript.TestScript, neg bool, args []string) {
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile("stdout"))).ReadAll()
	ts.Check(err)
	if got := strconv.Itoa(len(rows) - 1); neg || got != args[0] {
		ts.Fatalf("there are %s predictions, want %s", got, args[0])
	}
	for i, row := range rows[1:] {
		named := make(map[string]float64)
		for j, name := range rows[0] {
			named[name], err = strconv.ParseFloat(row[j], 64)
			ts.Check(err)
		}
		if !(named["lower"] <= named["mean"] && named["mean"] <= named["upper"] && named["std"] >= 0) {
			ts.Fatalf("prediction %d is %v", i, named)
		}
	}
}

// gzip FILE: FILE.gz holds it compressed.
func gzipped(ts *testscript.TestScript, neg bool, args []string) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(ts.ReadFile(args[0])))
	w.Close()
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".gz"), packed.Bytes(), 0o644))
}
