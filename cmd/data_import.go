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
		Action:      func(c *cli.Context) error { return importData(c, f) },
	}, []string{
		"sml data import yacht yacht_hydrodynamics.data",
	}, optionGroup{flags: datasetFlags()})
}

// importData converts a downloaded file, the second argument, into the data set that the first
// argument names. The origin of the data set limits the file's size.
func importData(c *cli.Context, f fetch.Fetcher) error {
	args, err := exactArguments(c, "the name of a data set", "the downloaded file")
	if err != nil {
		return err
	}
	name := args[0]
	path := args[1]
	origin, err := fetch.Lookup(name)
	if err != nil {
		return usageError{err}
	}
	maxSize := origin.MaxSize()
	var file io.ReaderAt
	var size int64 // in bytes
	if path == "-" {
		// An archive is read at any place, so that standard input goes to memory first.
		content, err := await(c.Context, func() ([]byte, error) { return safefile.ReadAll(c.App.Reader, "standard input", maxSize) })
		if err != nil {
			return err
		}
		file = bytes.NewReader(content)
		size = int64(len(content))
	} else {
		opened, err := safefile.Open(path, maxSize)
		if err != nil {
			return err
		}
		defer opened.Close()
		file = opened
		size = opened.Size()
	}
	f.Dir = c.String("data-dir")
	f.Replace = c.Bool("force")
	r, err := f.Import(c.Context, name, file, size)
	if err != nil {
		return suggestForce(err)
	}
	return printResult(c, r, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, describeFetched(r))
		return err
	})
}
