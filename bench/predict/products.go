package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Terms of a sum that a turn of the loops adds: see gen/sums_neon.go in package kernels.
const (
	termsByRows    = 4 // of products with a matrix A
	termsByColumns = 2 // of products with a transposed A
)

// tileShape is the shape of a tile of a product.
type tileShape struct{ rows, vectors, lanes int }

// Tiles of full panels, by the vectors of a row. They must be those of neonPanels in gen/product_neon.go.
var (
	five       = tileShape{5, 5, 4}
	four       = tileShape{6, 4, 4}
	three      = tileShape{6, 3, 4}
	two        = tileShape{10, 2, 4}
	twoHalves  = tileShape{8, 2, 2}
	half       = tileShape{8, 1, 2}
	oneElement = tileShape{8, 1, 1}
)

// products are products by their number of columns, with the tiles of their panels.
var products = []struct {
	columns int
	tiles   []tileShape
}{
	{256, []tileShape{four}}, // 16 equal panels
	{100, []tileShape{four, four, four, four, four, five}},
	{64, []tileShape{four}},
	{50, []tileShape{four, four, five}},
	{36, []tileShape{four, five}},
	{24, []tileShape{three, three}},
	{16, []tileShape{four}},
	{8, []tileShape{two}},
	{4, []tileShape{twoHalves}},
	{2, []tileShape{half}},
	{1, []tileShape{oneElement}},
}

// productPrediction is the prediction for a product.
type productPrediction struct {
	columns, computed int
	transposed        bool
	instructions      float64   // for each useful multiply-add of four numbers
	shares            []float64 // of the peak, by core; only useful multiply-adds count
}

// predictProducts returns predictions for all products, with and without a transposed A.
func predictProducts(l llvm, cores []core, folder string) ([]productPrediction, error) {
	a, err := readAssembly(folder, "gemm")
	if err != nil {
		return nil, err
	}
	var all []productPrediction
	for _, product := range products {
		for _, terms := range []int{termsByRows, termsByColumns} {
			p, err := predictProduct(l, cores, a, product.columns, product.tiles, terms)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// predictProduct adds the predictions for the tiles of a product: for each row and term of C.
func predictProduct(l llvm, cores []core, a *assembly, columns int, tiles []tileShape, terms int) (productPrediction, error) {
	p := productPrediction{columns: columns, transposed: terms == termsByColumns, shares: make([]float64, len(cores))}
	cycles := make([]float64, len(cores))
	span := 0 // columns of the tiles
	for _, t := range tiles {
		span += t.vectors * t.lanes
	}
	repeats := max(1, columns/span) // of a list that stands for equal panels
	useful := float64(columns) / 4 / float64(repeats)
	for _, t := range tiles {
		loop, err := a.firstLoop(t.marker(terms))
		if err != nil {
			return p, err
		}
		text, err := l.disassemble(loop)
		if err != nil {
			return p, err
		}
		sums := float64(t.rows * terms) // sums of a row and term that a turn adds to
		p.computed += t.vectors * t.lanes * repeats
		p.instructions += float64(len(loop)) / sums / useful
		for i, c := range cores {
			predicted, err := l.predict(c, text)
			if err != nil {
				return p, err
			}
			cycles[i] += predicted.cycles / sums
		}
	}
	for i, c := range cores {
		p.shares[i] = useful / cycles[i] / c.peak
	}
	return p, nil
}

// marker matches the comment before the loop of a tile.
func (t tileShape) marker(terms int) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf("Loop over %d terms of %d rows and %d vectors of %d columns", terms, t.rows, t.vectors, t.lanes))
}

// writeProducts writes the table of products.
func writeProducts(out io.Writer, cores []core, products []productPrediction) {
	fmt.Fprint(out, "\n| columns | computed | A | instructions per multiply-add |")
	for _, c := range cores {
		fmt.Fprintf(out, " %s |", c.name)
	}
	fmt.Fprintf(out, "\n| ---:| ---:| --- | ---:|%s\n", strings.Repeat(" ---:|", len(cores)))
	for _, p := range products {
		order := "rows"
		if p.transposed {
			order = "transposed"
		}
		fmt.Fprintf(out, "| %d | %d | %s | %.2f |", p.columns, p.computed, order, p.instructions)
		for _, share := range p.shares {
			fmt.Fprintf(out, " %.0f %% |", 100*share)
		}
		fmt.Fprintln(out)
	}
}
