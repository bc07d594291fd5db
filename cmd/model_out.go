package cmd

import (
	"cmp"
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

// alternativeDir returns the directory of the checkpoint of job.Alternative. Meanwhile, the checkpoint of the first
// training has all its epochs.
func alternativeDir(out string) string { return out + ".alternative.checkpoint" }

// removeCheckpoints removes the checkpoints of a model's training that there are.
func removeCheckpoints(out string) error {
	return cmp.Or(trainers.RemoveCheckpoint(checkpointDir(out)), trainers.RemoveCheckpoint(alternativeDir(out)))
}

// modelOut returns the path in --out, cleaned, so that names such as out.checkpoint can be built from it. It
// returns a usage error if a flag has invalid UTF-8, or if --out names no directory that can be made.
func modelOut(c *cli.Context) (string, error) {
	if err := checkUTF8(c); err != nil {
		return "", err
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

// checkUTF8 returns a usage error for a flag with invalid UTF-8: models and checkpoints store flags as JSON, which
// would change the invalid bytes.
func checkUTF8(c *cli.Context) error {
	for _, name := range c.LocalFlagNames() {
		texts := append(c.StringSlice(name), c.String(name)) // the flag is either a list or a single text
		for _, text := range texts {
			if !utf8.ValidString(text) {
				return usageErrorf("--%s %q is not UTF-8, and models and checkpoints keep names as UTF-8: rename it", name, text)
			}
		}
	}
	return nil
}

// checkModelPath returns an error if the model or its checkpoint cannot be written to out, or would
// replace anything but a model. A model is replaced only if force is set. The check comes before the training,
// which may take hours.
func checkModelPath(out string, force bool) error {
	err := safefile.CheckAbsent(out)
	switch {
	case errors.Is(err, fs.ErrExist) && !force:
		return fmt.Errorf("%s exists: choose another --out, or --force to replace it", out)
	case errors.Is(err, fs.ErrExist):
		if _, err := models.Files(out); err != nil {
			return fmt.Errorf("%s is not, or not only, a model, and --force replaces nothing else: %w: choose another --out", out, err)
		}
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	}
	return checkLongNames(alternativeDir(out))
}

// checkLongNames returns an error if the file system does not allow the directory of a checkpoint or the names of
// its files, which are longer than the name of the model.
func checkLongNames(checkpoint string) error {
	// The longest name, state.safetensors with a random suffix while it is written, has about 40 bytes. Some file
	// systems, such as encrypted ones, allow little more.
	const longestName = 100 // bytes
	longestPath := filepath.Join(checkpoint, strings.Repeat("x", longestName))
	for _, path := range []string{checkpoint, longestPath} {
		if err := safefile.CheckAbsent(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("--out: the checkpoint cannot be written: %w", err)
		}
	}
	return nil
}

// checkCheckpointPath returns an error if a new training would replace the checkpoint of an
// interrupted training, unless force is set. Files that are no checkpoint are never replaced.
func checkCheckpointPath(path string, force bool) error {
	err := safefile.CheckAbsent(path)
	if !errors.Is(err, fs.ErrExist) {
		return err // nil if the path is free
	}
	if _, err := trainers.CheckpointFiles(path); err != nil {
		return fmt.Errorf("%s is in the way: the training's checkpoint would go there, so choose another --out: %w", path, err)
	}
	if !force {
		return fmt.Errorf("%s is an interrupted training of this model: go on with --resume, or discard it with --force", path)
	}
	return nil
}
