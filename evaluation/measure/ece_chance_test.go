package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/page"
	"sml/internal/statistics"
)

// chanceRows are the numbers of rows in the table of chance levels.
var chanceRows = []int{10, 23, 50, 100, 200, 500, 1000, 5000}

// The page of measures says which ECE an honest model has by chance. After a change,
//
//	go test ./evaluation/measure -run TestECEByChance -update
//
// writes the table. Φ(r) of an honest model are uniform and independent, so the table is drawn from
// uniform numbers. Their mean under the sound protocol is also known exactly.
func TestECEByChance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	text := "\n| rows | mean | 19 of 20 models are below | mean, paper protocol |\n| ---: | ---: | ---: | ---: |\n"
	for _, n := range chanceRows {
		sound, paper := honestECEs(n)
		mean := statistics.Mean(sound)
		if want := expectedHonestECE(n); math.Abs(mean-want) > 0.01*want {
			t.Errorf("%d rows: the mean of the draws is %.4g, and the exact mean %.4g", n, mean, want)
		}
		slices.Sort(sound)
		text += fmt.Sprintf("| %d | %.2f | %.2f | %.2f |\n", n, expectedHonestECE(n), sound[len(sound)*19/20], statistics.Mean(paper))
	}
	section := page.Section{Path: "../../docs/reference/measures.md", Name: "the chance levels"}
	section.Check(t, text+"\n")
}

// honestECEs returns the ECE of many honest models on n rows each, under both protocols.
func honestECEs(n int) (sound, paper []float64) {
	const models = 4000
	random := rand.New(rand.NewPCG(1, uint64(n)))
	q := make([]float64, n)
	for range models {
		for i := range q {
			q[i] = random.Float64()
		}
		sound = append(sound, calibrationError(q, nil, data.Sound))
		paper = append(paper, calibrationError(q, nil, data.Paper))
	}
	return sound, paper
}

// expectedHonestECE returns the mean ECE of honest models on n rows under the sound protocol: bins
// times the mean absolute deviation of a binomial distribution, divided by n.
func expectedHonestECE(n int) float64 {
	const p = 1.0 / eceBins
	deviation := 0.0
	for k := range n + 1 {
		deviation += binomialProbability(n, k, p) * math.Abs(float64(k)-float64(n)*p)
	}
	return eceBins * deviation / float64(n)
}

// binomialProbability returns the probability of k successes in n trials that succeed with
// probability p.
func binomialProbability(n, k int, p float64) float64 {
	logFactorial := func(m int) float64 {
		v, _ := math.Lgamma(float64(m + 1))
		return v
	}
	ways := logFactorial(n) - logFactorial(k) - logFactorial(n-k)
	return math.Exp(ways + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}
