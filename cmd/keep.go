package cmd

import (
	"encoding/csv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
)

func keepFlag(file string) cli.Flag {
	return &cli.StringSliceFlag{Name: "keep", Usage: "copy these `COLUMNS` of " + file + " unchanged: names or numbers with commas between them, or all; quote a name that has a comma"}
}

// keepFrom adds to options what --keep says.
func keepFrom(c *cli.Context, o *data.Options) error {
	for _, text := range c.StringSlice("keep") {
		if text == "all" {
			o.KeepAll = true
			continue
		}
		line := csv.NewReader(strings.NewReader(text))
		line.TrimLeadingSpace = true
		names, err := line.Read()
		if err != nil || strings.Contains(text, "\n") {
			return usage("--keep %q: want names of columns with commas between them, such as id,date; one with a comma in quotes", text)
		}
		o.Keep = append(o.Keep, names...)
	}
	return nil
}
