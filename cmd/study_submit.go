package cmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/cluster"
	"sml/evaluation/study"
	"sml/internal/safefile"
)

// otherEngineFlags returns the names of the flags that only the other engine has, and that are therefore
// mistakes with engine.
func otherEngineFlags(engine string) []string {
	if engine == cluster.SlurmName {
		return []string{"image", "claim", "mount", "namespace"}
	}
	return []string{"time", "partition", "account", "sbatch"}
}

// studySubmitCommand returns the command "sml study submit".
func studySubmitCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "submit",
		Usage:     "print the job that runs a study on a cluster, or submit it with --yes",
		UsageText: "sml study submit DIR [--engine slurm|kubernetes] [--yes] [options]",
		Description: "Without --yes the script or manifest is printed and nothing is submitted. Each task runs a shard of\n" +
			"the cells, by \"sml study run DIR --shard i/n\"; the plan's estimates balance the shards. A task that was\n" +
			"interrupted continues when it is started again. On Slurm the study is an array job, followed by a job\n" +
			"that writes the report. See docs/howto/clusters.md.",
		Action: argumentAction("the study's directory", submitStudy),
	}, []string{
		"sml study submit comparison --cpus-per-task 4 --time 2:00:00",
		"sml study submit comparison --engine kubernetes --image registry.example/sml --claim studies",
	}, optionGroup{"Job", []cli.Flag{
		choiceFlag("engine", "submit to `"+cluster.SlurmName+"|"+cluster.KubernetesName+"`", cluster.SlurmName, cluster.KubernetesName),
		&cli.BoolFlag{Name: "yes", Usage: "submit the job"},
		inRange(&cli.IntFlag{Name: "cpus-per-task", Value: 1, Usage: "run this `NUMBER` of cells of a task at the same time, each on one core"}, study.Jobs),
		&cli.StringFlag{Name: "mem", Usage: "request this `AMOUNT` of memory for each task, such as 4G", DefaultText: "the cluster's"},
		&cli.DurationFlag{Name: "task-length", Value: 10 * time.Minute, Usage: "form tasks that take about this `TIME`"},
		&cli.IntFlag{Name: "parallelism", Usage: "run at most this `NUMBER` of tasks at the same time", DefaultText: "no limit"},
		&cli.StringFlag{Name: "shards", Usage: "let each task write to its own folder in `DIR`, and join the folders at the end", DefaultText: "all tasks write to the study"},
		&cli.BoolFlag{Name: "retry-failed", Usage: "run failed cells again"},
		dataDirFlag(), jsonFlag(),
	}}, optionGroup{"Slurm", []cli.Flag{
		&cli.StringFlag{Name: "report", Usage: "write the report into `DIR`", DefaultText: "the study's name followed by -report"},
		&cli.StringFlag{Name: "time", Usage: "stop and requeue a task after this time `LIMIT`, in sbatch's format", DefaultText: "the partition's"},
		&cli.StringFlag{Name: "partition", Usage: "use the partition `NAME`", DefaultText: "the cluster's"},
		&cli.StringFlag{Name: "account", Usage: "charge the account `NAME`", DefaultText: "the user's"},
		&cli.StringSliceFlag{Name: "sbatch", Usage: "pass a further `OPTION` to sbatch, such as --sbatch=--qos=low; repeat the flag for several"},
	}}, optionGroup{"Kubernetes", []cli.Flag{
		&cli.StringFlag{Name: "image", Usage: "run the image `NAME`, which contains this program"},
		&cli.StringFlag{Name: "claim", Usage: "use the PersistentVolumeClaim `NAME`, which has the study's folder"},
		&cli.StringFlag{Name: "mount", Value: "/work", Usage: "mount that volume at `PATH`; its folder is the working directory here, and the study is PATH/DIR"},
		&cli.StringFlag{Name: "namespace", Usage: "create the job in the namespace `NAME`", DefaultText: "kubectl's"},
	}})
}

// submitDraft is the result of "sml study submit" without --yes.
type submitDraft struct {
	Study   string  `json:"study"` // the study's directory
	Tasks   int     `json:"tasks"` // number of tasks
	Seconds float64 `json:"estimated_task_seconds"`
	Script  string  `json:"script"` // sbatch script or Kubernetes manifest
}

// submitStudy prints the job that runs the study in dir on a cluster. With --yes it submits the job.
func submitStudy(c *cli.Context, dir string) error {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	work, err := chosenWork(c, dir)
	if err != nil {
		return err
	}
	if v := programVersion(); v != p.Version {
		return fmt.Errorf("%s was planned by version %s of the program, and this is version %s: submit it with that version, or plan into another directory", dir, p.Version, v)
	}
	job, err := cluster.Draft(c.Context, dir, p, work)
	if err != nil {
		return err
	}
	if c.Bool("yes") {
		return submitJob(c, dir, job, work.Report)
	}
	return printDraft(c, dir, job)
}

