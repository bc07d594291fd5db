package study

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/models"
)

// Progress is the progress of a run.
type Progress struct {
	Cells  int // number of cells of the study or shard
	Done   int // number of cells with a result, failed cells included
	Failed int // number of failed cells

	// Work is the plan's estimated cost of the cells that this run found unfinished, in seconds on one core, and Worked
	// the completed part of it.
	Work, Worked float64
}

// Options control how a study is run. They do not change a result.
type Options struct {
	Jobs        int            // number of cells that run at the same time; default all cores
	RetryFailed bool           // run failed cells again
	Shard       Shard          // cells to run; default all of the study
	Machine     Machine        // description of this machine, for the log
	Warn        func(string)   // called with problems that do not stop the run; may be nil
	Progress    func(Progress) // called by one goroutine at a time; may be nil

	// Predicted is called with the model of each cell that this run trains and its predictions of the test rows,
	// calibrated if the model is. Several goroutines may call it at the same time. An error is the cell's failure. It
	// may be nil.
	Predicted func(PlannedCell, *experiment.Trained, *evaluation.Predictions) error
}

// Jobs is the range of Options.Jobs. Each job needs the memory of a training, and no machine
// has more cores than the maximum.
var Jobs = models.Range{Min: 1, Max: 1024}

// Run runs the unfinished cells of a study, or of the shard in the options, the most
// expensive first, and returns the summary of the study or shard.
//
// Several runs may use one directory at the same time: on file systems with locks each cell
// is claimed and run by a single run, and every run ends when all its cells have ended.
// A cell whose training fails or diverges is recorded with the reason. When ctx ends, Run
// returns ctx's error; finished cells stay, and trainings in progress leave checkpoints from
// which the next run continues.
func Run(ctx context.Context, dir string, p *Plan, version string, read Reader, o Options) (Summary, error) {
	if version != p.Version {
		return Summary{}, fmt.Errorf("%s was planned for version %s of the program, and this is version %s, whose results may differ; plan into another directory", dir, p.Version, version)
	}
	if o.Jobs == 0 {
		o.Jobs = min(runtime.GOMAXPROCS(0), int(Jobs.Max))
	}
	if err := cmp.Or(Jobs.Check("the number of jobs", o.Jobs), o.Shard.check()); err != nil {
		return Summary{}, err
	}
	r := &run{
		dir:     dir,
		plan:    p,
		options: o,
		cells:   p.shardCells(o.Shard),
		tables:  make(map[string]*experiment.Table),
	}
	if err := r.prepare(ctx, read); err != nil {
		return Summary{}, err
	}
	defer r.log.Close()
	defer r.removeLeftovers()
	workers, workerCtx := errgroup.WithContext(ctx) // the first error of a worker ends workerCtx
	for worker := range o.Jobs {
		workers.Go(func() error { return r.work(workerCtx, worker) })
	}
	err := cmp.Or(workers.Wait(), ctx.Err())
	return summarize(dir, p, r.cells), err
}

// prepare queues the unfinished cells, reads their tables, makes the study's folders and opens the log.
func (r *run) prepare(ctx context.Context, read Reader) error {
	if err := r.fillQueue(); err != nil {
		return err
	}
	for _, c := range r.queue {
		r.progress.Work += c.Cost
		if err := r.readTable(ctx, read, c.Cell); err != nil {
			return err
		}
	}
	for _, folder := range []string{cellsDir, predictionsDir, claimsDir, checkpointsDir} {
		if err := makeFolder(r.dir, filepath.Join(r.dir, folder)); err != nil {
			return err
		}
	}
	var err error
	r.log, err = openLog(r.dir, r.options.Shard)
	return err
}

// fillQueue queues the cells that this run has to run, the most expensive first: if they were last, one worker
// could run long after the others. A cell with a broken file is run again.
func (r *run) fillQueue() error {
	r.progress.Cells = len(r.cells)
	for c, o := range loadCells(r.dir, r.plan, r.cells) {
		if r.isFinal(o.State) {
			r.countFinished(o.State)
			continue
		}
		if err := r.checkNoDirectories(c); err != nil {
			return err
		}
		r.queue = append(r.queue, queuedCell{PlannedCell: c})
	}
	slices.SortStableFunc(r.queue, func(a, b queuedCell) int { return cmp.Compare(b.Cost, a.Cost) })
	return nil
}

// checkNoDirectories returns an error if a directory is in the place of a file that the cell
// will write. Writing would fail, too, but only after hours of training.
func (r *run) checkNoDirectories(c PlannedCell) error {
	paths := []string{r.plan.cellPath(r.dir, c.Name)}
	for _, suffix := range predictionFileSuffixes {
		paths = append(paths, r.plan.predictionPath(r.dir, c.Name, suffix))
	}
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory in the place of a file of the study; move it away", path)
		}
	}
	return nil
}

// readTable reads the table of a cell into r.tables unless another cell has read it. It returns an error if the
// table has changed since the study was planned.
func (r *run) readTable(ctx context.Context, read Reader, c Cell) error {
	name := c.datasetName()
	if r.tables[name] != nil {
		return nil
	}
	planned := c.Source()
	source := planned
	source.Checksum = "" // read would compare it, too, but with a message that does not name the study
	t, err := read(ctx, source, c.Training.Protocol)
	if err != nil {
		return err
	}
	changed, err := planned.ChangedFile(ctx, t)
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("%s has changed since the study was planned: plan into another directory", changed)
	}
	r.tables[name] = experiment.NewTable(t)
	return nil
}

// removeLeftovers removes unfinished files of killed processes, claims of killed runs, checkpoints of
// finished cells, and empty folders. It ignores errors: a file that stays does no harm.
func (r *run) removeLeftovers() {
	safefile.RemoveLeftovers(r.dir)
	r.removeClaims()
	r.removeCheckpoints()
}

// removeClaims removes the claims that no run holds, and their folder if it is then empty.
func (r *run) removeClaims() {
	folder := filepath.Join(r.dir, claimsDir)
	for _, name := range fileNames(folder) {
		claim, err := safefile.Acquire(filepath.Join(folder, name)) // fails if another run holds the claim
		if err == nil {
			claim.Release() // removes the file
		}
	}
	os.Remove(folder) // fails unless the folder is empty
}

// removeCheckpoints removes the checkpoints of this run's finished cells, and their folder if it is then empty.
func (r *run) removeCheckpoints() {
	folder := filepath.Join(r.dir, checkpointsDir)
	hasCheckpoint := make(map[string]bool) // by name of the cell
	for _, name := range fileNames(folder) {
		hasCheckpoint[name] = true
	}
	for _, c := range r.cells {
		if hasCheckpoint[c.Name] && isDone(r.dir, r.plan, c) {
			removeCheckpoint(r.dir, c)
		}
	}
	os.Remove(folder) // fails unless the folder is empty
}

// fileNames returns the names of the files in a directory, or nil if it cannot be read.
func fileNames(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
