package models

import (
	"io"
)

// Forget takes a method and a network out of the registries, so that a test's are
// not another's.
func Forget(name string) {
	known := methods.All()
	methods = newMethods()
	for _, m := range known {
		if m.Name != name {
			methods.Add(m)
		}
	}
	others := networks.All()
	networks = newNetworks()
	for _, n := range others {
		if n.Name != name {
			networks.Add(n)
		}
	}
}

// What tests of files look at.
const (
	ModelFile   = modelFile
	WeightsFile = weightsFile
	HistoryFile = historyFile
	RowsFile    = rowsFile
	StoredFile  = storedFile

	CalibrationRowsFile = calibrationRowsFile
)

var (
	WeightsSize = weightsSize
)

func (h History) Write(w io.Writer) error { return h.write(w) }

// Decode makes a model of the contents of its files; stored is empty if it has no such file.
func Decode(text, weights, stored []byte) (*Model, error) {
	d, _, err := decodeDescription(text)
	if err != nil {
		return nil, err
	}
	return d.model(weights, stored)
}