// printDraft prints the job that would run the remaining cells of the study in dir.
func printDraft(c *cli.Context, dir string, job *cluster.Job) error {
	if job.Assumption != "" {
		note(c, "%s", job.Assumption)
	}
	draft := submitDraft{
		Study:   dir,
		Tasks:   job.Tasks,
		Seconds: job.TaskLength.Seconds(),
		Script:  job.Script,
	}
	return printResult(c, draft, func(w io.Writer) {
		note(c, "%d cells left to run, tasks 1 to %d of about %v each; nothing is submitted without --yes", job.Cells, job.Tasks, job.TaskLength.Round(time.Second))
		fmt.Fprint(w, job.Script)
	})
}

// submitJob submits the job of the study in dir, which reports into reportDir, and prints the commands
// that show its state and end it.
func submitJob(c *cli.Context, dir string, job *cluster.Job, reportDir string) error {
	s, err := job.Submit(c.Context)
	if err != nil {
		return err
	}
	return printResult(c, s, func(w io.Writer) {
		fmt.Fprintf(w, "%s: job %s is submitted, tasks 1 to %d", dir, s.Job, s.Tasks)
		if s.Report != "" {
			fmt.Fprintf(w, ", and job %s, which reports into %s", s.Report, reportDir)
		}
		fmt.Fprintf(w, "; look with \"sml study status %s\"\nstates of tasks: %s\nto end it: %s\n", dir, s.Watch, s.Cancel)
	})
}

// chosenWork returns the work and the cluster that the flags describe, for the study in dir. It returns a
// usage error if flags are out of range, contradict each other or belong to another engine.
func chosenWork(c *cli.Context, dir string) (cluster.Work, error) {
	if err := checkWorkFlags(c); err != nil {
		return cluster.Work{}, err
	}
	cpus := c.Int("cpus-per-task")
	work := cluster.Work{
		CPUs:        cpus,
		Parallel:    c.Int("parallelism"),
		Length:      c.Duration("task-length"),
		Memory:      c.String("mem"),
		RetryFailed: c.Bool("retry-failed"),
		Env:         []string{fmt.Sprintf("GOMAXPROCS=%d", cpus)}, // a large training uses no more cores than its task has
	}
	var err error
	if c.String("engine") == cluster.KubernetesName {
		err = fillKubernetes(c, dir, &work)
	} else {
		err = fillSlurm(c, dir, &work)
	}
	if err != nil {
		return work, err
	}
	if err := work.Check(); err != nil {
		return work, usageErrorf("--%w", err) // the error begins with the flag's name
	}
	return work, nil
}

// checkWorkFlags returns a usage error if a flag that both engines have is out of range or empty, or if a
// flag of the other engine is set.
func checkWorkFlags(c *cli.Context) error {
	engine := c.String("engine")
	for _, flag := range otherEngineFlags(engine) {
		if c.IsSet(flag) {
			return usageErrorf("--%s is not for --engine %s", flag, engine)
		}
	}
	parallel := c.Int("parallelism")
	length := c.Duration("task-length")
	switch {
	case c.IsSet("parallelism") && parallel < 1:
		return usageErrorf("--parallelism %d: want at least 1", parallel)
	case length <= 0:
		return usageErrorf("--task-length %v: want more than 0", length)
	}
	for _, flag := range []string{"mem", "time"} { // an empty value would silently mean the default
		if c.IsSet(flag) && c.String(flag) == "" {
			return usageErrorf("--%s is empty: leave it out for the cluster's", flag)
		}
	}
	return nil
}

// fillSlurm sets the fields of work for a Slurm cluster: its options, the paths, and the environment of
// the tasks.
func fillSlurm(c *cli.Context, dir string, work *cluster.Work) error {
	work.Engine = cluster.Slurm{
		Time:      c.String("time"),
		Partition: c.String("partition"),
		Account:   c.String("account"),
		Options:   c.StringSlice("sbatch"),
	}
	// Slurm's nodes see the file system of this machine, so tasks use the same paths; they are absolute, since tasks need not
	// start in this directory.
	var err error
	work.Program, err = os.Executable()
	if err != nil {
		return err
	}
	work.Dir, err = os.Getwd()
	if err != nil {
		return err
	}
	work.Study = joinPath(work.Dir, dir)
	if shards := c.String("shards"); shards != "" { // otherwise all tasks write to the study
		work.ShardsDir = joinPath(work.Dir, shards)
	}
	work.Report = joinPath(work.Dir, cmp.Or(c.String("report"), filepath.Clean(dir)+"-report"))
	env, err := slurmDataEnv(c)
	work.Env = append(work.Env, env...)
	return err
}

