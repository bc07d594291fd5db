package cmd

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/evaluation/shift"
	"sml/internal/safefile"
)

// followFlag returns the flag --follow. newFollowing reads it.
func followFlag() cli.Flag {
	return &cli.StringFlag{Name: "follow", Usage: "adapt the intervals to rows in the order of time: after each row its target, if it is not empty, widens or narrows later intervals; the file `STATE` is made, or continued"}
}

// newFollowing returns the Following of --follow, which continues the state in its file if the file exists. It returns nil
// without the flag. It returns an error if the predictions have no intervals, or if the file is of another model,
// calibration or coverage.
func newFollowing(c *cli.Context, m *experiment.Model, converter *experiment.Converter) (*rowio.Following, error) {
	path := c.String("follow")
	if path == "" {
		return nil, nil
	}
	if !converter.Family.HasStd {
		return nil, usageErrorf("--follow needs intervals; method %q predicts none", m.Method)
	}
	follower, err := openFollower(path, m, converter.Coverage)
	if err != nil {
		return nil, fmt.Errorf("--follow: %w", err)
	}
	return rowio.NewFollowing(follower, m), nil
}

// maxFollowerBytes bounds the size of the file of --follow.
const maxFollowerBytes = 16 << 20

// openFollower returns the follower in the file at path, or a new follower if the file does not exist. It returns an error
// if the file cannot be written, or if it is of another model, calibration or coverage.
func openFollower(path string, m *experiment.Model, coverage float64) (*shift.Follower, error) {
	model, err := checksumCalibrated(m)
	if err != nil {
		return nil, err
	}
	names := m.Targets.Names()
	text, err := safefile.Read(path, maxFollowerBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return shift.NewFollower(model, coverage, names), safefile.CheckWritable(path)
	}
	if err != nil {
		return nil, err
	}
	follower, err := shift.ReadFollower(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not a state of following rows: %w", path, err)
	}
	sameName := func(t shift.FollowedTarget, name string) bool { return t.Name == name }
	switch {
	case follower.Model != model || !slices.EqualFunc(follower.Targets, names, sameName):
		return nil, fmt.Errorf("%s is of another model, or of another calibration of this model; name another file to begin anew", path)
	case follower.Coverage != coverage:
		return nil, fmt.Errorf("%s adapts intervals of %v%%; choose --coverage %v, or name another file to begin anew", path, 100*follower.Coverage, follower.Coverage)
	}
	return follower, safefile.CheckWritable(path)
}

// checksumCalibrated returns the SHA-256 of a model's weights and calibration in hexadecimal.
func checksumCalibrated(m *experiment.Model) (string, error) {
	weights, err := m.WeightsSum()
	if err != nil {
		return "", err
	}
	var calibration json.RawMessage // nil with --uncalibrated
	if m.Calibration != nil {
		calibration = mustJSON(m.Calibration)
	}
	sum := sha256.Sum256(slices.Concat([]byte(weights), calibration))
	return hex.EncodeToString(sum[:]), nil
}

// saveFollowing writes the state of --follow to its file, and prints for each target how many were inside their intervals
// so far. Without the flag, where following is nil, it does nothing.
func saveFollowing(c *cli.Context, following *rowio.Following) error {
	if following == nil {
		return nil
	}
	f := following.Follower
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := safefile.Write(c.String("follow"), safefile.WriteBytes(append(text, '\n'))); err != nil {
		return fmt.Errorf("--follow: %w", err)
	}
	for i, t := range f.Targets {
		if t.Known == 0 {
			continue
		}
		inside := float64(t.Known-t.Missed) / float64(t.Known)
		note(c, "%s: %.1f%% of %s so far inside their intervals of %v%%; the next intervals are %.3g times as wide as without --follow",
			t.Name, 100*inside, terminal.Count(t.Known, "target"), 100*f.Coverage, f.Factor(i))
	}
	return nil
}
