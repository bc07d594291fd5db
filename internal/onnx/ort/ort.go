// Package ort runs ONNX files in onnxruntime-node, where that is installed, for
// tests: nothing else needs it.
package ort

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed run.js
var script []byte

// Tensor is a value that goes in or comes out: of Texts, if there are any, or of Numbers,
// of which NaN is one.
type Tensor struct {
	Type    string // float32, float64 or string
	Dims    []int
	Numbers []float64
	Texts   []string
}

// Run runs a file, and lets ONNX's own checker look at it, where the environment variable
// SML_ONNX_PYTHON names a Python that has it. The test is skipped where SML_ONNXRUNTIME
// does not name a folder node_modules with onnxruntime-node.
func Run(t testing.TB, file []byte, inputs map[string]Tensor) map[string]Tensor {
	t.Helper()
	dir := Needed(t)
	folder := t.TempDir()
	model, run := filepath.Join(folder, "model.onnx"), filepath.Join(folder, "run.js")
	for path, text := range map[string][]byte{model: file, run: script} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if python := os.Getenv("SML_ONNX_PYTHON"); python != "" {
		out, err := exec.Command(python, "-c", "import onnx, sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)", model).CombinedOutput()
		if err != nil {
			t.Fatalf("ONNX's checker: %v: %s", err, out)
		}
	}
	in, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	var out, says bytes.Buffer
	node := exec.Command("node", run, dir, model)
	node.Stdin, node.Stdout, node.Stderr = bytes.NewReader(in), &out, &says
	if err := node.Run(); err != nil {
		t.Fatalf("ONNX Runtime: %v: %s", err, says.String())
	}
	outputs := make(map[string]Tensor)
	if err := json.Unmarshal(out.Bytes(), &outputs); err != nil {
		t.Fatal(err)
	}
	return outputs
}

// Needed skips the test where there is no ONNX Runtime, and says where it is.
func Needed(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SML_ONNXRUNTIME")
	if dir == "" {
		t.Skip("SKIPPED: there is no ONNX Runtime to run the files in: npm install --ignore-scripts onnxruntime-node, and let SML_ONNXRUNTIME name its node_modules")
	}
	return dir
}

type wire struct {
	Type string `json:"type"`
	Dims []int  `json:"dims"`
	Data []any  `json:"data"` // null is NaN
}

// MarshalJSON writes the form that run.js reads.
func (v Tensor) MarshalJSON() ([]byte, error) {
	w := wire{v.Type, v.Dims, make([]any, 0, len(v.Numbers)+len(v.Texts))}
	for _, x := range v.Numbers {
		if math.IsNaN(x) {
			w.Data = append(w.Data, nil)
		} else {
			w.Data = append(w.Data, x)
		}
	}
	for _, text := range v.Texts {
		w.Data = append(w.Data, text)
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the form that run.js writes.
func (v *Tensor) UnmarshalJSON(text []byte) error {
	var w wire
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	*v = Tensor{Type: w.Type, Dims: w.Dims}
	for _, x := range w.Data {
		switch x := x.(type) {
		case nil:
			v.Numbers = append(v.Numbers, math.NaN())
		case float64:
			v.Numbers = append(v.Numbers, x)
		case string:
			v.Texts = append(v.Texts, x)
		default:
			return fmt.Errorf("%T in a tensor", x)
		}
	}
	return nil
}
