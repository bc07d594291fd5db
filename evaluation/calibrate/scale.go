package calibrate

import "math"

var scale = Kind{
	Name: "scale", Title: "σ scaled",
	Summary: "σ times one factor, by which the likelihood of the rows is greatest",
	Source:  "Levi et al. (2022), Evaluating and calibrating uncertainty prediction in regression tasks, sect. 5; Laves et al. (2020)",
	Fit:     scaled,
}

// scaled is the factor k that minimises Σ ½ log(k²σ²) + (μ − y)²/(2k²σ²): the root of the
// mean of r², by the rows' weights.
func scaled(s Sample) Fitted {
	var sum, of float64
	for i, std := range s.Std {
		r, w := (s.Mean[i]-s.Y[i])/std, 1.0
		if s.Weights != nil {
			w = s.Weights[i]
		}
		sum += float64(w * float64(r*r))
		of += w
	}
	return Fitted{Scale: math.Max(math.Sqrt(sum/of), smallest)}
}

// smallest keeps the standard deviation of what is exact on all rows above 0.
const smallest = 1e-6
