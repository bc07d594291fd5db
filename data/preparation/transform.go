package preparation

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"sml/internal/portable"
)

// Names of the transforms.
const (
	logTransform            = "log"             // natural logarithm
	log1pTransform          = "log1p"           // natural logarithm of y + 1
	sqrtTransform           = "sqrt"            // square root
	quantileNormalTransform = "quantile-normal" // rank among the training targets, as a quantile of the standard normal distribution
)

// TransformNames returns the names of the transforms.
func TransformNames() []string {
	return []string{logTransform, log1pTransform, sqrtTransform, quantileNormalTransform}
}

// Transform is an ascending function of a target, fitted on the training rows. Targets are transformed
// before they are standardised.
type Transform struct {
	Name string `json:"name"` // a name in TransformNames; "" if the target is not transformed, but another target is

	// Knots are quantiles of the training targets at equally spaced levels, from the
	// smallest target to the largest; nil unless the transform is quantile-normal.
	Knots []float64 `json:"knots,omitempty"`

	// Range spans the training targets; nil unless the transform is log or log1p,
	// whose inverses grow exponentially.
	Range *Range `json:"range,omitempty"`

	// Floor stands for all smaller targets: Apply transforms them as it transforms Floor. It is set if Auto
	// chose the transform, so that a target outside of the domain, in rows that it was not fitted to, is
	// no error. nil if there is none.
	Floor *float64 `json:"floor,omitempty"`

	// Ceiling is the largest target that Invert returns, which keeps the exponential function of an
	// extrapolation from deciding means and scores. It is set if Auto chose log; nil if there is none.
	Ceiling *float64 `json:"ceiling,omitempty"`

	Reason string `json:"reason,omitempty"` // why Auto chose the transform; "" if the user did
}

// Range holds the smallest and the largest of some values.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// maxKnots is the maximum number of knots, which a saved transform holds: from the minimum to the
// maximum in steps of a thousandth, which describes a distribution closely enough.
const maxKnots = 1001

// fitTransform returns the named transform, fitted to y, the training targets of the given
// name. It returns an error if a target is outside of the transform's domain, or all
// targets are equal and have no quantiles.
func fitTransform(name, target string, y []float64) (Transform, error) {
	if name == Auto {
		return chooseTransform(y), nil
	}
	t := Transform{Name: name}
	low := slices.Min(y)
	high := slices.Max(y)
	if err := t.checkDomain(target, low); err != nil {
		return t, err
	}
	switch name {
	case logTransform, log1pTransform:
		t.Range = &Range{Low: low, High: high}
	case quantileNormalTransform:
		if low == high {
			return t, fmt.Errorf("the target %q is %v in every training row; the transform %s needs different values; choose another transform", target, low, name)
		}
		t.Knots = quantileKnots(y)
	}
	return t, nil
}

// checkDomain returns an error if the transform is not defined for low, the smallest value
// of the named target in the training rows.
func (t Transform) checkDomain(target string, low float64) error {
	domain := ""
	switch {
	case t.Name == logTransform && low <= 0:
		domain = "numbers above 0"
	case t.Name == log1pTransform && low <= -1:
		domain = "numbers above −1"
	case t.Name == sqrtTransform && low < 0:
		domain = "numbers from 0 on"
	default:
		return nil
	}
	return fmt.Errorf("the target %q is %v in a training row; the transform %s needs %s; choose another transform", target, low, t.Name, domain)
}

// quantileKnots returns the quantiles of y at equally spaced levels from 0 to 1: as many as
// there are values, but at most maxKnots.
func quantileKnots(y []float64) []float64 {
	sorted := slices.Sorted(slices.Values(y))
	n := min(len(sorted), maxKnots)
	knots := make([]float64, n)
	for i := range n {
		level := float64(i) / float64(n-1)
		position := float64(level * float64(len(sorted)-1)) // fractional index of the quantile
		knots[i] = interpolate(sorted, position)
	}
	return knots
}

// interpolate returns the value at a fractional index of values, by linear interpolation between its
// two neighbours. position is from 0 to len(values)−1.
func interpolate(values []float64, position float64) float64 {
	below := int(position)
	above := min(below+1, len(values)-1)
	weight := position - float64(below) // of the value above
	return values[below] + float64(weight*(values[above]-values[below]))
}

