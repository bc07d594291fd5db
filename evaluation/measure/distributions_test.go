package measure

import "sml/models/distribution"

// quantilesOf returns distributions by their quantiles at levels.
func quantilesOf(levels []float64, rows [][]float64) []distribution.Distribution {
	var list []distribution.Distribution
	for _, row := range rows {
		list = append(list, distribution.Quantiles(levels...).New(row))
	}
	return list
}

// classesOf returns distributions of classes by their probabilities.
func classesOf(rows [][]float64) []distribution.Distribution {
	var list []distribution.Distribution
	for _, row := range rows {
		list = append(list, distribution.Classes(row))
	}
	return list
}
