package models

import (
	"errors"
	"fmt"
	"runtime"

	"sml/data"
)

// explainMissingMoments adds to the error of a predictor that panicked which moments it does not have, and
// which field of the method would add them. outputs is the number of network outputs for each target.
func (m Method) explainMissingMoments(err error, outputs int) error {
	switch {
	case !errors.As(err, new(runtime.Error)): // no panic such as an index out of range or a call of nil
		return err
	case !m.UsesSubNetworks():
		return fmt.Errorf("%w; its Moments have the %d outputs of the full network and, without SubNetworks: models.SubNetworkMoments, nothing from sub-networks", err, outputs)
	case m.SubNetworks != EachSubNetwork:
		return fmt.Errorf("%w; its Moments have mean and standard deviation over the sub-networks, and without SubNetworks: models.EachSubNetwork there is no MeanOverDraws and no ForEachDraw", err)
	}
	return err
}

// fillConstants fills the inputs that do not depend on a network's outputs: the scalers of the targets, the stored
// matrices, the hidden layers, which get invented values, and the parameters of PredictionOptions.
func (r *predictionRunner) fillConstants(o PredictionOptions, parts *networkParts) {
	mean := r.inputs[targetMeanInput]
	std := r.inputs[targetStdInput]
	for target := range r.targets {
		scaler := data.Scaler{Std: 1}
		if target < len(o.Scalers) {
			scaler = o.Scalers[target]
		}
		mean[target] = scaler.Mean
		std[target] = scaler.Std
	}
	for _, name := range parts.layers {
		values := r.inputs[layerInput(name)]
		for i := range values {
			values[i] = float64(0.1 * float64(1+i%10)) // invented, from 0.1 to 1
		}
	}
	r.fill(NetworkOutputs{Stored: parts.stored})
	for _, m := range parts.parameters {
		r.parameters = append(r.parameters, m.Name)
		convert(r.inputs[parameterInput(m.Name)], m.Values)
	}
}

// fill copies the outputs of a network into the inputs.
func (r *predictionRunner) fill(o NetworkOutputs) {
	fillOutputs(r, fullInput, o.Full)
	fillOutputs(r, meanInput, o.Mean)
	fillOutputs(r, stdInput, o.Std)
	for name, values := range o.Layers {
		convert(r.inputs[layerInput(name)], values)
	}
	for _, m := range o.Stored {
		convert(r.inputs[storedInput(m.Name)], m.Values)
	}
	if o.Params == nil {
		return
	}
	for _, name := range r.parameters {
		m, err := FindParameter(o.Params, name)
		if err == nil { // all networks of a spec have the same parameters
			convert(r.inputs[parameterInput(name)], m.Values)
		}
	}
}

// convert copies values to the beginning of dst, unless dst is nil.
func convert(dst []float64, values []float32) {
	for i := range min(len(dst), len(values)) {
		dst[i] = float64(values[i])
	}
}

// fillOutputs copies the outputs [rows, outputs·targets] of a network into one input [rows, targets] for
// each output: a row of outputs has the first output of every target, then the second, and so on. name returns the name of
// the input for an output, which the graph need not use.
func fillOutputs[T float32 | float64](r *predictionRunner, name func(output int) string, outputs []T) {
	width := r.targets * r.outputs
	for i := range r.outputs {
		dst := r.inputs[name(i)]
		if dst == nil {
			continue
		}
		for row := range len(outputs) / width {
			for target, v := range outputs[row*width+i*r.targets:][:r.targets] {
				dst[row*r.targets+target] = float64(v)
			}
		}
	}
}
