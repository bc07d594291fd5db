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

// Tiles of panels with many rows, by the columns of a panel, as in neonPanels of gen/product_neon.go.
var (
	five      = tileShape{5, 5, 4}
	four      = tileShape{6, 4, 4}
	three     = tileShape{6, 3, 4}
	two       = tileShape{10, 2, 4}
	one       = tileShape{10, 1, 4}
	twoHalves = tileShape{10, 2, 2}
	half      = tileShape{10, 1, 2}
)

// products are products by their number of columns, with the tiles of their panels.
var products = []struct {
	columns int
	tiles   []tileShape
}{
	{256, []tileShape{four}}, // 16 equal panels
	{100, []tileShape{four, four, four, four, four, five}},
	{50, []tileShape{four, four, five}},
	{36, []tileShape{four, five}},
	{24, []tileShape{three, three}},
	{16, []tileShape{four}},
	{8, []tileShape{two}},
	{4, []tileShape{one}},
	{3, []tileShape{twoHalves}},
	{2, []tileShape{half}},
}

// productPrediction is the prediction for a product.
type productPrediction struct {
	columns, computed int
	rows, transposed  orderPrediction // for both orders of A
}

// orderPrediction is the prediction for a product whose A is in one order. Only multiply-adds of existing
// columns count.
type orderPrediction struct {
	instructions float64   // for each multiply-add of four numbers
	shares       []float64 // of the peak, by core
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
	byRows, err := predictTiles(l, cores, a, termsByRows)
	if err != nil {
		return nil, err
	}
	byColumns, err := predictTiles(l, cores, a, termsByColumns)
	if err != nil {
		return nil, err
	}
	var all []productPrediction
	for _, product := range products {
		span := 0 // columns of the tiles
		for _, t := range product.tiles {
			span += t.vectors * t.lanes
		}
		repeats := max(1, product.columns/span) // of a list of tiles that stands for equal panels
		useful := float64(product.columns) / float64(4*repeats)
		all = append(all, productPrediction{
			columns:    product.columns,
			computed:   span * repeats,
			rows:       addTiles(product.tiles, byRows, useful, cores),
			transposed: addTiles(product.tiles, byColumns, useful, cores),
		})
	}
	return all, nil
}

// predictTiles returns the predictions for the loops that add the given number of terms.
func predictTiles(l llvm, cores []core, a *assembly, terms int) (map[tileShape]tilePrediction, error) {
	tiles := map[tileShape]tilePrediction{}
	for _, t := range []tileShape{five, four, three, two, one, twoHalves, half} {
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

// addTiles returns the prediction for tiles that are computed one after the other, as the sum of their predictions.
// useful is the number of multiply-adds, of four numbers each, for each term of the sums in one row.
func addTiles(shapes []tileShape, tiles map[tileShape]tilePrediction, useful float64, cores []core) orderPrediction {
	total := tilePrediction{cycles: make([]float64, len(cores))}
	for _, s := range shapes {
		total.instructions += tiles[s].instructions
		for i, cycles := range tiles[s].cycles {
			total.cycles[i] += cycles
		}
	}
	p := orderPrediction{instructions: total.instructions / useful}
	for i, c := range cores {
		p.shares = append(p.shares, useful/total.cycles[i]/c.peak)
	}
	return p
}

// marker matches the comment before the loop of a tile.
func (t tileShape) marker(terms int) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf("Loop over %d terms of %d rows and %d vectors of %d columns", terms, t.rows, t.vectors, t.lanes))
}

// writeProducts writes the table of products. Each cell has the numbers for A by rows and for a transposed A.
func writeProducts(out io.Writer, cores []core, products []productPrediction) {
	fmt.Fprint(out, "\n| columns | computed | instructions |")
	for _, c := range cores {
		fmt.Fprintf(out, " %s |", c.name)
	}
	fmt.Fprintf(out, "\n| ---:| ---:| ---:|%s\n", strings.Repeat(" ---:|", len(cores)))
	for _, p := range products {
		fmt.Fprintf(out, "| %d | %d | %.2f, %.2f |", p.columns, p.computed, p.rows.instructions, p.transposed.instructions)
		for i := range cores {
			fmt.Fprintf(out, " %.0f, %.0f %% |", 100*p.rows.shares[i], 100*p.transposed.shares[i])
		}
		fmt.Fprintln(out)
	}
}
