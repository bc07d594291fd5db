package cluster

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"sml/evaluation/study"
	"sml/internal/expect"
)

var update = flag.Bool("update", false, "write testdata anew")

func small() Work {
	return Work{
		name: "sml-grid-0123abcd", Program: "/opt/sml/bin/sml", Dir: "/home/ada", Study: "/home/ada/grid", Report: "/home/ada/grid-report",
		Env: []string{"GOMAXPROCS=1"}, tasks: 3, CPUs: 1,
	}
}

// awkward has whatever a path may have.
func awkward(dir string) Work {
	return Work{
		name: "sml-x-0123abcd", Program: dir + "/it's 100% $HOME/sml", Dir: dir, Study: dir + "/a \"b\" #c, %d `e`", ShardsDir: dir + "/own shards", Report: dir + "/r;",
		RetryFailed: true, Env: []string{"GOMAXPROCS=4", "SML_DATA=/data/it's $(here)"},
		tasks: 1000, Parallel: 50, CPUs: 4, Memory: "4194305K",
	}
}

func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	want := expect.Must(os.ReadFile(path))
	if text != string(want) {
		t.Errorf("%s is another one (-update writes it):\n%s", name, text)
	}
}

func TestSlurmScript(t *testing.T) {
	golden(t, "small.sh", expect.Must(Slurm{}.script(small())))
	e := Slurm{Time: "30:00", Partition: "short", Account: "lab 7", Options: []string{"--qos=low", "--exclusive", `--comment=say "hi" \o/`}}
	golden(t, "awkward.sh", expect.Must(e.script(awkward("/w"))))
	for _, bad := range []Slurm{{Options: []string{"qos=low"}}, {Options: []string{"--qos=a\nrm -rf"}}, {Options: []string{"--a b"}}, {Account: "a\nb"}} {
		if text, err := bad.script(small()); err == nil {
			t.Errorf("%+v is taken:\n%s", bad, text)
		}
	}
	w := small()
	w.Study = `/home/ada/a\b`
	if _, err := e.script(w); err == nil {
		t.Error("a backslash in a log's path is taken")
	}
}

// programs makes a folder of shell scripts the only thing on PATH but for the
// system's own, and the working directory.
func programs(t *testing.T, scripts map[string]string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("Slurm runs on Linux alone, and its scripts use what bash and the system have there")
	}
	dir := t.TempDir()
	for name, text := range scripts {
		path := filepath.Join(dir, name)
		expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		expect.NoError(t, os.WriteFile(path, []byte("#!/bin/bash\n"+text+"\n"), 0o777))
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	t.Chdir(dir)
	return dir
}

// The script of an array, run by bash without a cluster: the arguments that the
// program gets, its one SIGTERM, and when the task is run again.
func TestSlurmTask(t *testing.T) {
	// Some versions of bash fail at a trap that a signal runs during a command substitution, so seq comes first.
	const program = `printf '<%s>' "$@" > args; printf '%s' "$SML_DATA" > data
steps=$(seq "$STEPS")
trap 'echo TERM >> told; [ "$SLOW" ] && sleep "$SLOW"; exit "$TERMINATED"' TERM
touch started
for i in $steps; do sleep 0.05; done
exit "$CODE"`
	dir := programs(t, map[string]string{
		"it's 100% $HOME/sml": program,
		"scontrol":            `echo "$*" >> asked; [ "$1" = show ] && echo "JobId=7 JobState=$STATE Reason=None"; exit 0`,
	})
	w := awkward(dir)
	script := expect.Must(Slurm{}.array(w))
	for _, c := range []struct {
		of       string
		env      string
		signals  int
		code     int
		requeued bool
	}{
		{"done", "STEPS=1 CODE=0", 0, 0, false},
		{"failed", "STEPS=1 CODE=1", 0, 1, false},
		{"cells failed", "STEPS=1 CODE=3", 0, 0, false},
		{"interrupted by nobody", "STEPS=1 CODE=130", 0, 130, false},
		{"at its limit", "STEPS=200 CODE=0 TERMINATED=130 STATE=RUNNING", 1, 0, true},
		{"told again and again", "STEPS=200 CODE=0 TERMINATED=130 STATE=RUNNING SLOW=0.5", 3, 0, true},
		{"done at the last moment", "STEPS=200 CODE=0 TERMINATED=0 STATE=RUNNING", 1, 0, false},
		{"cancelled", "STEPS=200 CODE=0 TERMINATED=130 STATE=COMPLETING", 1, 130, false},
		{"failed at its limit", "STEPS=200 CODE=0 TERMINATED=1 STATE=RUNNING", 1, 1, false},
		{"interrupted too often", "STEPS=200 CODE=0 TERMINATED=130 STATE=RUNNING SLURM_RESTART_COUNT=100", 1, 130, false},
	} {
		t.Run(c.of, func(t *testing.T) {
			for _, name := range []string{"args", "data", "told", "started", "asked"} {
				os.Remove(name)
			}
			job := exec.Command("bash", "-s")
			job.Stdin = strings.NewReader(script)
			job.Env = append(os.Environ(), strings.Fields("SLURM_JOB_ID=7 SLURM_ARRAY_JOB_ID=5 SLURM_ARRAY_TASK_ID=42 "+c.env)...)
			var said bytes.Buffer
			job.Stdout, job.Stderr = &said, &said
			expect.NoError(t, job.Start())
			// A signal is lost that reaches the program between fork and exec, so the program must
			// have started. That takes seconds on a busy machine.
			for deadline := time.Now().Add(time.Minute); !exists("started"); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("the program did not start within a minute")
				}
			}
			for range c.signals {
				job.Process.Signal(syscall.SIGTERM)
				time.Sleep(100 * time.Millisecond)
			}
			job.Wait()
			if code := job.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, &said)
			}
			want := fmt.Sprintf("<study><run><%s><--shard><42/1000><--out><%s/42><--jobs><4><--quiet><--retry-failed>", w.Study, w.ShardsDir)
			if got := read("args"); got != want {
				t.Errorf("the program got %s, want %s", got, want)
			}
			if got := read("data"); got != strings.TrimPrefix(w.Env[1], "SML_DATA=") {
				t.Errorf("SML_DATA is %q", got)
			}
			if got := strings.Count(read("told"), "TERM"); got != min(c.signals, 1) {
				t.Errorf("the program was told %d times", got)
			}
			if got := strings.Contains(read("asked"), "requeue 5_42"); got != c.requeued {
				t.Errorf("requeued: %v, want %v", got, c.requeued)
			}
		})
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

