// Package export writes trained models as ONNX files, which other programs can run. Such a file computes
// predictions in the targets' units from the columns of a table. Start with ONNX. The package does not run
// ONNX files.
//
// The source files follow the way of a row:
//
//	export.go       the options and the order of the steps
//	writer.go       what all steps know of the model and the file
//	inputs.go       preparation and scaling of a table's columns
//	date.go         parts of a date
//	network.go      networks and the dropout masks of their sub-networks
//	prediction.go   predictions from the networks' outputs
//	calibration.go  calibration of predictions
//	unit.go         predictions in their target's own unit
//	transform.go    inverse transforms of targets
package export

import (
	"cmp"
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/evaluation/export/onnx"
	"sml/models"
)

// Values of Options.Masks.
const (
	masksDrawn = "drawn"
	masksGiven = "given"
	masksNone  = "none"
)

// Options control what an ONNX file contains. The zero value is ready to use.
type Options struct {
	// Masks says where the dropout masks and the noise of sub-networks come from: "drawn", the
	// default, if the file draws them; "given" if they are inputs of the file; or "none" if only the
	// full network runs.
	Masks string

	// Moments says where mean and standard deviation over the sub-networks come from. Analytic moments need no masks:
	// Masks and Samples do not matter then.
	Moments evaluation.MomentSource

	Samples      int     // number of sub-networks if Masks is "drawn"; default evaluation.DefaultSamples
	Seed         uint64  // seed of drawn masks and noise
	Coverage     float64 // coverage of the interval from lower to upper; default calibrate.DefaultCoverage, and at most the distance between the outermost levels of predicted quantiles
	Uncalibrated bool    // whether to leave out the model's calibration
	Network      bool    // whether the outputs are the networks' own, standardised, instead of predictions
	Version      string  // version of the program, which the file records
}

// ONNX returns a model as a file of ONNX 1.12 (operators 17, ai.onnx.ml 2).
//
// Its inputs are the columns of a table, one tensor [rows] each: numbers as double, NaN where
// missing; dates as double, seconds since 1970 of the local time that is written; texts as string, "" where missing. Its
// outputs are predictions in the target's unit, double [rows] each: mean, std, std_drop, offset,
// lower, upper, quantiles q0.05 and so on, or p_LABEL for each class. If there are several
// targets, the target's name comes first, and classes are p0 and so on. All outputs of a row are NaN if
// the program would refuse to predict it. With Masks "none" there are only the outputs that need
// no sub-network, and with analytic Moments all of them.
//
// With Masks "given", masks and noise are inputs [samples, rows, units], or [samples, …] if they
// apply to weights. Notes in the file describe them. With Network the file has the standardised
// outputs of each member: members.0.outputs [rows, outputs] of the full network and members.0.draws
// [samples, rows, outputs] of the sub-networks or, with analytic Moments, members.0.mean and members.0.variance over all
// sub-networks, [rows, outputs].
//
// ONNX returns an error if the network or, without Network, the prediction uses an operation that
// ONNX lacks.
func ONNX(m *experiment.Model, o Options) ([]byte, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(m, method, o)
	if err != nil {
		return nil, err
	}
	if err := w.chooseCalibration(); err != nil {
		return nil, err
	}
	x, err := w.networkInputs()
	if err != nil {
		return nil, err
	}
	outputs, err := w.writeNetworks(x)
	if err != nil {
		return nil, err
	}
	if o.Network {
		w.declareNetworkOutputs(outputs)
		return w.Bytes()
	}
	prediction, err := w.combinedPrediction(outputs)
	if err != nil {
		return nil, err
	}
	if err := w.declarePrediction(prediction); err != nil {
		return nil, err
	}
	w.writeOutputs(x)
	return w.Bytes()
}

// newWriter returns a writer with the defaults of the options filled in. It returns an error if
// Options.Masks is not valid, or if the model cannot have Options.Moments.
func newWriter(m *experiment.Model, method models.Method, o Options) (*writer, error) {
	requestedCoverage := o.Coverage
	o.Samples = cmp.Or(o.Samples, evaluation.DefaultSamples)
	o.Coverage = cmp.Or(o.Coverage, calibrate.DefaultCoverage)
	o.Masks = cmp.Or(o.Masks, masksDrawn)
	if !method.UsesSubNetworks() {
		o.Masks = masksNone
	}
	if o.Moments == evaluation.AnalyticMoments {
		o.Masks = masksNone
		if err := o.Moments.Check(m.Spec); err != nil {
			return nil, err
		}
	}
	if stored := m.SubNetworks(0).Len(); stored > 0 {
		o.Samples = min(o.Samples, stored)
	}
	if !slices.Contains([]string{masksDrawn, masksGiven, masksNone}, o.Masks) {
		return nil, fmt.Errorf("unknown masks %q; want drawn, given or none", o.Masks)
	}
	w := &writer{
		File:              onnx.NewFile(method.Name),
		Options:           o,
		model:             m,
		method:            method,
		requestedCoverage: requestedCoverage,
	}
	w.Producer = "sml"
	w.File.Version = o.Version
	w.About = method.Summary
	w.Notes = append(w.Notes, [2]string{"method", method.Name}, [2]string{"masks", o.Masks})
	if w.isAnalytic() {
		w.Notes = append(w.Notes, [2]string{"moments", string(o.Moments)})
	}
	return w, nil
}
