package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
	"sml/models"
	"sml/trainers"
)

// What stands beside a model while it is trained.
const lockSuffix = ".sml-lock"

func checkpointOf(out string) string { return out + ".checkpoint" }

// modelOut returns the directory that a model is to be written to, cleaned. What a
// model and a checkpoint keep are texts, so names that are none are refused.
func modelOut(c *cli.Context) (string, error) {
	for _, name := range c.LocalFlagNames() {
		for _, text := range append(c.StringSlice(name), c.String(name)) {
			if !utf8.ValidString(text) {
				return "", usage("--%s %q is not UTF-8, and models and checkpoints keep names as UTF-8: rename it", name, text)
			}
		}
	}
	out := c.String("out")
	if out == "" {
		return "", usage("--out is missing: name a directory for the model")
	}
	switch base := filepath.Base(filepath.Clean(out)); base {
	case ".", "..", string(filepath.Separator):
		return "", usage("--out %s: name a directory that can be made", out)
	}
	return filepath.Clean(safefile.Path(out)), nil
}

// place makes sure, before hours are spent on it, that a model and its
// checkpoint can be written to out, and that nothing but a model is replaced
// there.
func place(out string, force bool) error {
	switch err := safefile.Vacant(out); {
	case errors.Is(err, fs.ErrExist) && !force:
		return fmt.Errorf("%s exists: choose another --out, or --force to replace it", out)
	case errors.Is(err, fs.ErrExist):
		if _, err := models.Files(out); err != nil {
			return fmt.Errorf("%s is not, or not only, a model, and --force replaces nothing else: %w: choose another --out", out, err)
		}
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	}
	// The longest names that will be used: too long ones fail here.
	for _, path := range []string{checkpointOf(out), filepath.Join(checkpointOf(out), strings.Repeat("x", 100))} {
		if err := safefile.Vacant(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("--out: the checkpoint cannot be written: %w", err)
		}
	}
	return nil
}

// placeCheckpoint makes sure that a new training does not replace the
// checkpoint of an interrupted one unasked.
func placeCheckpoint(path string, force bool) error {
	err := safefile.Vacant(path)
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

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// dying is how long a process that was killed may still have what it held.
const dying = time.Second

// claim keeps out, a directory that is to be written, from all other processes
// until release.
func claim(c *cli.Context, out, lock string) (release func(), err error) {
	l, err := safefile.Acquire(lock)
	var held *safefile.Held
	for end := time.Now().Add(dying); errors.As(err, &held) && time.Now().Before(end) && c.Context.Err() == nil; {
		time.Sleep(dying / 20)
		l, err = safefile.Acquire(lock)
	}
	switch {
	case err == nil:
		return func() { l.Release() }, nil // what is left of the file is no lock
	case errors.As(err, &held):
		return nil, fmt.Errorf("%s is being written by %s: wait until that has ended, or choose another --out", out, held.Holder)
	case errors.Is(err, errors.ErrUnsupported):
		note(c, "the file system of %s has no locks: see to it that nothing else writes there", out)
		return func() {}, nil
	}
	return nil, fmt.Errorf("--out %s: nothing can be written there: %w", out, err)
}

// forceFlag is the flag --force of commands that write the file in --out.
func forceFlag() cli.Flag { return forceFlagFor("out") }

// forceFlagFor is the flag --force of commands that write the file which another flag
// names.
func forceFlagFor(file string) cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace the file in --" + file}
}

// placeFile makes sure that the file in --out can be written, and that none
// is replaced unasked. Standard output, where there is no --out, needs nothing.
func placeFile(c *cli.Context) error { return placeAs(c, "out") }

// placeAs is placeFile of another flag's file.
func placeAs(c *cli.Context, flag string) error {
	out := c.String(flag)
	if out == "" {
		return nil
	}
	err := safefile.Free(out)
	switch there := errors.Is(err, fs.ErrExist); {
	case there && !c.Bool("force"):
		return fmt.Errorf("%s exists: choose another --%s, or --force to replace it", out, flag)
	case there || err == nil:
		err = safefile.Try(out)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// writeOut writes a result to the file in --out, or to standard output if there is
// no --out.
func writeOut(c *cli.Context, write func(io.Writer) error) error {
	if c.String("out") == "" {
		return write(c.App.Writer)
	}
	return writeAs(c, "out", write)
}

// writeAs writes a result to the file that a flag names, which may be a device or a
// named pipe.
func writeAs(c *cli.Context, flag string, write func(io.Writer) error) error {
	out := c.String(flag)
	put := safefile.Create
	if c.Bool("force") {
		put = safefile.Write
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		// Opening a named pipe waits for its reader, who may never come.
		_, err := await(c.Context, func() (struct{}, error) { return struct{}{}, put(out, write) })
		return err
	}
	err := put(out, write)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s came into being meanwhile: choose another --%s, or --force to replace it", out, flag)
	}
	return err
}
