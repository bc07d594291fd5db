package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
	"sml/models"
	"sml/trainers"
)

// checkpointFolder is the name of the folder, in the folder of a model, with the checkpoint of a training. It is there
// as long as the training is not finished. The files beside it are then the model that the training will replace, if any.
const checkpointFolder = "checkpoint"

// alternativeFolder is the name of the folder beside checkpointFolder with the checkpoint of the quantile networks that
// train may compare with its default method. Meanwhile, the checkpoint of the first training has all its epochs.
const alternativeFolder = "alternative"

// checkpointDir returns the directory of the checkpoint of the training whose model goes to out.
func checkpointDir(out string) string { return filepath.Join(out, checkpointFolder) }

// alternativeDir returns the directory of the checkpoint of the training's alternative.
func alternativeDir(out string) string { return filepath.Join(out, alternativeFolder) }

// readCheckpoint returns the job and the members' states of the checkpoint in dir. It returns an error that wraps
// fs.ErrNotExist if there is none.
func readCheckpoint(dir string) (job json.RawMessage, states []trainers.State, err error) {
	return trainers.ReadCheckpoint(dir, programVersion())
}

// modelOut returns the path in --out, cleaned, so that the name of its lock can be built from it. It
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

// ownFiles returns the names of the files in the folder of a model: of the model, and of the checkpoints of a training
// that is not finished. It returns an error if there is no folder, or if it has other files, which are never replaced.
func ownFiles(out string) ([]string, error) {
	files, err := models.Files(out, checkpointFolder, alternativeFolder)
	if err != nil {
		return nil, err
	}
	for _, folder := range []string{checkpointFolder, alternativeFolder} {
		names, err := trainers.CheckpointFiles(filepath.Join(out, folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			files = append(files, filepath.Join(folder, name))
		}
		files = append(files, folder) // after its files, in the order of their removal
	}
	return files, nil
}

// checkOut returns an error if a model cannot be written to out, or would replace anything but a model or its unfinished
// training, or if it would replace these without --force. The check comes before the training, which may take hours.
func checkOut(c *cli.Context, out string) error {
	removeLeftovers(out)
	err := safefile.CheckAbsent(out)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--out: %w", err)
	}
	files, err := ownFiles(out)
	mayReplace := c.Bool("force") || c.Bool("resume")
	switch {
	case err != nil && mayReplace:
		return fmt.Errorf("%s is not, or not only, a model, and --force replaces nothing else: %w: choose another --out", out, err)
	case err == nil && (mayReplace || len(files) == 0):
		return nil
	case slices.Contains(files, checkpointFolder):
		return fmt.Errorf("%s has an interrupted training: go on with --resume, or discard it with --force", out)
	}
	return fmt.Errorf("%s exists: choose another --out, or --force to replace it", out)
}

// removeLeftovers removes checkpoints that were being written into out when their program was killed. The caller has the
// lock of out.
func removeLeftovers(out string) {
	entries, _ := os.ReadDir(out) // nil if there is no folder
	for _, e := range entries {
		isCheckpoint := strings.HasPrefix(e.Name(), checkpointFolder) || strings.HasPrefix(e.Name(), alternativeFolder)
		if isCheckpoint && safefile.IsTemporary(e.Name()) {
			os.RemoveAll(filepath.Join(out, e.Name())) // if it fails, ownFiles names the folder
		}
	}
}
