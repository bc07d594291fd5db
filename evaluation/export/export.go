// Package export writes models for other runtimes, as ONNX:
//
//	export.go       the file: what comes in, and what goes out
//	inputs.go       the preparation of a table's columns, and their scale
//	date.go         the parts of a date
//	network.go      networks, and the masks of their sub-networks
//	prediction.go   what a method makes of what its networks say
//	calibration.go  what a calibration makes of that
//	unit.go         predictions in their target's own unit
//	transform.go    the way back from what the target was put through
package export

import (
	"cmp"
	"fmt"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/internal/onnx"
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
	// Masks is the source of the masks and the noise of sub-networks: "drawn" by the file,
	// the default; "given" as inputs; or "none", without sub-networks, where the full
	// network stands for them.
	Masks string

	Samples  int     // number of sub-networks for each row if Masks is "drawn"; default evaluation.DefaultSamples
	Seed     uint64  // seed of drawn masks and noise
	Coverage float64 // of the interval from lower to upper; default 0.95, of quantiles the widest
	Raw      bool    // without the model's calibration
	Network  bool    // what the networks say, as they say it, in place of predictions
	Version  string  // of the program, which the file names
}

// writer puts a model into a file.
type writer struct {
	*onnx.File
	Options
	model             *experiment.Model
	method            models.Method
	rows              onnx.Value // how many there are, a list of one
	requestedCoverage float64    // coverage that is asked for; 0: none

	calibration *calibrate.Calibration // nil: there is none
}

// ONNX returns a model as a file of ONNX 1.12 (operators 17, ai.onnx.ml 2). Its inputs are
// the columns of a table, one tensor [rows] each: numbers as double, NaN where missing;
// dates as double, seconds since 1970 in UTC; texts as string, "" where missing. Outputs
// are what predictions are made of, [rows] in the target's unit, double: mean, std,
// dropout_std, dropout_offset, lower, upper, quantiles q0.05 and so on, probabilities p0 and so on,
// behind the target's name where there are several. With Masks "none" there are only the
// outputs that need no sub-network.
//
// With Masks "given", masks and noise are inputs [samples, rows, units], or [samples, …] if they
// apply to weights. Notes of the file describe them. With Network the file has the
// standardised outputs of each member: members.0.outputs [rows, outputs] of the full network and
// members.0.draws [samples, rows, outputs] of the sub-networks.
//
// It is an error if the network or, without Network, the prediction has an operation that
// ONNX has not.
func ONNX(m *experiment.Model, o Options) ([]byte, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return nil, err
	}
	asked := o.Coverage
	o.Samples, o.Coverage = cmp.Or(o.Samples, evaluation.DefaultSamples), cmp.Or(o.Coverage, 0.95)
	if o.Masks = cmp.Or(o.Masks, masksDrawn); !method.Stochastic {
		o.Masks = masksNone
	}
	if n := m.SubNetworks(0).Len(); n > 0 {
		o.Samples = min(o.Samples, n)
	}
	w := &writer{File: onnx.NewFile(method.Name), Options: o, model: m, method: method, requestedCoverage: asked}
	w.Producer, w.File.Version, w.About = "sml", o.Version, method.Summary
	w.Notes = append(w.Notes, [2]string{"method", method.Name}, [2]string{"masks", o.Masks})
	switch {
	case o.Masks != masksDrawn && o.Masks != masksGiven && o.Masks != masksNone:
		return nil, fmt.Errorf("masks are drawn, given or none, not %q", o.Masks)
	case o.Network:
	}
	if err := w.chooseCalibration(); err != nil {
		return nil, err
	}
	x, err := w.networkInputs()
	if err != nil {
		return nil, err
	}
	said, err := w.writeNetworks(x)
	switch {
	case err != nil:
	case o.Network:
		w.declareNetworkOutputs(said)
	default:
		var p prediction
		if p, err = w.combinedPrediction(said); err == nil {
			err = w.declarePrediction(p)
		}
	}
	if err != nil {
		return nil, err
	}
	return w.Bytes()
}
