package calibrate

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"sml/models/distribution"
)

// Conformal scores of classes. A class is in the set of coverage c if its score is at most the score with the rank
// ⌈(n + 1)c⌉ of the scores that the true classes of n calibration rows have: the set of a new row then contains its true
// class with probability c at least, and with c + 1/(n + 1) at most if no scores are equal.
var (
	leastAmbiguous = Kind{
		Name:        "lac",
		Title:       "LAC",
		Summary:     "for classes: sets of the classes whose probability is at least a threshold, the smallest sets of a coverage on average",
		Source:      "Sadinle, Lei & Wasserman (2019), Least ambiguous set-valued classifiers with bounded error levels; MAPIE, lac",
		classScores: missingProbability,
		Rows:        rowsOfSizes,
	}
	adaptiveSets = Kind{
		Name:        "aps",
		Title:       "APS",
		Summary:     "for classes: sets of the most probable classes up to a sum of probabilities, larger for rows that are harder to tell",
		Source:      "Romano, Sesia & Candès (2020), Classification with valid and adaptive coverage, whose random number of a row follows here from its probabilities, so that a row always has the same set; MAPIE, aps",
		classScores: cumulativeProbability,
		Rows:        rowsOfSizes,
	}
)

// missingProbability returns 1 minus the probability of each class.
func missingProbability(p distribution.Classes) []float64 {
	scores := make([]float64, len(p))
	for class, probability := range p {
		scores[class] = 1 - probability
	}
	return scores
}

// cumulativeProbability returns the cumulative probabilities of the classes, with a random number that follows from them.
func cumulativeProbability(p distribution.Classes) []float64 { return cumulate(p, uniformOf(p)) }

// cumulate adds up the probabilities of the classes, the most probable first. Each class has the sum of the classes before it
// plus the part 1 - u of its own probability, with u from 0 to 1.
func cumulate(p distribution.Classes, u float64) []float64 {
	order := make([]int, len(p))
	for class := range order {
		order[class] = class
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	scores := make([]float64, len(p))
	sum := 0.0
	for _, class := range order {
		scores[class] = sum + float64((1-u)*p[class])
		sum += p[class]
	}
	return scores
}

// uniformOf returns a number from 0 to 1 that looks random and is the same for the same probabilities: their hash.
func uniformOf(p distribution.Classes) float64 {
	h := fnv.New64a()
	var bits [8]byte
	for _, probability := range p {
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(probability))
		h.Write(bits[:])
	}
	r := rand.New(rand.NewPCG(h.Sum64(), 0)) // mixes the bits
	return r.Float64()
}

// trueScores returns the score of the true class of each row.
func (s sample) trueScores(scoresOf func(distribution.Classes) []float64) []float64 {
	scores := make([]float64, len(s.Y))
	for row, class := range s.Y {
		scores[row] = scoresOf(s.classes(row))[int(class)]
	}
	return scores
}

// withSets returns the distribution over classes with sets whose bounds follow from the scores of calibration rows.
func (k Kind) withSets(p distribution.Classes, calibration OrderStatistics) distribution.ClassSets {
	return distribution.ClassSets{Classes: p, Scores: k.classScores(p), Bound: calibration.boundOf}
}

// boundOf returns the value with the rank ⌈(n + 1)c⌉ for a coverage c, +Inf if n values are too few. n is the weight of
// all values.
func (s OrderStatistics) boundOf(coverage float64) float64 {
	rank := leastRank(float64(coverage * (s.known() + 1)))
	for i, v := range s.Values {
		if s.rank(i) >= rank {
			return v
		}
	}
	return math.Inf(1)
}
