package cmd

import (
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xuri/excelize/v2"
)

// cellsOf reads the CSV of a script.
func cellsOf(ts *testscript.TestScript, file string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(file))).ReadAll()
	ts.Check(err)
	return rows
}

// workbook FILE.csv FILE.xlsx [SHEET]: the latter has the former's rows in its first
// sheet, or in one of that name behind another; numbers and dates are cells of these kinds.
func workbook(ts *testscript.TestScript, neg bool, args []string) {
	f := excelize.NewFile()
	defer f.Close()
	sheet := "Sheet1"
	if len(args) > 2 {
		sheet = args[2]
		ts.Check(f.SetCellValue("Sheet1", "A1", "nothing to see here"))
		_, err := f.NewSheet(sheet)
		ts.Check(err)
	}
	for r, row := range cellsOf(ts, args[0]) {
		for c, text := range row {
			name, err := excelize.CoordinatesToCellName(c+1, r+1)
			ts.Check(err)
			var value any = text
			if number, err := strconv.ParseFloat(text, 64); err == nil {
				value = number
			} else if day, err := time.Parse(time.DateOnly, text); err == nil {
				value = day
			} else if text == "" {
				continue
			}
			ts.Check(f.SetCellValue(sheet, name, value))
		}
	}
	ts.Check(f.SaveAs(ts.MkAbs(args[1])))
}