// unknownTransform returns the error for a name that is not a transform's.
func unknownTransform(name string) error {
	return fmt.Errorf("unknown transform %q; want %s, %s or one of %s", name, Auto, None, strings.Join(TransformNames(), ", "))
}

// Apply returns the transformed target. It returns NaN or −∞ for targets outside of the
// transform's domain, unless there is a Floor.
func (t Transform) Apply(y float64) float64 {
	y = t.raise(y)
	switch t.Name {
	case "":
		return y
	case logTransform:
		return portable.Log(y)
	case log1pTransform:
		return portable.Log1p(y)
	case sqrtTransform:
		return math.Sqrt(y)
	}
	return portable.NormalQuantile(t.rank(y))
}

// raise returns y, or the floor if y is below it.
func (t Transform) raise(y float64) float64 {
	if t.Floor == nil {
		return y
	}
	return max(y, *t.Floor)
}

// lower returns y, or the ceiling if y is above it.
func (t Transform) lower(y float64) float64 {
	if t.Ceiling == nil {
		return y
	}
	return min(y, *t.Ceiling)
}

// rank returns an estimate of the fraction of training targets below y, where targets equal to y count
// half. Each of the n knots stands for the same fraction 1/n of the targets, half of them below the
// knot. The result is from 0.5/n to 1−0.5/n, so that its normal quantile is finite.
func (t Transform) rank(y float64) float64 {
	n := len(t.Knots)
	firstNotBelow := sort.SearchFloat64s(t.Knots, y) // index of the first knot ≥ y
	firstAbove := firstNotBelow                      // index of the first knot > y
	for firstAbove < n && t.Knots[firstAbove] == y {
		firstAbove++
	}
	var position float64 // fractional index of y among the knots
	switch {
	case firstNotBelow < firstAbove: // some knots equal y
		position = float64(firstNotBelow+firstAbove-1) / 2 // the middle of the equal knots
	case firstNotBelow == 0: // all knots are above y
		position = 0
	case firstNotBelow == n: // all knots are below y
		position = float64(n - 1)
	default:
		below := t.Knots[firstNotBelow-1]
		above := t.Knots[firstNotBelow]
		position = float64(firstNotBelow-1) + (y-below)/(above-below)
	}
	return (position + 0.5) / float64(n)
}

const (
	// MaxExponent is the maximum magnitude of arguments of the exponential function: its values are
	// then finite and normal float64.
	MaxExponent = 708

	// MaxRoot is the maximum of predicted square roots. Its square, 2¹⁰²², is the largest power of
	// four in float64.
	MaxRoot = 0x1p511
)

// Invert returns the target that Apply maps to z. The result is always in the transform's
// domain: if no target, or no float64, maps to z, Invert returns the nearest target. With
// log1p the result is at least MinLog1pTarget, and with quantile-normal it stays in the
// range of the training targets. Infinite z give the ends of the domain.
func (t Transform) Invert(z float64) float64 {
	switch t.Name {
	case "":
		return z
	case logTransform:
		return t.lower(portable.Exp(limitExponent(z)))
	case log1pTransform:
		return max(portable.Expm1(limitExponent(z)), t.MinLog1pTarget())
	case sqrtTransform:
		if !math.IsInf(z, 1) {
			z = min(max(z, 0), MaxRoot) // no target has a negative root
		}
		return float64(z * z)
	}
	n := float64(len(t.Knots))
	position := float64(portable.NormalCDF(z)*n) - 0.5 // of the knot with this rank
	return interpolate(t.Knots, min(max(position, 0), n-1))
}

// limitExponent returns z, limited to ±MaxExponent unless it is infinite.
func limitExponent(z float64) float64 {
	if math.IsInf(z, 0) {
		return z
	}
	return min(max(z, -MaxExponent), MaxExponent)
}

// MinLog1pTarget returns the smallest target that the transform log1p predicts: 0, or the
// smallest number above −1 if a training target is negative.
func (t Transform) MinLog1pTarget() float64 {
	if t.Range.Low < 0 {
		return math.Nextafter(-1, 0)
	}
	return 0
}

