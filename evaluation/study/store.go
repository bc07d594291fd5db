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
	predictionsDir = "predictions" // kept files
	claimsDir      = "claims"      // running cells
	checkpointsDir = "checkpoints" // trainings that were stopped
)

// maxFlat is the largest number of cells whose files share one folder. The files of a larger
// study are spread over 256 folders, since shared file systems are slow with large ones.
const maxFlat = 1000

// Largest sizes of a study's files, in bytes.
const (
	maxCellBytes        = 1 << 20 // a result has about two thousand
	maxPredictionBytes = 1 << 30 // predictions of one cell: a row takes about 150
)

// filePath returns the path of a cell's file in a folder of the study.
func (p *Plan) filePath(dir, folder, name, suffix string) string {
	if len(p.Cells) <= maxFlat {
		return filepath.Join(dir, folder, name+suffix)
	}
	hash := name[len(name)-hashDigitsInName:]
	return filepath.Join(dir, folder, hash[:2], name+suffix)
}

// cellPath returns the path of a cell's result.
func (p *Plan) cellPath(dir, name string) string { return p.filePath(dir, cellsDir, name, ".json") }

// predictionPath returns the path of a kept file. The suffix has no
// dot in front.
func (p *Plan) predictionPath(dir, name, suffix string) string {
	return p.filePath(dir, predictionsDir, name, "."+suffix)
}

// replaceFile writes a file of the study in dir, and makes its folder.
func replaceFile(dir, path string, content []byte) error {
	if err := makeFolder(dir, filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Replace(path, safefile.WriteBytes(content))
}

// makeFolder makes a folder in dir. It returns an error if a symbolic link lies on the way:
// a study writes its own files only.
func makeFolder(dir, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for ; folder != dir && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a symbolic link: a study writes its own files only", folder)
		}
	}
	return nil
}
