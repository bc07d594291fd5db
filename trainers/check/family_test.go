package check

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sml/graph"
	"sml/models/distribution"
)

// recorder is a T that keeps errors.
type recorder struct{ errors []string }

func (*recorder) Helper()             {}
func (*recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// Normal distributions with a mistake in one part.
type (
	wrongCDF      struct{ distribution.Distribution }
	wrongQuantile struct{ distribution.Distribution }
	wrongDensity  struct{ distribution.Distribution }
	wrongCRPS     struct{ distribution.Distribution }
	wrongSample   struct{ distribution.Distribution }
	wrongAffine   struct{ distribution.Distribution }
	wrongNodes    struct{ distribution.Nodes }
)

func (d wrongCDF) CDF(y float64) float64               { return d.Distribution.CDF(y + 0.01) }
func (d wrongQuantile) Quantile(level float64) float64 { return d.Distribution.Quantile(level) + 0.01 }
func (d wrongDensity) LogDensity(y float64) float64    { return d.Distribution.LogDensity(y) + 0.01 }
func (d wrongCRPS) CRPS(y float64) float64             { return 1.01 * d.Distribution.CRPS(y) }
func (d wrongSample) Sample(r *rand.Rand) float64      { return d.Distribution.Sample(r) + 0.1 }
func (d wrongAffine) Affine(scale, _ float64) distribution.Distribution {
	return d.Distribution.Affine(scale, 0)
}
func (n wrongNodes) CRPS(y *graph.Node) *graph.Node { return n.Nodes.CDF(y) }

func TestFamilyFinds(t *testing.T) {
	for want, wrap := range map[string]func(distribution.Distribution) distribution.Distribution{
		"CDF(Quantile) at":                       func(d distribution.Distribution) distribution.Distribution { return wrongCDF{d} },
		"Quantile(0.5) as a node":                func(d distribution.Distribution) distribution.Distribution { return wrongQuantile{d} },
		"the density at":                         func(d distribution.Distribution) distribution.Distribution { return wrongDensity{d} },
		"the CRPS at":                            func(d distribution.Distribution) distribution.Distribution { return wrongCRPS{d} },
		"the share of draws below the quantile":  func(d distribution.Distribution) distribution.Distribution { return wrongSample{d} },
		"Quantile of the affine function at 0.5": func(d distribution.Distribution) distribution.Distribution { return wrongAffine{d} },
	} {
		f := distribution.Normal
		f.New = func(p []float64) distribution.Distribution { return wrap(distribution.Normal.New(p)) }
		expectError(t, f, want)
	}
	f := distribution.Normal
	f.Nodes = func(b *graph.Builder, p []*graph.Node) distribution.Nodes {
		return wrongNodes{distribution.Normal.Nodes(b, p)}
	}
	expectError(t, f, "CRPS as a node")

	r := new(recorder)
	TestFamily(r, distribution.Normal, []float64{1})
	TestFamily(r, distribution.Normal)
	if len(r.errors) != 2 {
		t.Errorf("%q; want two errors: of a list that is too short, and of no list", r.errors)
	}
}

// expectError reports an error unless TestFamily has one with a text.
func expectError(t *testing.T, f distribution.Family, want string) {
	t.Helper()
	r := new(recorder)
	TestFamily(r, f, []float64{0.3, 2})
	if !strings.Contains(strings.Join(r.errors, "\n"), want) {
		t.Errorf("the errors\n%s\ndo not contain %q", strings.Join(r.errors, "\n"), want)
	}
}
