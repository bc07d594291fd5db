package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/mlflow"
	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/models"
)

// trackFlag returns the flag --track.
func trackFlag() cli.Flag {
	return &cli.StringFlag{Name: "track", Usage: "add the trained model to the runs in `DIR`, such as mlruns, which MLflow reads"}
}

// checkTrack returns an error if --track cannot be a folder. The check comes before the training,
// which may take hours.
func checkTrack(c *cli.Context) error {
	dir := c.String("track")
	if dir == "" {
		if c.IsSet("track") {
			return usageErrorf("--track names nothing: want a folder for the runs")
		}
		return nil
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.Remove(dir)
		}
		if err != nil {
			return fmt.Errorf("--track: %w", err)
		}
	case err != nil:
		return fmt.Errorf("--track: %w", err)
	case !info.IsDir():
		return fmt.Errorf("--track %s: it is a file, and runs are kept in a folder", dir)
	}
	return nil
}

// track adds the model at out to the runs of --track.
func track(c *cli.Context, out string, started time.Time) error {
	dir := c.String("track")
	if dir == "" {
		return nil
	}
	run, err := newRun(out)
	if err == nil {
		run.Start, run.End = started, time.Now()
		dir, err = run.Write(safefile.ResolveDotDot(dir))
	}
	if err != nil {
		return fmt.Errorf("%s is trained and written, and not added to the runs of --track: %w", out, err)
	}
	if !c.Bool("quiet") {
		note(c, "%s", dir)
	}
	return nil
}

// newRun returns a saved model as an MLflow run without its times.
func newRun(dir string) (mlflow.Run, error) {
	run := mlflow.Run{Name: filepath.Base(dir)}
	m, err := experiment.Open(dir)
	if err != nil {
		return run, err
	}
	history, err := models.LoadHistory(dir)
	if err != nil {
		return run, err
	}
	run.Experiment = m.Settings.Table.Name
	settings, err := settingsOfModel(m.Model)
	if err != nil {
		return run, err
	}
	for _, s := range settings {
		run.Params = append(run.Params, mlflow.Entry{Name: mlflow.Name(s.Name), Value: s.Value})
	}
	versions, err := flatten("", m.Versions)
	if err != nil {
		return run, err
	}
	for _, v := range versions {
		run.Tags = append(run.Tags, mlflow.Entry{Name: "version." + mlflow.Name(v.Name), Value: v.Value})
	}
	run.Metrics = historyMetrics(history)
	for _, s := range listScores(m.Scores) {
		run.Metrics = append(run.Metrics, mlflow.Metric{Name: "test/" + s.name, Points: []mlflow.Point{{Value: s.value}}})
	}
	files, err := models.Files(dir)
	if err != nil {
		return run, err
	}
	slices.Sort(files)
	content := new(bytes.Buffer)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return run, err
		}
		fmt.Fprintf(content, "%s %d\n%s", name, len(text), text)
		run.Artifacts = append(run.Artifacts, mlflow.Artifact{Path: "model/" + name, Write: safefile.WriteBytes(text)})
	}
	run.Content = content.Bytes()
	return run, nil
}

// historyMetrics returns the columns of a history over the epochs, for each member of an
// ensemble.
func historyMetrics(h models.History) []mlflow.Metric {
	members := 0
	for _, row := range h.Rows {
		members = max(members, row.Member+1)
	}
	var list []mlflow.Metric
	var columns []string
	for _, name := range h.Columns {
		for name = mlflow.Name(name); slices.Contains(columns, name); {
			name += "_"
		}
		columns = append(columns, name)
	}
	for member := range members {
		for j, column := range columns {
			m := mlflow.Metric{Name: "training/" + column}
			if members > 1 {
				m.Name = fmt.Sprintf("training/member %d/%s", member+1, column)
			}
			for _, row := range h.Rows {
				if row.Member == member && j < len(row.Values) {
					m.Points = append(m.Points, mlflow.Point{Step: row.Number, Value: row.Values[j]})
				}
			}
			if len(m.Points) > 0 {
				list = append(list, m)
			}
		}
	}
	return list
}
