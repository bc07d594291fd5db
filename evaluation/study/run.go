package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sml/data/safefile"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
)

// Progress is how far a run is. Work is measured by the plan's estimates of
// cost, in seconds on one core.
type Progress struct {
	Cells, Done, Failed int     // of the whole study
	Work, Worked        float64 // of this run
}

// Options are what results do not depend on.
type Options struct {
	Jobs        int            // cells at the same time, one goroutine each; default all cores
	RetryFailed bool           // run cells again that failed before
	FailFast    bool           // stop at the first cell that fails
	Machine     Machine        // for the log
	Progress    func(Progress) // never called by two goroutines at once
}

// Jobs is the range of Options.Jobs that are set. Each has the memory of a
// training; no machine has more cores.
var Jobs = models.Range{Min: 1, Max: 1024}

// Summary is what there is of a study.
type Summary struct {
	Cells    int      `json:"cells"`
	Done     int      `json:"done"`
	Failed   int      `json:"failed"`
	Missing  int      `json:"missing"`
	Broken   int      `json:"broken"`
	Failures []string `json:"failures"` // "cell: reason", in the plan's order
	Warnings []string `json:"warnings"` // "cell: what looks wrong about its training"
	Breaks   []string `json:"breaks"`   // what is wrong with broken files
}

// ErrFailFast is the error of a run that stopped because a cell failed.
var ErrFailFast = errors.New("stopped at the first cell that failed")

// Run runs what a study has not run yet, the longest cells first. A cell whose
// training fails or diverges is recorded with its reason. When ctx ends the
// error is ctx's; everything finished until then stays.
func Run(ctx context.Context, dir string, p *Plan, version string, read Reader, o Options) (Summary, error) {
	if version != p.Version {
		return Summary{}, fmt.Errorf("%s was planned for version %s of the program, and this is %s: their results are not mixed; plan into another directory", dir, p.Version, version)
	}
	if o.Jobs == 0 {
		o.Jobs = min(runtime.GOMAXPROCS(0), int(Jobs.Max))
	}
	if err := Jobs.Check("the number of jobs", o.Jobs); err != nil {
		return Summary{}, err
	}
	r := &run{dir: dir, plan: p, options: o, tables: make(map[string]*experiment.Table)}
	if err := r.open(ctx, read); err != nil {
		return Summary{}, err
	}
	defer r.log.Close()
	defer graph.Yield()() // cells build graphs
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(o.Jobs)
	workers := make(chan int, o.Jobs) // that are free
	for i := range o.Jobs {
		workers <- i
	}
	for _, j := range r.jobs {
		group.Go(func() error {
			if err := running.Err(); err != nil {
				return err
			}
			j.worker = <-workers
			defer func() { workers <- j.worker }()
			return r.do(running, j)
		})
	}
	err := cmp.Or(group.Wait(), ctx.Err())
	return Status(dir, p), err
}

type run struct {
	dir     string
	plan    *Plan
	options Options
	jobs    []job
	tables  map[string]*experiment.Table // by what they are called
	log     *os.File

	lock     sync.Mutex
	progress Progress
}

// job is a cell, and that of a single network which is the first member of its
// ensemble.
type job struct {
	cell   Planned
	member *Planned
	worker int
}

// open finds out what is to be done and reads the tables for it.
func (r *run) open(ctx context.Context, read Reader) error {
	var todo []Planned
	for _, c := range r.plan.Cells {
		_, state, _ := load(r.dir, r.plan.Version, c) // what is broken is run again
		if state == Done || state == Failed && !r.options.RetryFailed {
			r.progress.Done++
			if state == Failed {
				r.progress.Failed++
			}
			continue
		}
		if err := r.place(c); err != nil {
			return err
		}
		todo = append(todo, c)
	}
	r.progress.Cells = len(r.plan.Cells)
	r.jobs = pair(todo)
	slices.SortStableFunc(r.jobs, func(a, b job) int { return cmp.Compare(b.cell.Cost, a.cell.Cost) })
	for _, j := range r.jobs {
		r.progress.Work += j.cell.Cost
		name, planned := j.cell.Dataset(), j.cell.Source()
		if r.tables[name] != nil {
			continue
		}
		source := planned
		source.Checksum = "" // it is looked at here
		t, err := read(ctx, source, j.cell.Training.Protocol)
		if err != nil {
			return err
		}
		if changed, err := planned.Changed(ctx, t); err != nil {
			return err
		} else if changed != "" {
			return fmt.Errorf("%s has changed since the study was planned: plan into another directory", changed)
		}
		r.tables[name] = experiment.Share(t)
	}
	for _, folder := range []string{cellsDir, predictionsDir} {
		path := filepath.Join(r.dir, folder)
		if err := os.MkdirAll(path, 0o777); err != nil {
			return err
		}
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a symbolic link: a study writes its own files only", path)
		}
	}
	var err error
	r.log, err = openLog(r.dir)
	return err
}

