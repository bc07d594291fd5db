//go:build slurm

package cmd

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sml/internal/expect"
)

// slurm is a Slurm of this host, of two nodes with a core each, and a program whose
// studies it runs.
type slurm struct {
	t       *testing.T
	folder  string // of the Slurm
	dir     string // of studies
	program string
}

func newSlurm(t *testing.T) slurm {
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: no study runs on a Slurm, as there is no %s: install slurm-wlm and munge", program)
		}
	}
	folder := expect.Must(os.MkdirTemp("", "slurm")) // t.TempDir's name is too long for a socket
	t.Cleanup(func() { os.RemoveAll(folder) })
	s := slurm{t, folder, t.TempDir(), built(t)}
	s.call("../bench/slurm/up", folder)
	t.Cleanup(func() {
		if out, err := exec.Command("../bench/slurm/down", folder).CombinedOutput(); err != nil {
			t.Errorf("bench/slurm/down: %v\n%s", err, out)
		}
	})
	t.Setenv("SLURM_CONF", filepath.Join(folder, "slurm.conf"))
	return s
}

func (s slurm) call(program string, args ...string) string {
	s.t.Helper()
	c := exec.Command(program, args...)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	if err := c.Run(); err != nil {
		s.t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, &out, &errOut)
	}
	return out.String()
}

// plan plans a study twice: to be run here, and by Slurm. Its cost is the estimate.
func (s slurm) plan(flags ...string) (whole, dir string, cost float64) {
	s.t.Helper()
	whole, dir = filepath.Join(s.dir, "whole"), filepath.Join(s.dir, "an array's")
	var planned struct {
		Cost float64 `json:"estimated_core_seconds"`
	}
	for _, dir := range []string{whole, dir} {
		out := s.call(s.program, slices.Concat([]string{"study", "plan", dir, "--preset", "quick", "--datasets", "friedman", "--json"}, flags)...)
		if err := json.Unmarshal([]byte(out), &planned); err != nil {
			s.t.Fatal(err)
		}
	}
	return whole, dir, planned.Cost
}

// arrayStatus counts the cells of a study and the tasks of its array job.
type arrayStatus struct {
	Done, Failed, Missing, Broken int
	tasks                         map[string]int // number of tasks in each of squeue's states
	report                        string         // state of the job that reports, "" if there is none
}

// submission has the jobs of a study that was submitted.
type submission struct{ Name, Job, Report, Watch, Cancel string }

// submit submits a study.
func (s slurm) submit(args ...string) (jobs submission) {
	s.t.Helper()
	out := s.call(s.program, slices.Concat([]string{"study", "submit", "--yes", "--json"}, args)...)
	if err := json.Unmarshal([]byte(out), &jobs); err != nil {
		s.t.Fatal(err)
	}
	return jobs
}

// status asks the program for the cells, and Slurm for the tasks.
func (s slurm) status(dir string, jobs submission) arrayStatus {
	s.t.Helper()
	now := arrayStatus{tasks: map[string]int{}}
	lines := s.call("squeue", "--noheader", "--array", "--states=all", "--jobs="+jobs.Job+","+jobs.Report, "--format=%A %F %T")
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line) // number of the task's job, number of the array job, state
		if len(fields) != 3 {
			s.t.Fatalf("squeue printed %q", line)
		}
		if fields[1] == jobs.Report {
			now.report = fields[2]
			continue
		}
		now.tasks[fields[2]]++
	}
	if err := json.Unmarshal([]byte(s.call(s.program, "study", "status", dir, "--json")), &now); err != nil {
		s.t.Fatal(err)
	}
	return now
}

// until waits for a state of a study's jobs.
func (s slurm) until(dir string, jobs submission, what string, is func(arrayStatus) bool) arrayStatus {
	s.t.Helper()
	const most = 20 * time.Minute
	var now arrayStatus
	for start := time.Now(); time.Since(start) < most; time.Sleep(100 * time.Millisecond) {
		if now = s.status(dir, jobs); is(now) {
			return now
		}
	}
	logs, _ := filepath.Glob(filepath.Join(dir, "slurm", "*"))
	for _, path := range logs {
		text, _ := os.ReadFile(path)
		s.t.Logf("%s: %s", filepath.Base(path), text)
	}
	s.t.Fatalf("%v have passed, and not %s: %+v\n%s", most, what, now, s.call("squeue", "--array", "--states=all"))
	return now
}

