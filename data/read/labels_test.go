package read

import (
	"errors"
	"strings"
	"testing"
)

// A target of texts is explained once; a few texts among numbers are mistakes of their rows.
func TestTextTargets(t *testing.T) {
	_, err := readRaw("x,y\n"+strings.Repeat("1,red\n2,blue\n", 20)+"3,4\n", Options{})
	want := `t.csv: column 2 (y), the target, has texts such as "red" in 40 rows, and numbers are needed: the texts may be labels of classes; the last column was taken as the target, as none was named`
	if err == nil || err.Error() != want || !errors.Is(err, ErrLabels) || !errors.Is(err, ErrLastColumn) {
		t.Errorf("%v\nwant %s", err, want)
	}
	_, err = readRaw("x,y\n"+strings.Repeat("1,red\n", 11_000), Options{Targets: []string{"y"}}) // reading is given up before the end
	if !errors.Is(err, ErrLabels) || errors.Is(err, ErrLastColumn) {
		t.Error(err)
	}
	_, err = readRaw("x,y\n"+strings.Repeat("1,2\n2,3\n", 20)+"3,?!\n", Options{})
	if err == nil || errors.Is(err, ErrLabels) || !strings.Contains(err.Error(), `"?!" is not a number`) {
		t.Error(err)
	}
}
