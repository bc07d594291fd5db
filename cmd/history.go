package cmd

import (
	"errors"
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
	history, err := models.LoadHistory(dir)
	if err != nil {
		return err
	}
	var curves []report.Curve
	for column := range history.Columns {
		curve, err := historyCurve(history, column)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		curves = append(curves, curve)
	}
	figure, err := report.History(curves)
	if err != nil {
		return err
	}
	return writeFileFlag(c, "out", func(w io.Writer) error { return encode(figure, w) })
}

// historyCurve returns the values of a column of a training history, by ensemble member and epoch. It
// returns an error if a row has no member or lacks the column, as a row of an edited file may.
func historyCurve(h models.History, column int) (report.Curve, error) {
	curve := report.Curve{Name: h.Columns[column]}
	for _, row := range h.Rows {
		if row.Member < 0 || column >= len(row.Values) {
			return curve, errors.New("the history has a row without a member or with too few values")
		}
		for row.Member >= len(curve.Members) { // the member's first row
			curve.Members = append(curve.Members, nil)
		}
		curve.Members[row.Member] = append(curve.Members[row.Member], row.Values[column])
	}
	return curve, nil
}
