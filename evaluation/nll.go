package evaluation

import "sml/data/portable"

// floor keeps the logarithm and the quotient of the NLL finite at std = 0. Its
// value, and that it stands once beside std² and once beside 2·std², is the
// paper's notebook.
const floor = 1e-10

// nll is the Gaussian negative log-likelihood without its constant: the mean
// of ½·log(std²+1e-10) + (y−mean)²/(2·std²+1e-10).
func nll(mean, std, y []float64) float64 {
	var sum float64
	for i := range y {
		variance, d := float64(std[i]*std[i]), y[i]-mean[i]
		sum += float64(0.5*portable.Log(variance+floor)) + float64(d*d)/(float64(2*variance)+floor)
	}
	return sum / float64(len(y))
}