// slurmDataEnv returns the environment variables, as NAME=value, by which tasks find the data sets that
// this process would find. A site may start tasks without the environment of the shell that submits, so
// the script sets the variables itself.
func slurmDataEnv(c *cli.Context) ([]string, error) {
	var env []string
	dataDir := cmp.Or(c.String("data-dir"), os.Getenv("SML_DATA"))
	if dataDir != "" {
		absolute, err := filepath.Abs(dataDir)
		if err != nil {
			return nil, err
		}
		env = append(env, "SML_DATA="+absolute)
	}
	// Downloaded data sets lie in the user's cache. A user without one has downloaded none.
	if cache, err := os.UserCacheDir(); err == nil {
		env = append(env, "XDG_CACHE_HOME="+cache)
	}
	return env, nil
}

// joinPath returns a path, which is relative to a directory unless it is absolute, as an absolute path.
func joinPath(dir, path string) string {
	path = safefile.ResolveDotDot(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// fillKubernetes sets the fields of work for Kubernetes: its options, the paths, and the environment of
// the tasks. Tasks see only the volume, at --mount. On this machine, the working directory is the folder
// of the volume, so that a relative path becomes a path below --mount.
func fillKubernetes(c *cli.Context, dir string, work *cluster.Work) error {
	options, err := chosenKubernetes(c)
	if err != nil {
		return err
	}
	work.Engine = options
	work.Program = "/sml" // in the image that make release builds
	work.Dir = options.Mount
	work.Study, err = studyInVolume(dir, options.Mount)
	if err != nil {
		return err
	}
	if shards := c.String("shards"); shards != "" {
		work.ShardsDir, err = pathInTask(shards, options.Mount)
		if err != nil {
			return usageErrorf("--shards %w", err)
		}
	}
	if dataDir := c.String("data-dir"); dataDir != "" {
		dataDir, err = pathInTask(dataDir, options.Mount)
		if err != nil {
			return usageErrorf("--data-dir %w", err)
		}
		work.Env = append(work.Env, "SML_DATA="+dataDir)
	}
	return nil
}

// chosenKubernetes returns the options of Kubernetes that the flags choose. It returns a usage error if
// the image or the claim is missing, if --mount is not the absolute path of a folder below the root, or
// for --report: on Kubernetes no job follows the tasks.
func chosenKubernetes(c *cli.Context) (cluster.Kubernetes, error) {
	options := cluster.Kubernetes{
		Namespace: c.String("namespace"),
		Image:     c.String("image"),
		Claim:     c.String("claim"),
		Mount:     path.Clean(c.String("mount")),
	}
	switch {
	case options.Image == "":
		return options, usageErrorf("--image is missing: name an image of this program, which make release builds")
	case options.Claim == "":
		return options, usageErrorf("--claim is missing: name the PersistentVolumeClaim that has the study's folder")
	case !path.IsAbs(options.Mount) || options.Mount == "/":
		return options, usageErrorf("--mount %q: want an absolute path", c.String("mount"))
	case c.IsSet("report"):
		return options, usageErrorf("--report is not for --engine %s: report when all tasks have ended", cluster.KubernetesName)
	}
	return options, nil
}

// studyInVolume returns the path at which tasks find the study in dir. The study lies below
// mount as it lies below the working directory. studyInVolume returns an error if dir is not
// below the working directory, or if dir is below mount on this machine, too, at another path:
// then either path could be right.
func studyInVolume(dir, mount string) (string, error) {
	workingDir, err := realPath(".")
	if err != nil {
		return "", err
	}
	studyDir, err := realPath(dir)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(workingDir, studyDir)
	isBelow := err == nil && filepath.IsLocal(below) && below != "." // a path such as ../study is not local
	if !isBelow {
		return "", usageErrorf("%s is not below the working directory, so the path at which tasks find it is not known; submit from the folder that they see as --mount %s, which has the study in it", dir, mount)
	}
	pathInVolume := path.Join(mount, filepath.ToSlash(below))
	pathHere := filepath.ToSlash(studyDir)
	if strings.HasPrefix(pathHere, mount+"/") && pathHere != pathInVolume {
		return "", usageErrorf("%s: tasks may find it at %s or, as here, at %s; submit from %s, or choose another --mount", dir, pathInVolume, pathHere, mount)
	}
	return pathInVolume, nil
}

// realPath returns the absolute path of an existing file without symbolic links.
func realPath(name string) (string, error) {
	name, err := filepath.Abs(safefile.ResolveDotDot(name))
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
