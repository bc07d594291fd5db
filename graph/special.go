package graph

import (
	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// These are computed in float64 and rounded, but for Log1p, Expm1 and Logit. All have
// derivatives of any order.

// Erf returns the error function of x.
func (b *Builder) Erf(x *Node) *Node { return b.own("Erf", "erf", x) }

// NormalPDF returns φ(x), the density of N(0, 1).
func (b *Builder) NormalPDF(x *Node) *Node { return b.own("NormalPDF", "normal pdf", x) }

// NormalCDF returns Φ(x), the distribution function of N(0, 1); 1 − Φ(x) is that of
// −x, which is precise where x is large.
func (b *Builder) NormalCDF(x *Node) *Node { return b.own("NormalCDF", "normal cdf", x) }

// LogNormalCDF returns log Φ(x), precise in both tails: −x²/2 − log(−x·√(2π)) for
// x → −∞, −Φ(−x) for x → ∞.
func (b *Builder) LogNormalCDF(x *Node) *Node { return b.own("LogNormalCDF", "log normal cdf", x) }

// InverseMills returns φ(x)/Φ(x), the derivative of LogNormalCDF: −x for x → −∞, 0 for
// x → ∞. Of −x it is the hazard of the normal distribution.
func (b *Builder) InverseMills(x *Node) *Node { return b.own("InverseMills", "inverse mills", x) }

// LogGamma returns log |Γ(x)|, +∞ at 0, −1, −2, …; its gradient is Digamma.
func (b *Builder) LogGamma(x *Node) *Node { return b.own("LogGamma", "log gamma", x) }

// Digamma returns the derivative of LogGamma: −∞ at 0, NaN at −1, −2, ….
func (b *Builder) Digamma(x *Node) *Node { return b.own("Digamma", "digamma", x) }

// Sin returns the sine of x radians.
func (b *Builder) Sin(x *Node) *Node { return b.own("Sin", "sin", x) }

// Cos returns the cosine of x radians.
func (b *Builder) Cos(x *Node) *Node { return b.own("Cos", "cos", x) }

// Log1p returns log(1 + x), precise for small x: −∞ at −1, NaN below.
func (b *Builder) Log1p(x *Node) *Node { return b.unary("Log1p", gorgonia.Log1p, x) }

// Expm1 returns eˣ − 1, precise for small x.
func (b *Builder) Expm1(x *Node) *Node { return b.unary("Expm1", gorgonia.Expm1, x) }

// Logit returns log(x/(1 − x)), the inverse of Sigmoid: −∞ at 0, +∞ at 1, NaN outside.
func (b *Builder) Logit(x *Node) *Node { return b.own("Logit", "logit", x) }

// own applies an operation of this project.
func (b *Builder) own(name, op string, x *Node) *Node {
	return b.unary(name, func(x *Node) (*Node, error) { return ops.Apply(op, 0, x) }, x)
}
