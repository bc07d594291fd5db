package evaluation

import "testing"

func TestNormal(t *testing.T) {
	// SciPy 1.10.1: norm.cdf(z) and norm.pdf(z); ratios, for the tail counts too.
	near(t, "Φ(-30)", normalCDF(-30)/4.906713927147908e-198, 1, 1e-12)
	near(t, "Φ(-10)", normalCDF(-10)/7.61985302416047e-24, 1, 1e-12)
	near(t, "Φ(1.96)", normalCDF(1.96)/0.9750021048517795, 1, 1e-15)
	near(t, "φ(-30)", normalPDF(-30)/1.4736461348785476e-196, 1, 1e-12)
	near(t, "φ(0)", normalPDF(0)/0.3989422804014327, 1, 1e-15)
	near(t, "φ(2)", normalPDF(2)/0.05399096651318805, 1, 1e-15)
}