// place makes sure, before hours are spent on it, that no directory is where a
// file of a cell would go.
func (r *run) place(c Planned) error {
	paths := []string{cellPath(r.dir, c.Name)}
	for _, suffix := range suffixes {
		paths = append(paths, filepath.Join(r.dir, predictionsDir, c.Name+"."+suffix))
	}
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory, and a file of the study would go there: move it away", path)
		}
	}
	return nil
}

// pair makes jobs of cells.
func pair(cells []Planned) []job {
	key := func(c Cell, method string) string {
		c.Label, c.Spec.Method, c.Training.Members = "", method, 0
		return c.hash()
	}
	members := make(map[string]*Planned) // by what they would be called as an ensemble
	for i, c := range cells {
		if c.Training.Members == 1 && c.Training.Calibrate == 0 { // what calibrates a network is not what calibrates several
			members[key(c.Cell, c.Spec.Method)] = &cells[i]
		}
	}
	joined := make(map[string]bool)
	var jobs []job
	for _, c := range cells {
		m, err := models.Lookup(c.Spec.Method)
		if err != nil || m.Member == "" || c.Training.Members < 2 {
			continue
		}
		if single := members[key(c.Cell, m.Member)]; single != nil && !joined[single.Name] {
			joined[single.Name] = true
			joined[c.Name] = true
			jobs = append(jobs, job{cell: c, member: single})
		}
	}
	for _, c := range cells {
		if !joined[c.Name] {
			jobs = append(jobs, job{cell: c})
		}
	}
	return jobs
}

// do runs a job and saves its results.
func (r *run) do(ctx context.Context, j job) error {
	start := time.Now()
	told := 0.0
	tell := func(share float64) {
		r.lock.Lock()
		defer r.lock.Unlock()
		r.progress.Worked += float64((share - told) * j.cell.Cost)
		told = share
		r.report()
	}
	table := r.tables[j.cell.Dataset()]
	t, err := j.cell.train(ctx, table, tell)
	if err := r.finish(ctx, j.cell, t, err, start, j.worker); err != nil {
		return err
	}
	if j.member != nil {
		start = time.Now()
		var single *experiment.Trained
		if t != nil {
			single = only(t, j.member.Spec)
		} else {
			single, err = j.member.train(ctx, table, func(float64) {})
		}
		if err := r.finish(ctx, *j.member, single, err, start, j.worker); err != nil {
			return err
		}
	}
	tell(1)
	return nil
}

// finish judges a cell and saves its result, or the reason why it has none. It is
// an error, and nothing is saved, if all that failed is that the study was stopped.
func (r *run) finish(ctx context.Context, c Planned, t *experiment.Trained, failure error, start time.Time, worker int) error {
	var result Result
	var files map[string][]byte
	if failure == nil {
		result, files, failure = c.judge(ctx, t)
	}
	if failure != nil {
		if interrupted(failure) {
			return cmp.Or(ctx.Err(), failure)
		}
		reason := failure.Error()
		if len(reason) > maxReason {
			reason = strings.ToValidUTF8(reason[:maxReason], "") + " …"
		}
		result, files = Result{Failed: reason}, nil
	}
	for suffix, content := range files {
		name := c.Name + "." + suffix
		if err := safefile.Replace(filepath.Join(r.dir, predictionsDir, name), safefile.Content(content)); err != nil {
			return err
		}
		if result.Files == nil {
			result.Files = make(map[string]string)
		}
		result.Files[name] = safefile.Sum(content)
	}
	if err := save(r.dir, r.plan.Version, c, result); err != nil {
		return err
	}
	line, err := json.Marshal(entry{
		Time: time.Now().UTC(), Cell: c.Name, Process: os.Getpid(), Worker: worker,
		Seconds: time.Since(start).Seconds(), Failed: result.Failed, Machine: r.options.Machine,
	})
	if err != nil {
		return err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.progress.Done++
	if result.Failed != "" {
		r.progress.Failed++
	}
	r.report()
	if _, err := r.log.Write(append(line, '\n')); err != nil {
		return err
	}
	if result.Failed != "" && r.options.FailFast {
		return fmt.Errorf("%w: %s: %s", ErrFailFast, c.Name, result.Failed)
	}
	return nil
}

// report tells the progress. The lock is held.
func (r *run) report() {
	if r.options.Progress != nil {
		r.options.Progress(r.progress)
	}
}

// Status counts what there is of a study.
func Status(dir string, p *Plan) Summary {
	s := noCells()
	for _, c := range p.Cells {
		s.load(dir, p, c)
	}
	return s
}

func noCells() Summary {
	return Summary{Failures: []string{}, Warnings: []string{}, Breaks: []string{}}
}

// load loads a cell and counts it.
func (s *Summary) load(dir string, p *Plan, c Planned) (Result, State) {
	result, state, err := load(dir, p.Version, c)
	s.Cells++
	switch state {
	case Done:
		s.Done++
		for _, w := range result.Warnings {
			s.Warnings = append(s.Warnings, c.Name+": "+w)
		}
	case Missing:
		s.Missing++
	case Broken:
		s.Broken++
		s.Breaks = append(s.Breaks, err.Error())
	case Failed:
		s.Failed++
		s.Failures = append(s.Failures, c.Name+": "+result.Failed)
	}
	return result, state
}