func TestSlurmMostTasks(t *testing.T) {
	programs(t, map[string]string{"scontrol": `cat config; exit "$(cat code)"`})
	for _, c := range []struct {
		config string
		want   int
	}{
		{"AccountingStorageHost   = x\nMaxArraySize            = 1001\nMaxJobCount = 10000\n", 1000},
		{"MaxArraySize = 4000001\n", study.MaxShards},
		{"MaxArraySize = 1\n", 0}, {"MaxArraySize = 0\n", 0}, {"MaxArraySize = many\n", 0}, {"", 0},
	} {
		os.WriteFile("config", []byte(c.config), 0o666)
		os.WriteFile("code", []byte("0"), 0o666)
		got, _, err := Slurm{}.maxTasks(context.Background())
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%q: %d, %v; want %d", c.config, got, err, c.want)
		}
	}
	os.WriteFile("code", []byte("1"), 0o666)
	if _, _, err := (Slurm{}).maxTasks(context.Background()); err == nil {
		t.Error("a controller that does not answer is taken for one that does")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := (Slurm{}).maxTasks(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if tasks, assumption, err := (Slurm{}).maxTasks(context.Background()); tasks != 1000 || assumption == "" || err != nil {
		t.Errorf("no scontrol: %d, %q, %v", tasks, assumption, err)
	}
}

func TestSlurmSubmit(t *testing.T) {
	dir := programs(t, map[string]string{"sbatch": `echo "$*" >> calls; cat > "script$(wc -l < calls)"
[ -e "refuse$(wc -l < calls)" ] && { echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy" >&2; exit 1; }
cat printed`})
	w := small()
	w.Study = filepath.Join(dir, "grid")
	for _, c := range []struct {
		printed, refuse string
		job             string
		wrong           string
	}{
		{"17\n", "", "17", ""},
		{"17;north\n", "", "17", ""},
		{"Submitted batch job\n", "", "", "want a job number"},
		{"17\n", "refuse1", "", "QOS policy"},
		{"17\n", "refuse2", "", `job 17 is submitted, but not the job that reports; end it with "scancel -n sml-grid-0123abcd": sbatch: `},
	} {
		for _, name := range []string{"calls", "refuse1", "refuse2"} {
			os.Remove(name)
		}
		os.WriteFile("printed", []byte(c.printed), 0o666)
		if c.refuse != "" {
			os.WriteFile(c.refuse, nil, 0o666)
		}
		s, err := Slurm{}.submit(context.Background(), w)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		want := Submission{
			Engine: SlurmName, Name: w.name, Job: c.job, Report: c.job, Tasks: 3,
			Watch:  "squeue -n sml-grid-0123abcd,sml-grid-0123abcd-report",
			Cancel: "scancel -n sml-grid-0123abcd-report; scancel -n sml-grid-0123abcd",
		}
		if err != nil || *s != want {
			t.Errorf("%+v: %+v, %v; want %+v", c, s, err, want)
		}
	}
	if got, want := read("calls"), "--parsable\n--parsable --dependency=afterany:17\n"; got != want {
		t.Errorf("sbatch was called with %q, want %q", got, want)
	}
	array, _ := Slurm{}.array(w)
	if got := read("script1"); got != array {
		t.Errorf("sbatch was given %s", got)
	}
	if !exists(filepath.Join(w.Study, "slurm")) {
		t.Error("there is no folder for what tasks print")
	}
}
