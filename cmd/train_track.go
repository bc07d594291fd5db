package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/mlflow"
	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/models"
)

// trackFlag returns the flag --track. checkTrack and track read it.
func trackFlag() cli.Flag {
	return &cli.StringFlag{Name: "track", Usage: "add the trained model to the runs in `DIR`, such as mlruns, which MLflow reads"}
}

// checkTrack returns an error if the folder of --track is a file, or does not exist and cannot be
// created. The check comes before the training, which may take hours. It leaves no new folder.
func checkTrack(c *cli.Context) error {
	dir := c.String("track")
	if dir == "" {
		if c.IsSet("track") {
			return usageErrorf("--track is empty: name a folder for the runs")
		}
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("--track %s: want a folder for the runs, and this is a file", dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = tryCreateFolder(dir)
	}
	if err != nil {
		return fmt.Errorf("--track: %w", err)
	}
	return nil
}

// tryCreateFolder returns an error if a folder cannot be created. It removes the folder again, but not
// the folders above it.
func tryCreateFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.Remove(dir)
}

// track adds the model in the directory out, whose training began at started, to the runs of --track. It
// does nothing if the flag is not set.
func track(c *cli.Context, out string, started time.Time) error {
	root := c.String("track")
	if root == "" {
		return nil
	}
	var runDir string
	run, err := newRun(out)
	if err == nil {
		run.Start = started
		run.End = time.Now() // with the scoring of the test rows, as users wait for it
		runDir, err = run.Write(safefile.ResolveDotDot(root))
	}
	if err != nil {
		return fmt.Errorf("%s is trained and written, but cannot be added to the runs of --track: %w", out, err)
	}
	if !c.Bool("quiet") {
		note(c, "%s", runDir)
	}
	return nil
}

// newRun returns the MLflow run of the model in a directory: its settings as parameters, the versions of
// the program as tags, losses and test scores as metrics, and its files as artifacts. Start and End stay
// empty.
func newRun(dir string) (mlflow.Run, error) {
	m, err := experiment.Open(dir)
	if err != nil {
		return mlflow.Run{}, err
	}
	history, err := models.LoadHistory(dir)
	if err != nil {
		return mlflow.Run{}, err
	}
	artifacts, content, err := readArtifacts(dir)
	if err != nil {
		return mlflow.Run{}, err
	}
	run := mlflow.Run{
		Content:    content,
		Name:       filepath.Base(dir),
		Experiment: m.Settings.Table.Name,
		Metrics:    historyMetrics(history),
		Artifacts:  artifacts,
	}
	for _, s := range settingsOfModel(m) {
		run.Params = append(run.Params, mlflow.Entry(s))
	}
	for _, v := range flatten("version.", m.Versions) {
		run.Tags = append(run.Tags, mlflow.Entry(v))
	}
	for _, score := range listScores(m.Scores) {
		atEnd := []mlflow.Point{{Value: score.value}} // test scores have no epochs
		run.Metrics = append(run.Metrics, mlflow.Metric{Path: strings.Split("test/"+score.name, "/"), Points: atEnd})
	}
	return run, nil
}

// readArtifacts returns the files of the model in a directory as artifacts, and the content that
// identifies the run: the names, sizes and bytes of all files in the order of their names. The same model has the
// same run, so that it is not added twice.
func readArtifacts(dir string) (artifacts []mlflow.Artifact, content []byte, err error) {
	names, err := models.Files(dir)
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		artifacts = append(artifacts, mlflow.Artifact{Path: "model/" + name, Write: safefile.WriteBytes(file)})
		content = fmt.Appendf(content, "%s %d\n%s", name, len(file), file)
	}
	return artifacts, content, nil
}

// historyMetrics returns a metric for each ensemble member and column of a training history, such as
// the loss, with a point for each epoch.
func historyMetrics(h models.History) []mlflow.Metric {
	members := 0
	for _, row := range h.Rows {
		members = max(members, row.Member+1) // members count from 0
	}
	var metrics []mlflow.Metric
	for member := range members {
		path := []string{"training"}
		if members > 1 {
			path = append(path, fmt.Sprintf("member %d", member+1))
		}
		for column, name := range h.Columns {
			points := historyPoints(h, member, column)
			if len(points) > 0 {
				metrics = append(metrics, mlflow.Metric{Path: append(slices.Clip(path), name), Points: points})
			}
		}
	}
	return metrics
}

// historyPoints returns the values of a column of a history for one ensemble member, by epoch. A row of an edited file
// may lack the column: it has no point.
func historyPoints(h models.History, member, column int) []mlflow.Point {
	var points []mlflow.Point
	for _, row := range h.Rows {
		if row.Member == member && column < len(row.Values) {
			points = append(points, mlflow.Point{Step: row.Number, Value: row.Values[column]})
		}
	}
	return points
}
