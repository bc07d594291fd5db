package engine

import (
	"math"
	"strings"
	"testing"
)

// Block by block or step by step: the same bits, on random graphs with blocks so
// small that nearly every elementwise value has several.
func TestChainsChangeNothing(t *testing.T) {
	found := 0
	run := func(seed uint64, block int) [][]float32 {
		g := newRandomGraph(seed, dtypeOf[float32]())
		g.bind()
		p, err := Compile[float32](g.outputs, g.masks, nil, seed%2 == 0)
		if err != nil {
			t.Fatal(err)
		}
		p.sizes = &partSizes{block: block}
		if err := p.bindInputs(); err != nil {
			t.Fatal(err)
		}
		for _, s := range p.runInstructions {
			if strings.HasPrefix(s.name, "chain of ") {
				found++
			}
		}
		if err := p.Run(); err != nil {
			t.Fatal(err)
		}
		if seed%2 == 0 {
			if err := p.Rerun(); err != nil {
				t.Fatal(err)
			}
		}
		var results [][]float32
		for i := range g.outputs {
			results = append(results, append([]float32(nil), p.Output(i)...))
		}
		return results
	}
	for seed := range seeds() {
		want, got := run(seed, 1<<30), run(seed, 3)
		for i := range want {
			for j := range want[i] {
				if math.Float32bits(want[i][j]) != math.Float32bits(got[i][j]) && want[i][j] == want[i][j] {
					t.Fatalf("seed %d: output %d[%d] is %v in chains, %v without", seed, i, j, got[i][j], want[i][j])
				}
			}
		}
	}
	if found < int(seeds())/2 {
		t.Errorf("only %d chains in %d graphs", found, seeds())
	}
}
