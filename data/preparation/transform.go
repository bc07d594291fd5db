package preparation

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"sml/data"
	"sml/data/portable"
)

// Transform is what a target is put through before it is standardised: an ascending
// function, so that quantiles of what is predicted are those of the target. It is
// fitted on training rows.
type Transform struct {
	Name string `json:"name"`

	// Knots, of quantile-normal, are quantiles of the training targets at equal
	// distances, from the smallest to the largest.
	Knots []float64 `json:"knots,omitempty"`
}

// TransformNames lists the transforms.
func TransformNames() []string { return []string{"log", "log1p", "sqrt", "quantile-normal"} }

// mostKnots is enough to tell the quantiles of a training set apart.
const mostKnots = 1001

// fitTransform fits a transform to the training targets.
func fitTransform(name, target string, y []float64) (Transform, error) {
	t := Transform{Name: name}
	low, high := slices.Min(y), slices.Max(y)
	least := map[string]float64{"log": math.SmallestNonzeroFloat64, "log1p": math.Nextafter(-1, 0), "sqrt": 0}
	if from, ok := least[name]; ok && low < from {
		return t, fmt.Errorf("the target %q is %v in a training row, and %s is of %s alone; choose another transform", target, low, name, map[string]string{"log": "numbers above 0", "log1p": "numbers above −1", "sqrt": "0 and more"}[name])
	}
	if name != "quantile-normal" {
		return t, nil
	}
	if low == high {
		return t, fmt.Errorf("the target %q is %v in every training row, and has no quantiles", target, low)
	}
	sorted := slices.Sorted(slices.Values(y))
	n := min(len(sorted), mostKnots)
	for i := range n {
		at := float64(float64(i) / float64(n-1) * float64(len(sorted)-1))
		below := int(at)
		above := min(below+1, len(sorted)-1)
		t.Knots = append(t.Knots, sorted[below]+float64((at-float64(below))*(sorted[above]-sorted[below])))
	}
	return t, nil
}

// check is an error for a transform that cannot have been fitted.
func (t Transform) check() error {
	switch {
	case !slices.Contains(TransformNames(), t.Name):
		return fmt.Errorf("unknown transform %q: there is %s", t.Name, strings.Join(TransformNames(), ", "))
	case t.Name == "quantile-normal" && (len(t.Knots) < 2 || !slices.IsSorted(t.Knots) || t.Knots[0] == t.Knots[len(t.Knots)-1]):
		return fmt.Errorf("the transform quantile-normal has no ascending knots")
	}
	return nil
}

// Apply returns what the network is trained on: NaN or −∞ for targets that the
// transform does not have.
func (t Transform) Apply(y float64) float64 {
	switch t.Name {
	case "log":
		return portable.Log(y)
	case "log1p":
		return portable.Log1p(y)
	case "sqrt":
		return math.Sqrt(y)
	}
	return portable.NormalQuantile(t.rank(y))
}

// rank is the share of the training targets below y, half of those that are equal to
// it among them: each knot stands for as many.
func (t Transform) rank(y float64) float64 {
	n := len(t.Knots)
	low := sort.SearchFloat64s(t.Knots, y) // the first that is not below y
	high := low
	for high < n && t.Knots[high] == y {
		high++
	}
	at := float64(low+high-1) / 2 // the middle of equal ones
	switch {
	case low < high:
	case low == 0:
		at = 0
	case low == n:
		at = float64(n - 1)
	default:
		at = float64(low-1) + (y-t.Knots[low-1])/(t.Knots[low]-t.Knots[low-1])
	}
	return (at + 0.5) / float64(n)
}

// Invert returns the target that Apply makes z of, the nearest one where it makes z of
// none: quantile-normal never leaves the range of the training targets.
func (t Transform) Invert(z float64) float64 {
	switch t.Name {
	case "log":
		return portable.Exp(z)
	case "log1p":
		return portable.Expm1(z)
	case "sqrt":
		return float64(max(z, 0) * max(z, 0))
	}
	n := float64(len(t.Knots))
	at := min(max(float64(portable.NormalCDF(z)*n)-0.5, 0), n-1)
	below := int(at)
	above := min(below+1, len(t.Knots)-1)
	return t.Knots[below] + float64((at-float64(below))*(t.Knots[above]-t.Knots[below]))
}

// midpoints is at how many equally likely quantiles moments are taken.
const midpoints = 200

var normal = sync.OnceValue(func() (z [midpoints]float64) {
	for i := range z {
		z[i] = portable.NormalQuantile((float64(i) + 0.5) / midpoints)
	}
	return z
})

// Moments returns mean and standard deviation of the target where what is predicted
// is N(mean, std²): those of a log-normal distribution for log and log1p, otherwise
// over 200 equally likely quantiles.
func (t Transform) Moments(mean, std float64) (float64, float64) {
	switch {
	case std == 0:
		return t.Invert(mean), 0
	case t.Name == "log", t.Name == "log1p":
		variance := float64(std * std)
		m := portable.Exp(mean + float64(variance/2))
		s := float64(m * math.Sqrt(portable.Expm1(variance)))
		if t.Name == "log1p" {
			m--
		}
		return m, s
	}
	var values [midpoints]float64
	m := 0.0
	for i, z := range normal() {
		values[i] = t.Invert(mean + float64(std*z))
		m += values[i] / midpoints
	}
	square := 0.0
	for _, v := range values {
		square += float64((v-m)*(v-m)) / midpoints
	}
	return m, math.Sqrt(square)
}

// transformed returns the table with its targets put through the transforms.
func (p *Preparation) transformed(t *data.Table) (*data.Table, error) {
	if len(p.Targets) == 0 {
		return t, nil
	}
	y := slices.Clone(t.Y)
	for i, v := range y {
		z := p.Targets[i%len(p.Targets)].Apply(v)
		if math.IsNaN(z) || math.IsInf(z, 0) {
			return nil, fmt.Errorf("%s: the target %q is %v in row %d, which has no %s", t.Name, t.Targets[i%len(p.Targets)], v, i/len(p.Targets)+1, p.Targets[i%len(p.Targets)].Name)
		}
		y[i] = z
	}
	out := t.WithInputs(t.Columns, t.X)
	out.Fields, out.Y = t.Fields, y
	return out, nil
}
