package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/fetch"
	"sml/internal/safefile"
)

// fetcher is what downloads: tests give it another transport.
var fetcher fetch.Fetcher

func fetchCommand() *cli.Command {
	return &cli.Command{
		Name:      "fetch",
		Usage:     "download data sets from their public archives",
		UsageText: "sml data fetch NAME...|all [options]",
		Description: "Files are written to the first folder in which data sets are looked for. A file that exists is not changed.\n" +
			"A download is converted, and written only if its numbers are the known numbers of the data set.",
		Flags:  append(bringFlags(), quietFlag()),
		Action: fetchData,
	}
}

func importCommand() *cli.Command {
	return &cli.Command{
		Name:        "import",
		Usage:       "convert a file that you downloaded into a data set",
		UsageText:   "sml data import NAME FILE [options]",
		Description: "FILE is the downloaded archive, or the file with the table inside it; \"-\" is standard input.",
		Flags:       bringFlags(),
		Action:      importData,
	}
}

func bringFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data-dir", Usage: "write to `DIR`", DefaultText: "$SML_DATA, then the user's cache"},
		&cli.BoolFlag{Name: "force", Usage: "replace an existing file that is not the data set"},
		jsonFlag(),
	}
}

func fetchData(c *cli.Context) error {
	names := c.Args().Slice()
	if len(names) == 0 {
		return usage("the name of a data set, or all, is missing")
	}
	if slices.Equal(names, []string{"all"}) {
		names = nil
		for _, o := range fetch.Origins() {
			names = append(names, o.Name)
		}
	}
	for _, name := range names {
		if _, err := fetch.Lookup(name); err != nil {
			return usageError{err}
		}
	}
	results := []fetch.Result{}
	var failed []string
	for _, name := range names {
		r, err := fetchOne(c, name)
		if err := interruption(err); errors.Is(err, errInterrupted) {
			return err
		} else if err != nil && len(names) == 1 {
			return err
		} else if err != nil {
			note(c, "%v", err)
			failed = append(failed, name)
			continue
		}
		results = append(results, r)
		if !c.Bool("json") {
			fmt.Fprintln(c.App.Writer, brought(r))
		}
	}
	var err error
	if c.Bool("json") {
		err = writeJSON(c, results)
	}
	if len(failed) > 0 { // whether or not anybody reads the results
		return fmt.Errorf("%d of %d data sets are not there: %s", len(failed), len(names), strings.Join(failed, ", "))
	}
	return err
}

func fetchOne(c *cli.Context, name string) (fetch.Result, error) {
	p := newProgress(c, "fetching "+name)
	defer p.End()
	said := time.Now()
	converted := func() {}
	defer func() { converted() }()
	f := fetcher
	f.Dir, f.Replace = c.String("data-dir"), c.Bool("force")
	f.Tell = func(e fetch.Event) {
		switch {
		case e.Failed != nil && !c.Bool("quiet"):
			fmt.Fprintf(c.App.ErrWriter, "%s: %s: %v; trying again in %v\n", e.Name, e.URL, e.Failed, e.Wait.Round(100*time.Millisecond))
		case e.Failed != nil:
		case e.Done == e.Total:
			p.End()
			converted()
			converted = meanwhile(c, "converting "+name)
		case e.Total >= 0:
			p.At(int(e.Done>>10), int(e.Total>>10), "")
		case time.Since(said) > 2*quietFor && !c.Bool("quiet"): // the server does not say how many there are
			said = time.Now()
			fmt.Fprintf(c.App.ErrWriter, "fetching %s: %d MiB\n", name, e.Done>>20)
		}
	}
	r, err := f.Fetch(c.Context, name)
	if gone := (*fetch.Failure)(nil); errors.As(err, &gone) {
		return r, fmt.Errorf("%w; then: sml data import %s FILE", err, name)
	}
	return r, orForce(err)
}

func importData(c *cli.Context) error {
	args, err := arguments(c, "the name of a data set", "the downloaded file")
	if err != nil {
		return err
	}
	name, path := args[0], args[1]
	most, err := fetch.Most(name)
	if err != nil {
		return usageError{err}
	}
	var file io.ReaderAt
	var size int64
	if path == "-" {
		content, err := await(c.Context, func() ([]byte, error) { return safefile.ReadAll(c.App.Reader, "standard input", most) })
		if err != nil {
			return err
		}
		file, size = bytes.NewReader(content), int64(len(content))
	} else {
		opened, err := safefile.Open(path, most)
		if err != nil {
			return err
		}
		defer opened.Close()
		file, size = opened, opened.Size()
	}
	f := fetcher
	f.Dir, f.Replace = c.String("data-dir"), c.Bool("force")
	r, err := f.Import(c.Context, name, file, size)
	if err != nil {
		return interruption(orForce(err))
	}
	if c.Bool("json") {
		return writeJSON(c, r)
	}
	_, err = io.WriteString(c.App.Writer, brought(r)+"\n")
	return err
}

// orForce is an error, with the flag that helps against it.
func orForce(err error) error {
	if errors.Is(err, fetch.ErrDiffers) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}

// brought says what there is of a data set.
func brought(r fetch.Result) string {
	state := "was there"
	if r.Written {
		state = "is here"
	}
	proof := "with the numbers known as it"
	if !r.Proven {
		proof = "of the right shape, its numbers unknown"
	}
	text := fmt.Sprintf("%s %s, %s: %d rows, %d inputs, %s", r.Name, state, proof, r.Rows, r.Features, r.Path)
	if d, err := data.Lookup(r.Name); err == nil && r.Written {
		text += fmt.Sprintf("\n  source: %s; licence: %s", d.Source, d.Licence)
	}
	return text
}
