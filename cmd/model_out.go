package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
	"sml/models"
	"sml/trainers"
)

// checkpointDir returns the directory of the checkpoint of a model's training.
func checkpointDir(out string) string { return out + ".checkpoint" }

// modelOut returns the path in --out, cleaned. It returns an error if a flag has invalid UTF-8,
// since models and checkpoints store flags as text.
func modelOut(c *cli.Context) (string, error) {
	for _, name := range c.LocalFlagNames() {
		for _, text := range append(c.StringSlice(name), c.String(name)) {
			if !utf8.ValidString(text) {
				return "", usageErrorf("--%s %q is not UTF-8, and models and checkpoints keep names as UTF-8: rename it", name, text)
			}
		}
	}
	out := c.String("out")
	if out == "" {
		return "", usageErrorf("--out is missing: name a directory for the model")
	}
	switch base := filepath.Base(filepath.Clean(out)); base {
	case ".", "..", string(filepath.Separator):
		return "", usageErrorf("--out %s: name a directory that can be made", out)
	}
	return filepath.Clean(safefile.ResolveDotDot(out)), nil
}

// checkModelPath returns an error if the model or its checkpoint cannot be written to out, or would
// replace anything but a model. The check comes before the training, which may take hours.
func checkModelPath(out string, force bool) error {
	switch err := safefile.CheckAbsent(out); {
	case errors.Is(err, fs.ErrExist) && !force:
		return fmt.Errorf("%s exists: choose another --out, or --force to replace it", out)
	case errors.Is(err, fs.ErrExist):
		if _, err := models.Files(out); err != nil {
			return fmt.Errorf("%s is not, or not only, a model, and --force replaces nothing else: %w: choose another --out", out, err)
		}
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	}
	// Fail here if the file system does not allow the longest file names of a checkpoint.
	for _, path := range []string{checkpointDir(out), filepath.Join(checkpointDir(out), strings.Repeat("x", 100))} {
		if err := safefile.CheckAbsent(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("--out: the checkpoint cannot be written: %w", err)
		}
	}
	return nil
}

// checkCheckpointPath returns an error if a new training would replace the checkpoint of an
// interrupted training, unless force is set.
func checkCheckpointPath(path string, force bool) error {
	err := safefile.CheckAbsent(path)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := trainers.CheckpointFiles(path); err != nil {
		return fmt.Errorf("%s is in the way: the training's checkpoint would go there, so choose another --out: %w", path, err)
	}
	if !force {
		return fmt.Errorf("%s is an interrupted training of this model: go on with --resume, or discard it with --force", path)
	}
	return nil
}
