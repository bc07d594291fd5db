package cmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
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

// parquet FILE.csv FILE.parquet: the latter has the former's rows, in columns of numbers
// or texts.
func asParquet(ts *testscript.TestScript, neg bool, args []string) {
	rows := cellsOf(ts, args[0])
	var fields []reflect.StructField
	for c, name := range rows[0] {
		kind := reflect.TypeFor[*float64]()
		for _, row := range rows[1:] {
			if _, err := strconv.ParseFloat(row[c], 64); err != nil && row[c] != "" {
				kind = reflect.TypeFor[*string]()
			}
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", c), Type: kind, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", name+",optional"))})
	}
	row := reflect.StructOf(fields)
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.SchemaOf(reflect.New(row).Interface()))
	for _, cells := range rows[1:] {
		value := reflect.New(row)
		for c, text := range cells {
			switch number, err := strconv.ParseFloat(text, 64); {
			case text == "":
			case fields[c].Type == reflect.TypeFor[*float64]():
				ts.Check(err)
				value.Elem().Field(c).Set(reflect.ValueOf(&number))
			default:
				value.Elem().Field(c).Set(reflect.ValueOf(&text))
			}
		}
		ts.Check(w.Write(value.Interface()))
	}
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o666))
}
