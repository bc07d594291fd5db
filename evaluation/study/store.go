package study

import (
	"fmt"
	"os"
	"path/filepath"

	"sml/internal/safefile"
)

// Folders of a study.
const (
	cellsDir       = "cells"       // results
	predictionsDir = "predictions" // prediction files
	claimsDir      = "claims"      // locks of running cells
	checkpointsDir = "checkpoints" // states of trainings that were stopped
)

// maxCellsPerFolder is the largest number of cells whose files share one folder. The files of a larger
// study are spread over 256 folders, since shared file systems are slow with large ones.
const maxCellsPerFolder = 1000

// Largest sizes of a study's files, in bytes.
const (
	maxCellBytes       = 1 << 20 // a result has about two thousand
	maxPredictionBytes = 1 << 30 // predictions of one cell: a row takes about 150
)

// filePath returns the path of a cell's file in a folder of the study. In a large study the file lies in a subfolder
// with the first two digits of the hash that ends the cell's name.
func (p *Plan) filePath(dir, folder, name, suffix string) string {
	if len(p.Cells) <= maxCellsPerFolder {
		return filepath.Join(dir, folder, name+suffix)
	}
	hash := name[len(name)-hashDigitsInName:]
	return filepath.Join(dir, folder, hash[:2], name+suffix)
}

// cellPath returns the path of the result of the cell with the given name.
func (p *Plan) cellPath(dir, name string) string { return p.filePath(dir, cellsDir, name, ".json") }

// predictionPath returns the path of a prediction file of the cell with the given name. The suffix has no dot in front.
func (p *Plan) predictionPath(dir, name, suffix string) string {
	return p.filePath(dir, predictionsDir, name, "."+suffix)
}

// replaceFile writes a file of the study in dir, in place of an earlier one, and makes its folder.
func replaceFile(dir, path string, content []byte) error {
	if err := makeFolder(dir, filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Replace(path, safefile.WriteBytes(content))
}

// makeFolder makes a folder in dir, unless it exists. It returns an error if the folder, or a folder between it and
// dir, is a symbolic link: a study writes its own files only.
func makeFolder(dir, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for current := folder; current != dir; current = filepath.Dir(current) {
		if current == filepath.Dir(current) { // the root of the file system
			return nil
		}
		info, err := os.Lstat(current) // MkdirAll has followed links to directories
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a symbolic link: a study writes its own files only", current)
		}
	}
	return nil
}
