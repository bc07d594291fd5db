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
// argument names.
func importData(c *cli.Context, f fetch.Fetcher) error {
	args, err := exactArguments(c, "the name of a data set", "the downloaded file")
	if err != nil {
		return err
	}
	name, path := args[0], args[1]
	origin, err := fetch.Lookup(name)
	if err != nil {
		return usageError{err}
	}
	most := origin.MaxSize()
	var file io.ReaderAt
	var size int64
	if path == "-" {
		content, err := await(c.Context, func() ([]byte, error) { return safefile.ReadAll(c.App.Reader, "standard input", most) })
		if err != nil {
			return err
		}
		file = bytes.NewReader(content)
		size = int64(len(content))
	} else {
		opened, err := safefile.Open(path, most)
		if err != nil {
			return err
		}
		defer opened.Close()
		file = opened
		size = opened.Size()
	}
	f.Dir, f.Replace = c.String("data-dir"), c.Bool("force")
	r, err := f.Import(c.Context, name, file, size)
	if err != nil {
		return suggestForce(err)
	}
	return printResult(c, r, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, describeFetched(r))
		return err
	})
}
