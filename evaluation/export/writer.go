package export

import (
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/evaluation/export/onnx"
	"sml/models"
)

// writer writes one model into an ONNX file.
type writer struct {
	*onnx.File
	Options
	model  *experiment.Model
	method models.Method
	rows   onnx.Value // number of rows, [1], which is known only when the file runs

	requestedCoverage float64 // Options.Coverage as the caller chose it; 0 for the default

	calibration *calibrate.Calibration // nil if the file does not calibrate
	outputs     []output               // predicted values that the file returns
}

// isAnalytic reports whether the file computes the moments of sub-networks without running any.
func (w *writer) isAnalytic() bool {
	return w.Moments == evaluation.AnalyticMoments && w.method.UsesSubNetworks()
}