// LogSlope returns the logarithm of the derivative of Apply at y. A density of the
// transformed target is multiplied by the derivative to get the density of the target. The
// result is not finite where the target has no density: with sqrt at 0, and with
// quantile-normal everywhere, since its inverse is constant where training targets are
// equal. The derivatives are 1/y for log, 1/(1+y) for log1p and 1/(2√y) for sqrt.
func (t Transform) LogSlope(y float64) float64 {
	y = t.raise(y)
	switch t.Name {
	case logTransform:
		return -portable.Log(y)
	case log1pTransform:
		return -portable.Log1p(y)
	case sqrtTransform:
		return -portable.Log(2 * math.Sqrt(y))
	}
	return math.NaN()
}

// isSet reports whether the target is transformed.
func (t Transform) isSet() bool { return t.Name != "" }

// IsSmooth reports whether Invert is smooth. The inverse of quantile-normal has steps where training targets are equal.
func (t Transform) IsSmooth() bool { return t.Name != quantileNormalTransform }

// Moments returns the mean and the standard deviation of the target if the transformed
// target is predicted with the given mean and std. z represents the predicted
// distribution, ascending and in standard deviations from the mean, with weights that add
// up to 1; nil for equal weights. The moments are finite for finite arguments.
//
// With log and log1p the exact mean, exp(mean + std²/2) for a normal distribution, is
// useless once std is large. Quantiles outside of the range of the training targets are
// therefore moved to the range, but no further than to the same quantile for a std of 1. No
// quantile is moved if std is at most 1.
func (t Transform) Moments(mean, std float64, z, weights []float64) (targetMean, targetStd float64) {
	if std == 0 {
		return t.Invert(mean), 0
	}
	quantiles := make([]float64, len(z))
	for i := range z {
		quantiles[i] = t.boundedQuantile(mean, std, z[i])
		targetMean += weighted(quantiles[i], weights, i, len(z))
	}
	scale := unitScale(quantiles)
	variance := 0.0 // of the quantiles, multiplied by scale
	for i, q := range quantiles {
		deviation := float64(q*scale) - float64(targetMean*scale)
		variance += weighted(float64(deviation*deviation), weights, i, len(z))
	}
	return targetMean, math.Sqrt(variance) / scale
}

// weighted returns the value times the weight with index i, or divided by the count if weights is nil.
func weighted(value float64, weights []float64, i, count int) float64 {
	if weights == nil {
		return value / float64(count)
	}
	return float64(value * weights[i])
}

// unitScale returns a power of two that makes the largest magnitude of ascending values about 1, so that
// the squares of the products are finite. The products are exact.
func unitScale(ascending []float64) float64 {
	const maxExponent = 1000 // of the scale, so that it is finite
	largest := max(math.Abs(ascending[0]), math.Abs(ascending[len(ascending)-1]))
	_, exponent := math.Frexp(largest) // largest is from 0.5 to 1 times 2^exponent
	return math.Ldexp(1, -min(max(exponent, -maxExponent), maxExponent))
}

// boundedQuantile returns the quantile of the target that Moments averages: moved to the range of the
// training targets if it lies outside, but no further than to the quantile for a std of 1. z is the
// quantile of the predicted distribution, in standard deviations from its mean.
func (t Transform) boundedQuantile(mean, std, z float64) float64 {
	value := t.quantile(mean, std, z)
	isInRange := t.Range == nil || t.Range.Low <= value && value <= t.Range.High
	if isInRange || std <= 1 {
		return value
	}
	unitStdValue := t.quantile(mean, 1, z)
	low := min(t.Range.Low, unitStdValue)
	high := max(t.Range.High, unitStdValue)
	return min(max(value, low), high)
}

// quantile returns the target at z standard deviations from the mean of the predicted distribution. It
// is finite if the arguments are.
func (t Transform) quantile(mean, std, z float64) float64 {
	transformed := mean + float64(std*z)
	return t.Invert(min(max(transformed, -math.MaxFloat64), math.MaxFloat64))
}
