package draw_test

import (
	"fmt"
	"log"

	"sml/graph"
	"sml/graph/draw"
)

// The mean of squares, as text for Graphviz: dot -Tsvg turns it into a picture. The method SVG
// returns a picture that needs no other program.
func ExamplePicture_DOT() {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Input("x", 8, 3)
	loss := b.Mean(b.Square(x))

	text, err := draw.Picture{Graph: b, Title: "mean of squares", Loss: loss}.DOT()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
	// Output:
	// digraph {
	//   label="mean of squares"; labelloc=t; rankdir=LR; fontname="Helvetica";
	//   node [fontname="Helvetica", fontsize=11]; edge [fontname="Helvetica", fontsize=11];
	//   subgraph cluster_0 {
	//     label="objective"; style=rounded; color="#94a3b8";
	//     n1 [label="square\n[8 × 3]", shape=box, style="filled,rounded", fillcolor="#ffffff", color="#5b6770", fontcolor="#111827"];
	//     n2 [label="loss\nmean\nover [8 × 3]", shape=box, style="filled,rounded", fillcolor="#1f2937", color="#1f2937", fontcolor="#ffffff"];
	//   }
	//   n0 [label="x\n[8 × 3]", shape=parallelogram, style="filled", fillcolor="#dbeafe", color="#2563eb", fontcolor="#111827"];
	//   n0 -> n1 [color="#5b6770"];
	//   n1 -> n2 [color="#5b6770"];
	// }
}
