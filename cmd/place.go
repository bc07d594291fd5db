package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sml/data/safefile"
)

// place makes sure, before hours are spent on it, that a model can be written
// to out, and that nothing but a model is replaced there.
func place(out string, force bool) error {
	switch err := safefile.Vacant(out); {
	case errors.Is(err, fs.ErrExist) && !force:
		return fmt.Errorf("%s exists: choose another --out, or --force to replace it", out)
	case errors.Is(err, fs.ErrExist) && !holdsOnly(out, "model.json", "weights.safetensors", "history.csv"):
		return fmt.Errorf("%s is not, or not only, a model, and --force replaces nothing else: choose another --out", out)
	case err != nil && !errors.Is(err, fs.ErrExist):
		return err
	}
	folder := filepath.Dir(filepath.Clean(out))
	for !exists(folder) {
		folder = filepath.Dir(folder)
	}
	trial, err := os.MkdirTemp(folder, ".sml-")
	if err != nil {
		return fmt.Errorf("--out %s: nothing can be written into %s: %w", out, folder, err)
	}
	return os.Remove(trial)
}

// placeCheckpoint makes sure that a new training does not replace the
// checkpoint of an interrupted one unasked.
func placeCheckpoint(path string, force bool) error {
	switch err := safefile.Vacant(path); {
	case !errors.Is(err, fs.ErrExist):
		return err
	case !holdsOnly(path, "state.json", "state.safetensors"):
		return fmt.Errorf("%s is in the way: the training's checkpoint would go there, so choose another --out", path)
	case !force:
		return fmt.Errorf("%s is an interrupted training of this model: go on with --resume, or discard it with --force", path)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// holdsOnly tells whether there is a directory at path with no files but those
// named.
func holdsOnly(path string, files ...string) bool {
	entries, err := os.ReadDir(path)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(files, e.Name()) })
}
