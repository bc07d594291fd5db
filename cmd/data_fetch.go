package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/fetch"
)

// fetchCommand returns the command fetch, which downloads data sets with f.
func fetchCommand(f fetch.Fetcher) *cli.Command {
	return withHelp(&cli.Command{
		Name:      "fetch",
		Usage:     "download data sets from their public archives",
		UsageText: "sml data fetch NAME...|all [options]",
		Description: "Files are written to the first folder in which data sets are looked for. A file that exists is not changed.\n" +
			"A download is converted, and written only if its numbers are the known numbers of the data set.",
		Action: func(c *cli.Context) error { return fetchData(c, f) },
	}, []string{
		"sml data fetch yacht concrete",
		"sml data fetch all --data-dir datasets",
	}, optionGroup{flags: append(datasetFlags(), quietFlag())})
}

// fetchData downloads the data sets that the arguments name, or all data sets, and prints a line for
// each. If one of several fails, the others are downloaded, too, and the error names the failed ones.
// An unknown name is an error before the first download.
func fetchData(c *cli.Context, f fetch.Fetcher) error {
	names, err := namedOrigins(c.Args().Slice())
	if err != nil {
		return err
	}
	results := []fetch.Result{} // not nil, so that JSON has an empty list
	var failed []string         // names of the data sets that could not be downloaded
	for _, name := range names {
		r, err := fetchOne(c, f, name)
		err = interruption(err)
		if err != nil {
			if len(names) == 1 || errors.Is(err, errInterrupted) {
				return err
			}
			note(c, "%v", err)
			failed = append(failed, name)
			continue
		}
		results = append(results, r)
		if !c.Bool("json") {
			fmt.Fprintln(c.App.Writer, describeFetched(r)) // at once, not after all downloads
		}
	}
	textIsPrinted := func(io.Writer) {}
	err = printResult(c, results, textIsPrinted) // prints something for --json only
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d data sets are not there: %s", len(failed), len(names), strings.Join(failed, ", "))
	}
	return err
}

// namedOrigins returns the names of the data sets that the arguments name: the arguments, or the names of all
// data sets for "all". It returns a usage error for an unknown name, or if there are no arguments.
func namedOrigins(args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, usageErrorf("the name of a data set, or all, is missing")
	}
	if slices.Equal(args, []string{"all"}) {
		var all []string
		for _, o := range fetch.Origins() {
			all = append(all, o.Name)
		}
		return all, nil
	}
	for _, name := range args {
		if _, err := fetch.Lookup(name); err != nil {
			return nil, usageError{err}
		}
	}
	return args, nil
}

// fetchOne downloads the data set with a name and shows the progress: of the download, and then of
// the conversion. The error of a file that is no longer available suggests sml data import.
func fetchOne(c *cli.Context, f fetch.Fetcher, name string) (fetch.Result, error) {
	p := newProgress(c, "fetching "+name)
	defer p.End()
	stopConverting := func() {} // ends the announcement of the conversion, once there is one
	defer func() { stopConverting() }()
	f.Dir = c.String("data-dir")
	f.Replace = c.Bool("force")
	f.Report = func(e fetch.Event) {
		switch {
		case e.Err != nil && !c.Bool("quiet"):
			fmt.Fprintf(c.App.ErrWriter, "%s: %s: %v; trying again in %v\n", e.Name, e.URL, e.Err, e.Wait.Round(100*time.Millisecond))
		case e.Err != nil:
			// --quiet hides failed attempts.
		case e.Done == e.Total:
			p.End()
			stopConverting() // the download may be complete for the second time, after a failed attempt
			stopConverting = announce(c, "converting "+name)
		default:
			showBytes(p, e.Done, e.Total) // a server that does not report the size gives −1
		}
	}
	r, err := f.Fetch(c.Context, name)
	var failure *fetch.Failure
	if errors.As(err, &failure) {
		return r, fmt.Errorf("%w; then: sml data import %s FILE", err, name)
	}
	return r, suggestForce(err)
}

// datasetFlags returns the flags of commands that write the file of a data set.
func datasetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data-dir", Usage: "write to `DIR`", DefaultText: "$SML_DATA, then the user's cache"},
		&cli.BoolFlag{Name: "force", Usage: "replace an existing file that is not the data set"},
		jsonFlag(),
	}
}

// suggestForce adds the flag --force to an error if the flag would help.
func suggestForce(err error) error {
	if errors.Is(err, fetch.ErrDiffers) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}

// describeFetched returns lines for people about the file of a data set: whether it is new, whether its
// numbers are verified, its size and path, and for a new file its source and licence. A result is verified
// if the checksum of the table is the registered one; a data set without a registered checksum can only be
// checked for its shape.
func describeFetched(r fetch.Result) string {
	state := "was there"
	if r.Written {
		state = "is here"
	}
	verification := "with the numbers known as it"
	if !r.Verified {
		verification = "of the right shape, its numbers unknown"
	}
	text := fmt.Sprintf("%s %s, %s: %d rows, %d inputs, %s", r.Name, state, verification, r.Rows, r.Features, r.Path)
	d, err := data.Lookup(r.Name)
	isRegistered := err == nil
	if isRegistered && r.Written {
		text += fmt.Sprintf("\n  source: %s; licence: %s", d.Source, d.Licence)
	}
	return text
}
