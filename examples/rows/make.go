package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"sml/data"
	"sml/data/write"
)

// makeFile writes a Parquet file with a number of rows of Friedman's function, and ten more inputs on which the target
// does not depend.
func makeFile(path string, rows int) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var columns []write.Column
	for i := range 20 {
		columns = append(columns, write.Column{Name: fmt.Sprintf("x%d", i+1), Kind: write.Number})
	}
	columns = append(columns, write.Column{Name: "y", Kind: write.Number})
	writer, err := write.NewWriter(file, columns, write.Options{Format: "parquet"})
	if err != nil {
		return err
	}
	var block write.Block
	for from := 0; from < rows; from += blockRows {
		block.Reset()
		table := data.Friedman(min(blockRows, rows-from), uint64(2*from))
		others := data.Friedman(min(blockRows, rows-from), uint64(2*from+1))
		for i, y := range table.Y {
			var cells []write.Cell
			for _, v := range slices.Concat(table.X[10*i:10*i+10], others.X[10*i:10*i+10]) {
				cells = append(cells, write.Cell{Number: v})
			}
			writer.Append(&block, append(cells, write.Cell{Number: y}))
		}
		if err := writer.Write(&block); err != nil {
			return err
		}
	}
	return writer.Close()
}
