package cmd

import (
	"bytes"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/data/fetch"
	"sml/internal/safefile"
)

// importCommand returns the command import. It converts a file in the same way as f converts a
// download.
func importCommand(f fetch.Fetcher) *cli.Command {
	return withHelp(&cli.Command{
		Name:        "import",
		Usage:       "convert a file that you downloaded into a data set",
		UsageText:   "sml data import NAME FILE [options]",
		Description: "FILE is the downloaded archive, or the file with the table inside it; \"-\" is standard input.",
		Action: argumentsAction([]string{"the name of a data set", "the downloaded file"},
			func(c *cli.Context, args []string) error { return importData(c, f, args) }),
	}, []string{
		"sml data import yacht yacht_hydrodynamics.data",
	}, optionGroup{flags: datasetFlags()})
}

// importData converts a downloaded file, the second argument, into the data set that the first
// argument names. The origin of the data set limits the file's size.
func importData(c *cli.Context, f fetch.Fetcher, args []string) error {
	name := args[0]
	path := args[1]
	origin, err := fetch.Lookup(name)
	if err != nil {
		return usageError{err}
	}
	f.Dir = c.String("data-dir")
	f.Replace = c.Bool("force")
	r, err := importFile(c, f, name, path, origin.MaxSize())
	if err != nil {
		return suggestForce(err)
	}
	return printResult(c, r, func(w io.Writer) { fmt.Fprintln(w, describeFetched(r)) })
}

// importFile converts the file at path, or standard input for "-", which it reads into memory: an archive is read at any
// place, not from the beginning to the end. It returns an error if the file has more than maxSize bytes.
func importFile(c *cli.Context, f fetch.Fetcher, name, path string, maxSize int64) (fetch.Result, error) {
	if path == "-" {
		readInput := func() ([]byte, error) { return safefile.ReadAll(c.App.Reader, "standard input", maxSize) }
		content, err := await(c.Context, readInput)
		if err != nil {
			return fetch.Result{}, err
		}
		return f.Import(c.Context, name, bytes.NewReader(content), int64(len(content)))
	}
	file, err := safefile.Open(path, maxSize)
	if err != nil {
		return fetch.Result{}, err
	}
	defer file.Close()
	return f.Import(c.Context, name, file, file.Size())
}
