package paper

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestPublished(t *testing.T) {
	// Read off the paper's table by eye.
	cases := []struct {
		dataset, method, measure string
		want                     float64
	}{
		{"concrete", "sml", "ece", 0.44},
		{"protein", "mc-ll", "nll", 1.4e6},
		{"yacht", "mc", "rmse", 0.08},
		{"wine-red", "pu", "nll", 14572.96},
		{"year", "de", "ws", 3.38},
		{"naval", "pu-de", "ece", 0.98},
	}
	for _, c := range cases {
		if got, ok := reference.Lookup(c.dataset, c.method, "test", c.measure); !ok || got != c.want {
			t.Errorf("Published(%q, %q, %q) = %v, %v; want %v", c.dataset, c.method, c.measure, got, ok, c.want)
		}
	}
	for _, none := range [][3]string{{"toy", "sml", "ece"}, {"concrete", "sml-de", "ece"}, {"concrete", "sml beta=0.25", "ece"}, {"concrete", "sml", "ks"}} {
		if got, ok := reference.Lookup(none[0], none[1], "test", none[2]); ok {
			t.Errorf("Published%q = %v; want none", none, got)
		}
	}
}

// TestPublishedIsThePapersTable reads the table again from the paper's source,
// in the folder $SML_PAPER or shared/paper beside the repository.
func TestPublishedIsThePapersTable(t *testing.T) {
	folder := os.Getenv("SML_PAPER")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "paper")
	}
	source, err := os.ReadFile(filepath.Join(folder, "second-moment-loss.tex"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the paper's source is not in $SML_PAPER nor in shared/paper beside the repository: nothing is compared")
	} else if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(source), `\label{tab:apx_eval_uci}`)
	table, _, _ = strings.Cut(table, `\end{tabular}`)

	row := regexp.MustCompile(`(?m)^\s*(RMSE|NLL|ECE|WS) \(\$\\downarrow\$\)\s*&(.*)\\\\`)
	power := regexp.MustCompile(`\\times10\^(\d)`)
	rows := 0
	for _, match := range row.FindAllStringSubmatch(table, -1) {
		rows++
		cells := strings.Split(match[2], "&")
		if len(cells) != 1+len(Methods()) {
			t.Fatalf("the row %q has %d cells; want a data set and %d scores", match[0], len(cells), len(Methods()))
		}
		dataset, measure := strings.TrimSpace(cells[0]), strings.ToLower(match[1])
		for i, method := range Methods() {
			want := expect.Must(strconv.ParseFloat(power.ReplaceAllString(strings.Trim(cells[1+i], " $"), "e$1"), 64))
			if got, ok := reference.Lookup(dataset, method, "test", measure); !ok || got != want {
				t.Errorf("Published(%q, %q, %q) = %v, %v; the paper has %v", dataset, method, measure, got, ok, want)
			}
		}
	}
	if want := len(published) / len(Methods()); rows != want {
		t.Errorf("the paper's table has %d rows; want %d", rows, want)
	}
}
