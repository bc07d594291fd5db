package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/evaluation/study"
	"sml/evaluation/study/cluster"
	"sml/internal/safefile"
)

// foreignFlags returns the flags that an engine does not have and another has, nil for an
// unknown engine.
func foreignFlags(engine string) []string {
	switch engine {
	case cluster.SlurmName:
		return []string{"image", "claim", "mount", "namespace"}
	case cluster.KubernetesName:
		return []string{"time", "partition", "account", "sbatch"}
	}
	return nil
}

func studySubmitCommand() *cli.Command {
	return &cli.Command{
		Name:      "submit",
		Usage:     "print the job that runs a study on a cluster, or submit it with --yes",
		UsageText: "sml study submit DIR [--engine slurm|kubernetes] [--yes] [options]",
		Description: "Without --yes the script or manifest is printed and nothing is submitted. Each task runs a share of\n" +
			"the cells, by \"sml study run DIR --shard i/n\"; the plan's estimates decide the shares. A task that was\n" +
			"interrupted continues when it is started again. On Slurm the study is an array job, followed by a job\n" +
			"that writes the report. See docs/cluster.md.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "engine", Value: cluster.SlurmName, Usage: "`NAME` of the scheduler: " + strings.Join(cluster.Names(), ", ")},
			&cli.BoolFlag{Name: "yes", Usage: "submit the job"},
			&cli.IntFlag{Name: "cpus-per-task", Value: 1, Usage: "run `N` cells of a task at the same time, each on one core"},
			&cli.StringFlag{Name: "mem", Usage: "`AMOUNT` of memory for each task, such as 4G", DefaultText: "the cluster's"},
			&cli.DurationFlag{Name: "task-length", Value: 10 * time.Minute, Usage: "approximate `TIME` that a task takes"},
			&cli.IntFlag{Name: "parallelism", Usage: "run at most `N` tasks at the same time", DefaultText: "no limit"},
			&cli.StringFlag{Name: "shares", Usage: "let each task write to its own folder in `DIR`, and join the folders at the end", DefaultText: "all tasks write to the study"},
			&cli.StringFlag{Name: "report", Usage: "Slurm: write the report into `DIR`", DefaultText: "the study's name followed by -report"},
			&cli.BoolFlag{Name: "retry-failed", Usage: "run failed cells again"},
			&cli.StringFlag{Name: "time", Usage: "Slurm: time `LIMIT` of a task in sbatch's format; a task that reaches it is requeued", DefaultText: "the partition's"},
			&cli.StringFlag{Name: "partition", Usage: "Slurm: `NAME` of the partition", DefaultText: "the cluster's"},
			&cli.StringFlag{Name: "account", Usage: "Slurm: `NAME` of the account", DefaultText: "the user's"},
			&cli.StringSliceFlag{Name: "sbatch", Usage: "Slurm: a further `OPTION` of sbatch, such as --sbatch=--qos=low; repeat the flag for several"},
			&cli.StringFlag{Name: "image", Usage: "Kubernetes: `NAME` of an image of this program"},
			&cli.StringFlag{Name: "claim", Usage: "Kubernetes: `NAME` of the PersistentVolumeClaim that has the study's folder"},
			&cli.StringFlag{Name: "mount", Value: "/work", Usage: "Kubernetes: `PATH` at which tasks see that volume, whose folder is the working directory here: the study is PATH/DIR"},
			&cli.StringFlag{Name: "namespace", Usage: "Kubernetes: `NAME` of the namespace", DefaultText: "kubectl's"},
			dataDirFlag(), jsonFlag(),
		},
		Action: onArgument("the study's directory", submitStudy),
	}
}

// submission is the result of "sml study submit" without --yes.
type submission struct {
	Study   string  `json:"study"`
	Tasks   int     `json:"tasks"`
	Seconds float64 `json:"estimated_task_seconds"`
	Script  string  `json:"script"`
}

func submitStudy(c *cli.Context, dir string) error {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	engine, work, err := chosenWork(c, dir)
	if err != nil {
		return err
	}
	if v := programVersion(); v != p.Version {
		return fmt.Errorf("%s was planned for version %s of the program, and this is %s: submit it with that one, or plan into another directory", dir, p.Version, v)
	}
	bundle, err := bundleCells(c, dir, p, engine)
	if err != nil {
		return err
	}
	work.Tasks, work.Plan, work.Name = bundle.Tasks(), p.Sum, cluster.JobName(dir, p.Sum)
	if c.Bool("yes") {
		return submitWork(c, dir, engine, work)
	}
	script, err := engine.Script(work)
	if err != nil {
		return err
	}
	if err := checkEnded(c, dir); err != nil && !cluster.IsMissing(err) {
		return err
	}
	takes := bundle.Takes(work.Tasks)
	return printResult(c, submission{dir, work.Tasks, takes.Seconds(), script}, func(w io.Writer) error {
		note(c, "%d cells left to run, tasks 1 to %d of about %v each; nothing is submitted without --yes", bundle.Cells, work.Tasks, takes.Round(time.Second))
		_, err := fmt.Fprint(w, script)
		return err
	})
}

