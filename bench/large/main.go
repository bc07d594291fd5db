// Program large makes tables of any length for bench/large.sh, and times by itself
// what the commands do beside other things: reading a table, and sampling.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"sml/data"
	"sml/data/read"
	"sml/evaluation"
	"sml/models"
	_ "sml/models/methods"
)

func main() {
	rows := flag.Int("rows", 515_345, "rows of the table, or to sample")
	inputs := flag.Int("inputs", 90, "inputs of the table, beside the target")
	texts := flag.Int("texts", 0, "of the inputs, the last that are texts of five categories")
	holes := flag.Int("holes", 0, "of the inputs, the first in which every fiftieth value is missing")
	model := flag.String("sample", "", "time the sampling of `MODEL` and make no table")
	file := flag.String("read", "", "time the reading of `FILE` and make no table")
	samples := flag.Int("samples", evaluation.DefaultSamples, "number of sub-networks")
	flag.Parse()
	var err error
	switch {
	case *model != "":
		err = sample(*model, *rows, *samples)
	case *file != "":
		err = readTable(*file)
	default:
		err = table(*rows, *inputs, *texts, *holes)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "large:", err)
		os.Exit(1)
	}
}

// table writes a CSV to standard output: inputs x1, x2, … with five decimals, of which
// some are texts and some lack values, and y.
func table(rows, inputs, texts, holes int) error {
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for j := range inputs {
		fmt.Fprintf(out, "x%d,", j+1)
	}
	out.WriteString("y\n")
	r := rand.New(rand.NewPCG(1, 515_345))
	var line []byte
	for i := range rows {
		line = line[:0]
		y := 1998 + 5*r.NormFloat64()
		for j := range inputs {
			v := 30 * r.NormFloat64()
			if j < 10 {
				y += v / 20
			}
			switch {
			case j >= inputs-texts:
				line = append(line, "abcde"[int(math.Abs(v))%5])
			case j >= holes || (i+j)%50 > 0:
				line = strconv.AppendFloat(line, v, 'f', 5, 64)
			}
			line = append(line, ',')
		}
		line = append(strconv.AppendFloat(line, y, 'f', 0, 64), '\n')
		out.Write(line)
	}
	return out.Flush()
}

// readTable reads a table as train does, and prints how long it took.
func readTable(path string) error {
	started := time.Now()
	t, err := read.File(context.Background(), path, read.Options{Raw: true})
	if err == nil {
		fmt.Printf("%.2f s, %d rows\n", time.Since(started).Seconds(), t.Rows())
	}
	return err
}

// sample predicts as many rows as predict does at once, over and over.
func sample(dir string, rows, samples int) error {
	m, err := models.Load(dir)
	if err != nil {
		return err
	}
	p, err := evaluation.NewPredictor(m, evaluation.Sampling{Samples: samples, Seed: 1})
	if err != nil {
		return err
	}
	defer p.Close()
	x := make([]float64, min(rows, 4*p.RowsAtOnce())*len(m.Inputs))
	r := rand.New(rand.NewPCG(1, 5))
	for i := range x {
		x[i] = 30 * r.NormFloat64()
	}
	started, done := time.Now(), 0
	for done < rows {
		found, err := p.Predict(context.Background(), data.Subset{X: x, XScale: m.Inputs})
		if err != nil {
			return err
		}
		done += len(found.Values) / found.Targets
	}
	fmt.Printf("%.1f s, %.0f rows a second\n", time.Since(started).Seconds(), float64(done)/time.Since(started).Seconds())
	return nil
}
