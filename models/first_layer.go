package models

// FirstLayerInputs returns the number of inputs of the first layer: a.Inputs, with the numbers of its
// embedding in place of the inputs of each embedded column, the bins of the binned inputs, and the periodic embeddings.
func (a Architecture) FirstLayerInputs() int {
	binned := len(a.BinnedInputs())
	return a.Inputs - a.embeddedInputs() + len(a.Embeddings)*a.EmbeddingWidth + binned*a.binsPerInput(binned) + len(a.periodicInputs())*periodicWidth
}

// embeddedInputs returns the number of inputs of all embedded columns.
func (a Architecture) embeddedInputs() int {
	inputs := 0
	for _, e := range a.Embeddings {
		inputs += e.Categories
	}
	return inputs
}

// BinnedInputs returns the indices of the inputs that are encoded by bins, in ascending order: all inputs except
// indicators and the inputs of embedded columns. It returns nil if Bins is 0.
func (a Architecture) BinnedInputs() []int {
	if a.Bins == 0 {
		return nil
	}
	return a.numericInputs()
}

// periodicInputs returns the indices of the inputs that have a periodic embedding, in ascending order: all inputs
// except indicators and the inputs of embedded columns. It returns nil if Periodic is 0.
func (a Architecture) periodicInputs() []int {
	if a.Periodic == 0 {
		return nil
	}
	return a.numericInputs()
}

// EncodesNumbers reports whether numeric inputs are encoded besides their values, by bins or periodic embeddings.
func (a Architecture) EncodesNumbers() bool { return a.Bins > 0 || a.Periodic > 0 }

// numericInputs returns the indices of all inputs except indicators and the inputs of embedded columns, in ascending
// order.
func (a Architecture) numericInputs() []int {
	skipped := make([]bool, a.Inputs)
	for _, i := range a.Indicators {
		skipped[i] = true
	}
	for _, e := range a.Embeddings {
		for i := range e.Categories {
			skipped[e.First+i] = true
		}
	}
	var inputs []int
	for i, isSkipped := range skipped {
		if !isSkipped {
			inputs = append(inputs, i)
		}
	}
	return inputs
}

// binsPerInput returns the number of bins of each input if n inputs are encoded: a.Bins, or fewer if there would be
// more than maxBinInputs in all.
func (a Architecture) binsPerInput(n int) int {
	return min(a.Bins, max(minBins, maxBinInputs/max(1, n)))
}

const (
	// maxBinInputs is the largest number of bins of all inputs together, unless minBins for each are more: the
	// first layer has a row of weights for each bin.
	maxBinInputs = 1536
	minBins      = 4

	// periodicWidth is the number of units in the periodic embedding of an input.
	periodicWidth = 8
)
