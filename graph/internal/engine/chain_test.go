package engine

import (
	"fmt"
	"strings"
	"testing"

	"sml/internal/expect"
)

// Block by block or step by step: the same bits, on random graphs with blocks so
// small that nearly every elementwise value has several.
func TestChainsChangeNothing(t *testing.T) {
	found := 0
	for seed := range seeds() {
		p := compileRandom[float32](seed, &partSizes{block: 3})
		for _, s := range p.runInstructions {
			if strings.HasPrefix(s.name, "chain of ") {
				found++
			}
		}
		whole := compileRandom[float32](seed, &partSizes{block: 1 << 30})
		checkSameBits(t, fmt.Sprintf("seed %d, in chains", seed), runRandom(t, p, seed), runRandom(t, whole, seed))
	}
	if found < int(seeds())/2 {
		t.Errorf("only %d chains in %d graphs", found, seeds())
	}
}

// compileRandom returns the program of a random graph with parts of the given sizes. Graphs of even seeds
// are sampled.
func compileRandom[T float](seed uint64, sizes *partSizes) *Program[T] {
	g := newRandomGraph(seed, dtypeOf[T]())
	g.bind()
	p := expect.Must(Compile[T](g.outputs, g.masks, nil, seed%2 == 0))
	p.sizes = sizes
	if err := p.bindInputs(); err != nil {
		panic(err)
	}
	return p
}

// runRandom returns the outputs of a run, and of a second one after it for graphs of even seeds.
func runRandom[T float](t *testing.T, p *Program[T], seed uint64) [][]T {
	t.Helper()
	expect.NoError(t, p.Run())
	if seed%2 == 0 {
		expect.NoError(t, p.Rerun())
	}
	return p.all()
}
