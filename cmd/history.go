package cmd

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/evaluation/report"
	"sml/evaluation/report/drawing"
	"sml/models"
)

// historyCommand returns the command "sml history".
func historyCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "history",
		Usage:     "draw the training loss and its terms over the epochs",
		UsageText: "sml history MODEL --out FILE.svg|FILE.png",
		Action:    argumentAction("the model's directory", drawHistory),
	}, []string{
		"sml history model --out loss.svg",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "write the picture to `FILE`, as SVG or PNG by its extension"},
		forceFlag("out"),
	}})
}

// drawHistory draws the loss and its terms over the epochs of the training of the model in dir.
func drawHistory(c *cli.Context, dir string) error {
	if c.String("out") == "" {
		return usageErrorf("--out is missing: name a file for the picture, .svg or .png")
	}
	encode, err := drawing.Encoder(c.String("out"))
	if err != nil {
		return usageErrorf("--out %s: want a name that ends in .svg or .png", c.String("out"))
	}
	if err := checkFileFlag(c, "out"); err != nil {
		return err
	}
	h, err := models.LoadHistory(dir)
	if err != nil {
		return err
	}
	curves := make([]report.Curve, len(h.Columns))
	for j, name := range h.Columns {
		curves[j].Name = name
		for _, row := range h.Rows {
			for row.Member >= len(curves[j].Members) {
				curves[j].Members = append(curves[j].Members, nil)
			}
			if row.Member < 0 || j >= len(row.Values) {
				return fmt.Errorf("%s: the history has a row that is not of a member", dir)
			}
			curves[j].Members[row.Member] = append(curves[j].Members[row.Member], row.Values[j])
		}
	}
	figure, err := report.History(curves)
	if err != nil {
		return err
	}
	return writeFileFlag(c, "out", func(w io.Writer) error { return encode(figure, w) })
}
