package cmd

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data/read"
	"sml/internal/safefile"
)

// inputFlags lists the flags that name files or directories that a command reads.
var inputFlags = []string{"against", "config", "data", "follow", "in", "init-from", "shift-from", "source", "test"}

// outputFlags lists the flags that name files or directories that a command writes. The state of --follow is read and
// written.
var outputFlags = []string{"follow", "onnx", "out", "predictions", "report", "shards", "track"}

// Roles of positional arguments, by the name of the command. Arguments of all other commands are inputs.
var (
	outputArguments = map[string]int{"calibrate": 0, "collect": 0, "convert": 1, "new": 0, "plan": 0} // index of the output argument
	namedArguments  = map[string]int{"import": 0, "toy": 0}                                           // index of an argument that names a data set
)

// namedPath is the path of a file or directory that the user named.
type namedPath struct {
	flag string // flag without dashes; "" for an argument, or for the table of a model
	path string
}

// String returns the path as the user wrote it.
func (p namedPath) String() string {
	if p.flag == "" {
		return p.path
	}
	return "--" + p.flag + " " + p.path
}

// refuseOverwriting returns a usage error if the command would write to an input of its own, or replace an input in its
// output directory. Every command calls it before its action.
func refuseOverwriting(c *cli.Context) error {
	var inputs []namedPath
	for _, flag := range inputFlags {
		inputs = append(inputs, flagPaths(c, flag)...)
	}
	for i, argument := range c.Args().Slice() {
		written, isWritten := outputArguments[c.Command.Name]
		named, isNamed := namedArguments[c.Command.Name]
		if !(isWritten && i == written) && !(isNamed && i == named) {
			inputs = append(inputs, namedPath{path: argument})
		}
	}
	for _, text := range c.StringSlice("set") { // a hyperparameter may name the model of a teacher
		_, value, _ := strings.Cut(text, "=")
		if _, err := os.Stat(filepath.Join(value, "model.json")); value != "" && err == nil {
			inputs = append(inputs, namedPath{path: value})
		}
	}
	return refuseOverwritingInputs(c, inputs...)
}

// refuseOverwritingInputs returns a usage error if the command would overwrite an input. Commands call it for
// inputs that the command line does not name, such as the table that a model was trained on.
func refuseOverwritingInputs(c *cli.Context, inputs ...namedPath) error {
	for _, in := range inputs {
		if isStandardOutput(inputPath(c, in.path)) {
			return usageErrorf("standard output would overwrite the input %v: choose another place", in)
		}
	}
	for _, out := range commandOutputs(c) {
		for _, in := range inputs {
			isSameFlag := out.flag != "" && out.flag == in.flag // --follow
			path := inputPath(c, in.path)
			isMade := in.flag == "follow" // its file may not exist yet
			if !isSameFlag && (isMade || fileExists(path)) && overwrites(out.path, path) {
				return usageErrorf("%v would overwrite the input %v: choose another place", out, in)
			}
		}
	}
	return nil
}

// commandOutputs returns the files and directories that the command writes.
func commandOutputs(c *cli.Context) []namedPath {
	var outputs []namedPath
	for _, flag := range outputFlags {
		outputs = append(outputs, flagPaths(c, flag)...)
	}
	if i, ok := outputArguments[c.Command.Name]; ok && i < c.Args().Len() {
		outputs = append(outputs, namedPath{path: c.Args().Get(i)})
	}
	if c.Command.Name == "import" { // the file of the data set
		if path, err := read.Locate(c.Args().First(), c.String("data-dir")); err == nil {
			outputs = append(outputs, namedPath{path: path})
		}
	}
	return outputs
}

// flagPaths returns the paths in a flag, or nil if the command has no such flag of texts.
func flagPaths(c *cli.Context, flag string) []namedPath {
	var paths []namedPath
	texts := c.StringSlice(flag)
	if texts == nil {
		texts = []string{c.String(flag)} // "" if there is no such flag
	}
	for _, text := range texts {
		if text != "" {
			paths = append(paths, namedPath{flag: flag, path: text})
		}
	}
	return paths
}

// inputPath returns the path of the file that an input is read from: the file of a data set, the workbook of
// FILE.xlsx#SHEET, or else the path itself. For standard input, "-", it returns the name of the open file.
func inputPath(c *cli.Context, input string) string {
	switch {
	case input == "-" && c.App.Reader == os.Stdin:
		return "/dev/stdin" // where the system has it
	case input == "-":
		return ""
	}
	if path, err := read.Locate(input, c.String("data-dir")); err == nil {
		return path
	}
	for i := range input {
		if input[i] == '#' && !fileExists(input) && fileExists(input[:i]) {
			return input[:i]
		}
	}
	return input
}

// isStandardOutput reports whether standard output is written to the regular file at the path, as by the shell's
// redirection >>.
func isStandardOutput(path string) bool {
	out, err := os.Stdout.Stat()
	if err != nil || !out.Mode().IsRegular() {
		return false
	}
	in, err := os.Stat(path)
	return err == nil && os.SameFile(out, in)
}

// overwrites reports whether writing to the path out changes the file or directory in: whether they are the same, out is
// a file in the directory in, or in is a file that the program wrote into the directory out and may replace.
func overwrites(out, in string) bool {
	if safefile.SameFile(out, in) || isFileIn(in, out) {
		return true
	}
	written, err := safefile.ReadManifest(out)
	if err != nil {
		return false // the command refuses such a directory
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if safefile.SameFile(filepath.Join(out, filepath.FromSlash(name)), in) {
			return true
		}
	}
	return false
}

// isFileIn reports whether a path leads to an existing regular file directly in a directory.
func isFileIn(dir, path string) bool {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && safefile.SameFile(filepath.Dir(path), dir)
}