// chosenWork returns the work and the cluster that flags describe.
func chosenWork(c *cli.Context, dir string) (cluster.Engine, cluster.Work, error) {
	var work cluster.Work
	name := c.String("engine")
	if err := checkChoice("engine", name, cluster.Names()...); err != nil {
		return nil, work, err
	}
	for _, f := range foreignFlags(name) {
		if c.IsSet(f) {
			return nil, work, usage("--%s is not for --engine %s", f, name)
		}
	}
	if err := checkRange(c, "cpus-per-task", study.Jobs); err != nil {
		return nil, work, err
	}
	work.CPUs, work.Parallel = c.Int("cpus-per-task"), c.Int("parallelism")
	if c.IsSet("parallelism") && work.Parallel < 1 {
		return nil, work, usage("--parallelism %d: want at least 1", work.Parallel)
	}
	if each := c.Duration("task-length"); each <= 0 {
		return nil, work, usage("--task-length %v: want more than nothing", each)
	}
	if text := c.String("mem"); c.IsSet("mem") {
		var err error
		if work.Memory, err = cluster.ParseBytes(text); err != nil {
			return nil, work, usage("--mem: %w", err)
		}
	}
	if c.Bool("retry-failed") {
		work.Flags = append(work.Flags, "--retry-failed")
	}
	// A large training may use several cores, and is to use those of its task.
	work.Env = []cluster.Variable{{Name: "GOMAXPROCS", Value: strconv.Itoa(work.CPUs)}}
	if name == cluster.KubernetesName {
		engine, err := chosenKubernetes(c, dir, &work)
		return engine, work, err
	}
	engine, err := chosenSlurm(c, dir, &work)
	return engine, work, err
}

// chosenSlurm returns the settings of Slurm, and completes the work: tasks see the same paths
// as this process.
func chosenSlurm(c *cli.Context, dir string, work *cluster.Work) (cluster.Engine, error) {
	e := cluster.Slurm{Time: c.String("time"), Partition: c.String("partition"), Account: c.String("account"), Options: c.StringSlice("sbatch")}
	if c.IsSet("time") {
		if _, err := cluster.ParseLimit(e.Time); err != nil {
			return nil, usage("--time: %w", err)
		}
	}
	for _, o := range e.Options {
		if err := cluster.CheckOption(o); err != nil {
			return nil, usage("--sbatch: %w", err)
		}
	}
	var err error
	if work.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	if work.Dir, err = os.Getwd(); err != nil {
		return nil, err
	}
	report := c.String("report")
	if report == "" {
		report = filepath.Clean(dir) + "-report"
	}
	for _, p := range []struct {
		path string
		to   *string
	}{{dir, &work.Study}, {c.String("shares"), &work.Shares}, {report, &work.Report}} {
		if p.path == "" {
			continue
		}
		if *p.to, err = filepath.Abs(safefile.Path(p.path)); err != nil {
			return nil, err
		}
	}
	data := c.String("data-dir")
	if data == "" {
		data = os.Getenv("SML_DATA")
	}
	if data != "" {
		if data, err = filepath.Abs(data); err != nil {
			return nil, err
		}
		work.Env = append(work.Env, cluster.Variable{Name: "SML_DATA", Value: data})
	}
	if cache, err := os.UserCacheDir(); err == nil {
		work.Env = append(work.Env, cluster.Variable{Name: "XDG_CACHE_HOME", Value: cache})
	}
	return e, nil
}

// chosenKubernetes returns the settings of Kubernetes, and completes the work: tasks see the
// volume, whose folder is the working directory here.
func chosenKubernetes(c *cli.Context, dir string, work *cluster.Work) (cluster.Engine, error) {
	e := cluster.Kubernetes{Namespace: c.String("namespace"), Image: c.String("image"), Claim: c.String("claim"), Mount: path.Clean(c.String("mount"))}
	switch {
	case e.Image == "":
		return nil, usage("--image is missing: name an image of this program, which the Dockerfile makes")
	case e.Claim == "":
		return nil, usage("--claim is missing: name the PersistentVolumeClaim that has the study's folder")
	case !path.IsAbs(e.Mount) || e.Mount == "/":
		return nil, usage("--mount %q: want an absolute path", c.String("mount"))
	case c.IsSet("report"):
		return nil, usage("--report is not for --engine %s: report when all tasks have ended", cluster.KubernetesName)
	}
	work.Program, work.Dir = "/sml", e.Mount
	var err error
	if work.Study, err = studyInVolume(dir, e.Mount); err != nil {
		return nil, err
	}
	if shares := c.String("shares"); shares != "" {
		if work.Shares, err = pathInTask(shares, e.Mount); err != nil {
			return nil, usage("--shares %w", err)
		}
	}
	if data := c.String("data-dir"); data != "" {
		if data, err = pathInTask(data, e.Mount); err != nil {
			return nil, usage("--data-dir %w", err)
		}
		work.Env = append(work.Env, cluster.Variable{Name: "SML_DATA", Value: data})
	}
	return e, nil
}

