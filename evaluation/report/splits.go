package report

import (
	"fmt"
	"image/color"
	"strings"
)

// split is how the figures show what was scored.
type split struct {
	name   string
	colour color.NRGBA
	panel  int // of an overview: 0 above, 1 below
}

// splits are the paper's, with its colours: green, blue, yellow-green, orange,
// red and light red.
var splits = []split{
	{"train", color.NRGBA{R: 0x2a, G: 0xa1, B: 0x4f, A: 0xff}, 0},
	{"test", color.NRGBA{R: 0x1f, G: 0x6f, B: 0xd6, A: 0xff}, 0},
	{"pca-interpolate", color.NRGBA{R: 0xb4, G: 0xd3, B: 0x2a, A: 0xff}, 1},
	{"pca-extrapolate", color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}, 1},
	{"label-interpolate", color.NRGBA{R: 0xc8, G: 0x16, B: 0x1d, A: 0xff}, 1},
	{"label-extrapolate", color.NRGBA{R: 0xff, G: 0xa0, B: 0xa4, A: 0xff}, 1},
}

// splitNamed returns the index of a split. An unknown one is answered with
// those that are known.
func splitNamed(name string) (int, error) {
	var known []string
	for i, s := range splits {
		if s.name == name {
			return i, nil
		}
		known = append(known, s.name)
	}
	return 0, fmt.Errorf("report: unknown split %q; known splits: %s", name, strings.Join(known, ", "))
}
