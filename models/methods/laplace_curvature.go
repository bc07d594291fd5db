package methods

import (
	"fmt"

	"sml/internal/linear"
	"sml/models"
)

// layerCurvature is the generalised Gauss-Newton matrix of a layer for a noise of variance 1, as eigenvalues and
// eigenvectors.
type layerCurvature struct {
	values [][]float64 // eigenvalue of each weight [inputs + 1, units], the biases last

	// inputBasis and slopeBasis have the eigenvectors of the Kronecker factors as rows. They are nil for a diagonal,
	// whose eigenvectors are the weights.
	inputBasis, slopeBasis [][]float64
}

// newKronecker returns the curvature of a layer whose matrix is the Kronecker product of two symmetric matrices, which
// it overwrites: of the inputs with a 1, and of the slopes.
func newKronecker(inputs, slopes [][]float64) (c layerCurvature, err error) {
	var inputValues, slopeValues []float64
	inputValues, c.inputBasis, err = linear.Eigen(inputs)
	if err != nil {
		return c, err
	}
	slopeValues, c.slopeBasis, err = linear.Eigen(slopes)
	if err != nil {
		return c, err
	}
	c.values = linear.NewMatrix(len(inputValues), len(slopeValues))
	for i, row := range c.values {
		for j := range row {
			row[j] = max(0, inputValues[i]) * max(0, slopeValues[j]) // rounding may have made one of them negative
		}
	}
	return c, nil
}

// Names of the matrices that a model stores for layer i.
func inputBasisName(i int) string   { return fmt.Sprintf("input basis %d", i) }   // of the inputs [inputs, inputs + 1]
func biasBasisName(i int) string    { return fmt.Sprintf("bias basis %d", i) }    // of the constant 1 [1, inputs + 1]
func slopeBasisName(i int) string   { return fmt.Sprintf("slope basis %d", i) }   // of the slopes [units, units]
func varianceName(i int) string     { return fmt.Sprintf("variance %d", i) }      // [inputs + 1, units], or [inputs, units] of a diagonal
func biasVarianceName(i int) string { return fmt.Sprintf("bias variance %d", i) } // [1, units] of a diagonal

// store stores the variances 1/(d/noise + prior) of the weights of layer i, where d are the eigenvalues for a noise
// of variance 1, and the bases in which the weights are uncorrelated.
func (c layerCurvature) store(n *models.TrainedNetwork, i int, prior, noise float64) error {
	inputs := len(c.values) - 1
	units := len(c.values[0])
	var variances []float64
	for _, row := range c.values {
		for _, d := range row {
			variances = append(variances, 1/(d/noise+prior))
		}
	}
	if c.inputBasis == nil {
		if err := n.Store(varianceName(i), inputs, units, variances[:inputs*units]); err != nil {
			return err
		}
		return n.Store(biasVarianceName(i), 1, units, variances[inputs*units:])
	}
	basis := transposed(c.inputBasis) // eigenvectors as columns, for products of rows with them
	if err := n.Store(inputBasisName(i), inputs, inputs+1, basis[:inputs*(inputs+1)]); err != nil {
		return err
	}
	if err := n.Store(biasBasisName(i), 1, inputs+1, basis[inputs*(inputs+1):]); err != nil {
		return err
	}
	if err := n.Store(slopeBasisName(i), units, units, transposed(c.slopeBasis)); err != nil {
		return err
	}
	return n.Store(varianceName(i), inputs+1, units, variances)
}

// transposed returns the elements of a square matrix, column by column.
func transposed(matrix [][]float64) []float64 {
	values := make([]float64, 0, len(matrix)*len(matrix))
	for j := range matrix {
		for _, row := range matrix {
			values = append(values, row[j])
		}
	}
	return values
}