// studyInVolume returns the path at which tasks find the study in dir. The study lies below
// mount as it lies below the working directory. studyInVolume returns an error if dir is not
// below the working directory, or if dir is below mount on this machine, too, at another path:
// then either path could be right.
func studyInVolume(dir, mount string) (string, error) {
	here, err := realPath(".")
	if err != nil {
		return "", err
	}
	found, err := realPath(dir)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(here, found)
	if err != nil || !filepath.IsLocal(below) || below == "." {
		return "", usage("%s: it cannot be told where tasks find it: submit from the folder that they see as --mount %s, which has the study in it", dir, mount)
	}
	study := path.Join(mount, filepath.ToSlash(below))
	if same := filepath.ToSlash(found); strings.HasPrefix(same, mount+"/") && same != study {
		return "", usage("%s: it cannot be told whether tasks find it at %s or, as here, at %s: submit from %s, or choose another --mount", dir, study, same, mount)
	}
	return study, nil
}

// realPath returns the absolute path of an existing file without symbolic links.
func realPath(name string) (string, error) {
	name, err := filepath.Abs(safefile.Path(name))
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}

// pathInTask returns the path at which tasks see a file. An absolute name is returned as it
// is; a relative name lies below mount. pathInTask returns an error if the name leaves mount.
func pathInTask(name, mount string) (string, error) {
	name = filepath.ToSlash(name)
	if path.IsAbs(name) {
		return name, nil
	}
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q is outside of the volume: want a path below the working directory, which tasks see as %s, or an absolute path as they see it", name, mount)
	}
	return path.Join(mount, name), nil
}

// bundleCells returns how the remaining cells of a study are bundled into tasks.
func bundleCells(c *cli.Context, dir string, p *study.Plan, engine cluster.Engine) (cluster.Bundle, error) {
	s := study.Status(dir, p)
	left := s.Missing + s.Broken
	if c.Bool("retry-failed") {
		left += s.Failed
	}
	if left == 0 {
		return cluster.Bundle{}, fmt.Errorf("nothing of %s is left to run: report with \"sml study report %s --out OUT\"", dir, dir)
	}
	total := 0.0
	for _, cell := range p.Cells {
		total += cell.Cost
	}
	b := cluster.Bundle{
		Work: total * float64(left) / float64(s.Cells), Cells: left, CPUs: c.Int("cpus-per-task"), // shares are of all cells, so what is left of them is alike
		Each: c.Duration("task-length"), Most: study.MaxShards, Parallel: c.Int("parallelism"),
	}
	slurm, ok := engine.(cluster.Slurm)
	if !ok {
		return b, nil
	}
	var err error
	b.Most, err = slurm.MostTasks(c.Context)
	if cluster.IsMissing(err) && !c.Bool("yes") {
		b.Most, err = cluster.DefaultArray-1, nil
		note(c, "there is no Slurm here: its MaxArraySize is taken to be %d", cluster.DefaultArray)
	}
	return b, err
}

// checkEnded returns an error if an earlier submission has not ended.
func checkEnded(c *cli.Context, dir string) error {
	s, state, err := readSubmission(c, dir)
	switch {
	case s == nil:
		return err
	case err != nil:
		return fmt.Errorf("whether job %s, submitted before, still runs cannot be told: %w", s.Job, err)
	case state.Live():
		return fmt.Errorf("%s is submitted already: job %s of %s, %v; end it with \"sml study cancel %s\"", dir, s.Job, s.Submitted.Local().Format(time.DateTime), state, dir)
	}
	return nil
}

// submitWork submits work. Only one process does so at a time.
func submitWork(c *cli.Context, dir string, engine cluster.Engine, work cluster.Work) error {
	lock, err := safefile.Acquire(filepath.Join(dir, cluster.SubmissionFile+lockSuffix))
	if held := (*safefile.Held)(nil); errors.As(err, &held) {
		return fmt.Errorf("%s is being submitted by %s", dir, held.Holder)
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if lock != nil {
		defer lock.Release()
	}
	if err := checkEnded(c, dir); err != nil {
		return err
	}
	s, failure := engine.Submit(c.Context, work)
	if s == nil {
		return failure
	}
	if err := s.Write(dir); err != nil {
		return errors.Join(failure, fmt.Errorf("job %s is submitted, but that cannot be written down: %w", s.Job, err))
	}
	if failure != nil {
		return failure
	}
	return printResult(c, s, func(w io.Writer) error {
		fmt.Fprintf(w, "%s: job %s is submitted, tasks 1 to %d", dir, s.Job, s.Tasks)
		if s.Report != "" {
			fmt.Fprintf(w, ", and job %s, which reports into %s", s.Report, work.Report)
		}
		_, err := fmt.Fprintf(w, "; look with \"sml study status %s\"\n", dir)
		return err
	})
}
