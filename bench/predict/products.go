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

// tilePrediction is the prediction for the loop of a tile: for each term of the sums in one row.
type tilePrediction struct {
	instructions float64
	cycles       []float64 // by core
}

// predictProducts returns predictions for all products, with and without a transposed A.
func predictProducts(l llvm, cores []core, folder string) ([]productPrediction, error) {
	a, err := readAssembly(folder, "gemm")
	if err != nil {
		return nil, err
	}
	var all []productPrediction
	for _, terms := range []int{termsByRows, termsByColumns} {
		tiles, err := predictTiles(l, cores, a, terms)
		if err != nil {
			return nil, err
		}
		for _, product := range products {
			p := addTiles(product.columns, product.tiles, tiles, cores)
			p.transposed = terms == termsByColumns
			all = append(all, p)
		}
	}
	return all, nil
}

// predictTiles returns the predictions for the loops that add the given number of terms.
func predictTiles(l llvm, cores []core, a *assembly, terms int) (map[tileShape]tilePrediction, error) {
	tiles := map[tileShape]tilePrediction{}
	for _, t := range []tileShape{five, four, three, two, twoHalves, half, oneElement} {
		loop, err := a.firstLoop(t.marker(terms))
		if err != nil {
			return nil, err
		}
		text, err := l.disassemble(loop)
		if err != nil {
			return nil, err
		}
		sums := float64(t.rows * terms) // sums in one row that a turn adds a term to
		tile := tilePrediction{instructions: float64(len(loop)) / sums}
		for _, c := range cores {
			p, err := l.predict(c, text)
			if err != nil {
				return nil, err
			}
			tile.cycles = append(tile.cycles, p.cycles/sums)
		}
		tiles[t] = tile
	}
	return tiles, nil
}

// addTiles adds the predictions for the tiles of a product. A list of tiles that spans a part of the columns
// stands for equal panels.
func addTiles(columns int, shapes []tileShape, tiles map[tileShape]tilePrediction, cores []core) productPrediction {
	span := 0 // columns of the tiles
	total := tilePrediction{cycles: make([]float64, len(cores))}
	for _, s := range shapes {
		span += s.vectors * s.lanes
		total.instructions += tiles[s].instructions
		for i, cycles := range tiles[s].cycles {
			total.cycles[i] += cycles
		}
	}
	repeats := max(1, columns/span)
	useful := float64(columns) / 4 / float64(repeats) // multiply-adds of four numbers
	p := productPrediction{
		columns:      columns,
		computed:     span * repeats,
		instructions: total.instructions / useful,
	}
	for i, c := range cores {
		p.shares = append(p.shares, useful/total.cycles[i]/c.peak)
	}
	return p
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
