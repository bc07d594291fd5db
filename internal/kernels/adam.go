package kernels

// Adam does one step of Adam (Kingma and Ba 2015) with decoupled weight decay
// (Loshchilov and Hutter 2019) on theta and its moments m and v, in place.
// correction1 and correction2 are 1/(1−beta1^t) and 1/(1−beta2^t) at step t.
// The slices have one length. In this order, every line rounded as written:
//
//	m = fma(beta1, m, (1−beta1)·g),        0 if |m| < 2⁻¹⁰⁰
//	v = fma(beta2, v, ((1−beta2)·g)·g),    0 if v < 2⁻¹²⁰
//	θ = fma(−(lr·decay), θ, θ)                         if decay ≠ 0
//	θ = θ − ((lr·correction1)·m) / (√(v·correction2) + eps)
//
// The moments of a weight that no gradient reaches any more, as those of a dead
// unit, would otherwise shrink to denormal numbers and stay there, and CPUs take
// a hundred cycles for each of those. So small they move no weight, where eps is
// 1e-15 or more.
func Adam(theta, grad, m, v []float32, lr, beta1, beta2, eps, correction1, correction2, decay float32) {
	n := len(theta)
	check(len(grad) == n && len(m) == n && len(v) == n, "Adam", "theta, grad, m and v differ in length")
	if n == 0 {
		return
	}
	rate, shrink := lr*correction1, -float32(lr*decay)
	rest1, rest2 := 1-beta1, 1-beta2
	switch active {
	case avx512:
		adamAVX512(&theta[0], &grad[0], &m[0], &v[0], n, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink)
		return
	case avx2:
		adamAVX2(&theta[0], &grad[0], &m[0], &v[0], n, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink)
		return
	}
	for i, g := range grad {
		m[i] = fma(beta1, m[i], float32(rest1*g))
		if m[i] < 0x1p-100 && m[i] > -0x1p-100 {
			m[i] = 0
		}
		v[i] = fma(beta2, v[i], float32(float32(rest2*g)*g))
		if v[i] < 0x1p-120 {
			v[i] = 0
		}
		t := theta[i]
		if shrink != 0 {
			t = fma(shrink, t, t)
		}
		theta[i] = t - float32(rate*m[i])/(sqrt(v[i]*correction2)+eps)
	}
}