// endStates are the states of squeue in which a task stays.
var endStates = []string{"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"}

// ended reports whether all tasks and the job that reports have ended.
func ended(now arrayStatus) bool {
	for state := range now.tasks {
		if !slices.Contains(endStates, state) {
			return false
		}
	}
	return now.report == "" || slices.Contains(endStates, now.report)
}

// twoRun reports whether two tasks run.
func twoRun(now arrayStatus) bool { return now.tasks["RUNNING"] == 2 }

// processes lists those of a node's tasks that run a program.
func (s slurm) processes(node, program string) (list []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		env = append([]byte{0}, env...)
		name, _ := os.Readlink(filepath.Join(dir, "exe"))
		if bytes.Contains(env, []byte("\x00SLURM_CONF="+filepath.Join(s.folder, "slurm.conf")+"\x00")) &&
			bytes.Contains(env, []byte("\x00SLURMD_NODENAME="+node+"\x00")) && filepath.Base(name) == program {
			id, _ := strconv.Atoi(filepath.Base(dir))
			list = append(list, id)
		}
	}
	return list
}

// kill kills processes of a node, after waiting for one of them.
func (s slurm) kill(node, program string) {
	s.t.Helper()
	for range 600 {
		if found := s.processes(node, program); len(found) > 0 {
			for _, id := range found {
				syscall.Kill(id, syscall.SIGKILL)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("nothing of %s runs on %s:\n%s", program, node, s.call("squeue", "--array", "--states=all"))
}

// crash ends a node as a power cut would: its daemon, what watches its tasks, and these.
func (s slurm) crash(node string) {
	s.t.Helper()
	path := filepath.Join(s.folder, "slurmd."+node+".pid")
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	daemon, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		s.t.Fatal(err)
	}
	syscall.Kill(daemon, syscall.SIGKILL)
	for _, shell := range s.processes(node, "bash") {
		stat, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(shell), "stat"))
		_, after, _ := strings.Cut(string(stat), ") ") // behind the name: state, parent
		if fields := strings.Fields(after); len(fields) > 1 {
			if watcher, _ := strconv.Atoi(fields[1]); watcher > 1 {
				name, _ := os.ReadFile(filepath.Join("/proc", fields[1], "comm"))
				if strings.HasPrefix(string(name), "slurmstepd") {
					syscall.Kill(watcher, syscall.SIGKILL)
				}
			}
		}
	}
	for _, program := range []string{"bash", filepath.Base(s.program)} {
		for _, id := range s.processes(node, program) {
			syscall.Kill(id, syscall.SIGKILL)
		}
	}
	os.Remove(path)
}

// same compares what was run by Slurm, and its report, with what was run here.
func (s slurm) same(whole, dir string) {
	s.t.Helper()
	s.call(s.program, "study", "run", whole, "--quiet")
	s.call(s.program, "study", "report", whole, "--out", whole+"-report", "--quiet")
	want, got := studyFiles(s.t, whole), studyFiles(s.t, dir)
	for name, text := range studyFiles(s.t, whole+"-report") {
		want["report/"+name] = text
	}
	for name, text := range studyFiles(s.t, dir+"-report") {
		got["report/"+name] = text
	}
	maps.DeleteFunc(got, func(name string, _ []byte) bool {
		return strings.HasPrefix(name, "slurm"+string(filepath.Separator))
	})
	for _, files := range []map[string][]byte{want, got} { // say when and where, and hash what says so
		delete(files, "report/report.html")
		delete(files, "report/sml-manifest.json")
	}
	if len(want) < 20 {
		s.t.Errorf("only %d files are compared", len(want))
	}
	checkFiles(s.t, want, got)
}

