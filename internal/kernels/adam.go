package kernels

// Moments below these bounds become 0: see Adam.
const (
	minFirstMoment  = 0x1p-100
	minSecondMoment = 0x1p-120
)

// Adam updates the weights theta and their moments m and v, in place, by one step of Adam (Kingma
// and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019). lr is the learning rate;
// correction1 and correction2 are 1/(1−beta1^t) and 1/(1−beta2^t) at step t. All slices must have
// the same length. The operations are, in this order and rounded as written:
//
//	m = fma(beta1, m, (1−beta1)·g),        0 if |m| < 2⁻¹⁰⁰
//	v = fma(beta2, v, ((1−beta2)·g)·g),    0 if v < 2⁻¹²⁰
//	θ = fma(−(lr·decay), θ, θ)                         if decay ≠ 0
//	θ = θ − ((lr·correction1)·m) / (√(v·correction2) + eps)
//
// Without the bounds 2⁻¹⁰⁰ and 2⁻¹²⁰, the moments of a weight that no gradient reaches any more,
// such as one of a dead unit, would become denormal numbers, for which CPUs take a hundred cycles.
// Moments that small do not change a weight if eps is 1e-15 or more.
func Adam(theta, grad, m, v []float32, lr, beta1, beta2, eps, correction1, correction2, decay float32) {
	n := len(theta)
	check(len(grad) == n && len(m) == n && len(v) == n, "Adam", "theta, grad, m and v differ in length")
	if n == 0 {
		return
	}
	// The factors of the formulas above, computed once for all weights.
	rate := lr * correction1
	shrink := -float32(lr * decay)
	rest1 := 1 - beta1
	rest2 := 1 - beta2
	switch currentISA {
	case avx512:
		adamAVX512(&theta[0], &grad[0], &m[0], &v[0], n, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink)
		return
	case avx2:
		adamAVX2(&theta[0], &grad[0], &m[0], &v[0], n, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink)
		return
	case neon:
		adamNEON(&theta[0], &grad[0], &m[0], &v[0], n, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink)
		return
	}
	for i, g := range grad {
		m[i] = fma(beta1, m[i], float32(rest1*g))
		if m[i] < minFirstMoment && m[i] > -minFirstMoment {
			m[i] = 0
		}
		v[i] = fma(beta2, v[i], float32(float32(rest2*g)*g))
		if v[i] < minSecondMoment {
			v[i] = 0
		}
		weight := theta[i]
		if shrink != 0 {
			weight = fma(shrink, weight, weight)
		}
		theta[i] = weight - float32(rate*m[i])/(sqrt(v[i]*correction2)+eps)
	}
}
