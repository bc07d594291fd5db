package evaluation

import "sml/data/portable"

// normalCDF is Φ(z), with full relative precision in the lower tail.
func normalCDF(z float64) float64 {
	return portable.NormalCDF(z)
}

// normalPDF is φ(z), the density of N(0,1).
func normalPDF(z float64) float64 {
	return portable.NormalPDF(z)
}