// A study that Slurm runs, some of whose tasks are killed, one whose node crashes, and that
// is submitted again, has the bytes of one that is run here.
func TestSlurmKilled(t *testing.T) {
	s := newSlurm(t)
	whole, dir, cost := s.plan("--methods", "mc,sml,pu,pu-de", "--splits", "random,pca", "--epochs", killedEpochs, "--save-predictions", "csv")
	length := time.Duration(cost / 7.5 * float64(time.Second))
	submit := []string{dir, "--task-length", length.String(), "--mem", "100M"}
	jobs := s.submit(submit...)
	name := filepath.Base(s.program)
	s.until(dir, jobs, "two tasks running", twoRun)
	s.kill("sml1", name)
	s.crash("sml2")
	s.until(dir, jobs, "the killed task failed", func(now arrayStatus) bool { return now.tasks["FAILED"] == 1 })
	s.kill("sml1", name)
	s.until(dir, jobs, "a task of the crashed node waiting", func(now arrayStatus) bool {
		return strings.Contains(s.call("sinfo", "--noheader", "--Node", "--format=%N %T"), "sml2 down")
	})
	s.call("slurmd", "-N", "sml2")
	now := s.until(dir, jobs, "all tasks ended", ended)
	if now.tasks["FAILED"] < 2 || now.tasks["COMPLETED"] == 0 || now.report != "COMPLETED" {
		t.Errorf("two tasks were killed, and there are %+v", now)
	}
	if now.Missing == 0 {
		t.Error("two tasks were killed, and nothing is missing")
	}
	restarts := s.call("scontrol", "show", "job", "--oneliner", jobs.Job)
	if !strings.Contains(restarts, "Restarts=1") {
		t.Errorf("no task of the crashed node was started again:\n%s", restarts)
	}
	jobs = s.submit(submit...)
	if now = s.until(dir, jobs, "all ended", ended); now.Missing+now.Broken+now.Failed > 0 {
		t.Errorf("not all cells are there: %+v", now)
	}
	s.same(whole, dir)
}

// killedEpochs is a number of epochs with which a task takes seconds, so that it still runs when it is killed. A start of the
// program takes too little of them to matter.
const killedEpochs = "2000"

// A task that comes to its time limit keeps what it has trained and goes on in another
// run, to the same bytes, also where tasks write to folders of their own.
func TestSlurmTimeLimit(t *testing.T) {
	s := newSlurm(t)
	whole, dir, _ := s.plan("--methods", "mc,sml", "--splits", "random", "--fold", "0", "--epochs", timeLimitEpochs)
	jobs := s.submit(dir, "--time", "2", "--task-length", "9999h", "--shards", filepath.Join(s.dir, "own"))
	here := exec.Command(s.program, "study", "run", whole, "--quiet") // meanwhile
	expect.NoError(t, here.Start())
	defer here.Process.Kill()
	kept := false
	now := s.until(dir, jobs, "all ended", func(now arrayStatus) bool {
		if found, _ := filepath.Glob(filepath.Join(s.dir, "own", "1", "checkpoints", "*")); len(found) > 0 {
			kept = true
		}
		return ended(now)
	})
	if now.tasks["COMPLETED"] != 1 || now.report != "COMPLETED" || now.Missing > 0 {
		t.Errorf("it ended as %+v", now)
	}
	restarts := s.call("scontrol", "show", "job", "--oneliner", jobs.Job)
	if strings.Contains(restarts, "Restarts=0") {
		t.Errorf("the task ended within its time limit: give it more epochs:\n%s", restarts)
	}
	if !kept {
		t.Error("the interrupted training left no checkpoint")
	}
	if err := here.Wait(); err != nil {
		t.Error(err)
	}
	s.same(whole, dir)
}

// timeLimitEpochs is a number of epochs that takes longer than a minute on any machine: a fast
// core trains 100,000 epochs of both methods in 35 seconds, a slow one in two minutes. The
// signal comes within the first of the two minutes of the time limit.
const timeLimitEpochs = "250000"

// What was cancelled is not requeued, and what it computed stays.
func TestSlurmCancel(t *testing.T) {
	s := newSlurm(t)
	_, dir, cost := s.plan("--methods", "mc,sml", "--splits", "random", "--epochs", timeLimitEpochs)
	jobs := s.submit(dir, "--task-length", time.Duration(cost/4*float64(time.Second)).String())
	s.until(dir, jobs, "two tasks running", twoRun)
	time.Sleep(time.Second) // so that they train
	s.call("sh", "-c", jobs.Watch)
	s.call("sh", "-c", jobs.Cancel)
	now := s.until(dir, jobs, "all ended", ended)
	if len(now.tasks) != 1 || now.tasks["CANCELLED"] == 0 || now.report != "CANCELLED" {
		t.Errorf("it ended as %+v", now)
	}
	s.until(dir, jobs, "its processes gone", func(arrayStatus) bool {
		name := filepath.Base(s.program)
		return len(s.processes("sml1", name))+len(s.processes("sml2", name)) == 0
	})
	if now := s.status(dir, jobs); !ended(now) {
		t.Errorf("cancelled, it lives: %+v", now)
	}
}
