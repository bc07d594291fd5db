package preparation

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Transform is an ascending function that a target goes through before it is
// standardised. It is fitted on the training rows.
type Transform struct {
	Name string `json:"name"`

	// Knots are quantiles of the training targets at equally spaced levels, from the
	// smallest target to the largest; nil unless the transform is quantile-normal.
	Knots []float64 `json:"knots,omitempty"`

	// Range spans the training targets; nil unless the transform is log or log1p,
	// whose inverses grow exponentially.
	Range *Range `json:"range,omitempty"`
}

// Range holds the smallest and the largest of some values.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
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
	switch name {
	case "log", "log1p":
		t.Range = &Range{Low: low, High: high}
		return t, nil
	case "sqrt":
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

// check returns an error for a transform that cannot have been fitted.
func (t Transform) check() error {
	switch {
	case !slices.Contains(TransformNames(), t.Name):
		return fmt.Errorf("unknown transform %q: there is %s", t.Name, strings.Join(TransformNames(), ", "))
	case t.Name == "quantile-normal" && (len(t.Knots) < 2 || !slices.IsSorted(t.Knots) || t.Knots[0] == t.Knots[len(t.Knots)-1]):
		return fmt.Errorf("the transform quantile-normal has no ascending knots")
	case t.exponential() && !t.validRange():
		return fmt.Errorf("the transform %s has no range of training targets", t.Name)
	case !t.exponential() && t.Range != nil:
		return fmt.Errorf("the transform %s has a range of training targets, which only log and log1p have", t.Name)
	}
	return nil
}

// exponential reports whether the inverse of the transform grows exponentially.
func (t Transform) exponential() bool { return t.Name == "log" || t.Name == "log1p" }

// validRange reports whether Range can come from targets that the transform accepts.
func (t Transform) validRange() bool {
	r := t.Range
	if r == nil || !(r.Low <= r.High) || math.IsInf(r.High, 0) {
		return false
	}
	if t.Name == "log" {
		return r.Low > 0
	}
	return r.Low > -1
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

const (
	// MaxExponent limits arguments of the exponential function: its values are then
	// finite and normal float64.
	MaxExponent = 708

	// MaxRoot limits square roots: its square is the largest power of four in float64.
	MaxRoot = 0x1p511
)

// Invert returns the target that Apply maps to z. The result is always one that the
// transform accepts: a z that no target has, or none that float64 can hold, gives the
// nearest target. log1p stays at 0 and above if all training targets do, and
// quantile-normal stays in the range of the training targets. Infinite z give the ends
// of the domain.
func (t Transform) Invert(z float64) float64 {
	switch t.Name {
	case "log":
		return portable.Exp(limitExponent(z))
	case "log1p":
		return max(portable.Expm1(limitExponent(z)), t.Lowest())
	case "sqrt":
		if !math.IsInf(z, 1) {
			z = min(max(z, 0), MaxRoot)
		}
		return float64(z * z)
	}
	n := float64(len(t.Knots))
	at := min(max(float64(portable.NormalCDF(z)*n)-0.5, 0), n-1)
	below := int(at)
	above := min(below+1, len(t.Knots)-1)
	return t.Knots[below] + float64((at-float64(below))*(t.Knots[above]-t.Knots[below]))
}

// limitExponent limits a finite z to ±MaxExponent.
func limitExponent(z float64) float64 {
	if math.IsInf(z, 0) {
		return z
	}
	return min(max(z, -MaxExponent), MaxExponent)
}

// Lowest returns the smallest target that log1p predicts: 0, or the first number above
// −1 if there are negative training targets.
func (t Transform) Lowest() float64 {
	if t.Range.Low < 0 {
		return math.Nextafter(-1, 0)
	}
	return 0
}

// LogSlope returns the logarithm of the derivative of Apply at y. It is not finite where
// the target has no density: with sqrt at 0, and with quantile-normal everywhere, as
// its inverse is constant where training targets are equal.
func (t Transform) LogSlope(y float64) float64 {
	switch t.Name {
	case "log":
		return -portable.Log(y)
	case "log1p":
		return -portable.Log1p(y)
	case "sqrt":
		return -portable.Log(2 * math.Sqrt(y))
	}
	return math.NaN()
}

// Moments returns the mean and the standard deviation of the target, where a distribution
// with this mean and this standard deviation is predicted for its transform. z holds
// quantiles of the predicted distribution at equally spaced levels, ascending and in
// standard deviations from the mean. The moments are computed from the
// target's quantiles at these levels, and are finite for finite arguments.
//
// With log and log1p the exact mean, of a normal distribution exp(mean + std²/2), says
// nothing once std is large. Every quantile is therefore moved into the range of the
// training targets, or only to the same quantile for a std of 1 if that one is outside of
// the range. Nothing moves for a std up to 1.
func (t Transform) Moments(mean, std float64, z []float64) (float64, float64) {
	if std == 0 {
		return t.Invert(mean), 0
	}
	n := float64(len(z))
	values := make([]float64, len(z))
	m := 0.0
	for i := range z {
		values[i] = t.boundedQuantile(mean, std, z[i])
		m += values[i] / n
	}
	// A common power of two keeps the squares within float64.
	_, exponent := math.Frexp(max(math.Abs(values[0]), math.Abs(values[len(values)-1])))
	scale := math.Ldexp(1, -min(max(exponent, -1000), 1000))
	square := 0.0
	for _, v := range values {
		d := float64(v*scale) - float64(m*scale)
		square += float64(d*d) / n
	}
	return m, math.Sqrt(square) / scale
}

// boundedQuantile returns one of the quantiles that Moments averages over; z is the quantile
// of the predicted distribution, in standard deviations from the mean.
func (t Transform) boundedQuantile(mean, std, z float64) float64 {
	quantile := func(std float64) float64 {
		at := mean + float64(std*z)
		return t.Invert(min(max(at, -math.MaxFloat64), math.MaxFloat64))
	}
	value := quantile(std)
	if t.Range == nil || std <= 1 || t.Range.Low <= value && value <= t.Range.High {
		return value
	}
	narrow := quantile(1)
	return min(max(value, min(t.Range.Low, narrow)), max(t.Range.High, narrow))
}

// transformed returns the table with its targets put through the transforms.
func (p *Preparation) transformed(t *data.Table) (*data.Table, error) {
	if len(p.Targets) == 0 {
		return t, nil
	}
	y := slices.Clone(t.Y)
	for i, v := range y {
		z := p.Targets[i%len(p.Targets)].Apply(v)
		if !statistics.Finite(z) {
			return nil, fmt.Errorf("%s: the target %q is %v in row %d, which has no %s", t.Name, t.Targets[i%len(p.Targets)], v, i/len(p.Targets)+1, p.Targets[i%len(p.Targets)].Name)
		}
		y[i] = z
	}
	out := t.WithInputs(t.Columns, t.X)
	out.Fields, out.Y = t.Fields, y
	return out, nil
}
