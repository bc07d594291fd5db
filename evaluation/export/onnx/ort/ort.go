// Package ort runs ONNX files in ONNX Runtime, for tests. Start with Run. It needs Node.js and the
// package onnxruntime-node; tests are skipped if they are not installed.
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

// Tensor is an input or output of a file.
type Tensor struct {
	Type    string    // float32, float64 or string
	Dims    []int     // lengths of the axes
	Numbers []float64 // values, row by row; may be NaN; nil for strings
	Texts   []string  // values, row by row; nil for numbers
}

// Run runs an ONNX file with the given inputs, by name, and returns its outputs. It fails the test if
// the file cannot be run. If the environment variable SML_ONNX_PYTHON names a Python with the package
// onnx, Run also checks the file with ONNX's checker. Like RequireRuntime, it skips the test without ONNX
// Runtime.
func Run(t testing.TB, file []byte, inputs map[string]Tensor) map[string]Tensor {
	t.Helper()
	modulesDir := RequireRuntime(t)
	dir := t.TempDir()
	modelPath := writeFile(t, dir, "model.onnx", file)
	scriptPath := writeFile(t, dir, "run.js", script)
	checkModel(t, modelPath)
	in, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	node := exec.Command("node", scriptPath, modulesDir, modelPath)
	node.Stdin = bytes.NewReader(in)
	node.Stdout = &stdout
	node.Stderr = &stderr
	if err := node.Run(); err != nil {
		t.Fatalf("ONNX Runtime: %v: %s", err, stderr.String())
	}
	outputs := make(map[string]Tensor)
	if err := json.Unmarshal(stdout.Bytes(), &outputs); err != nil {
		t.Fatal(err)
	}
	return outputs
}

// writeFile writes a file and returns its path.
func writeFile(t testing.TB, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkModel fails the test if ONNX's checker rejects the file at path. It does nothing unless
// SML_ONNX_PYTHON is set.
func checkModel(t testing.TB, path string) {
	t.Helper()
	python := os.Getenv("SML_ONNX_PYTHON")
	if python == "" {
		return
	}
	const program = "import onnx, sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)"
	out, err := exec.Command(python, "-c", program, path).CombinedOutput()
	if err != nil {
		t.Fatalf("ONNX's checker: %v: %s", err, out)
	}
}

// RequireRuntime skips the test unless the environment variable SML_ONNXRUNTIME names a directory node_modules
// with onnxruntime-node. It returns that directory.
func RequireRuntime(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SML_ONNXRUNTIME")
	if dir == "" {
		t.Skip("SKIPPED: SML_ONNXRUNTIME is not set: npm install --ignore-scripts onnxruntime-node, and set it to the directory node_modules")
	}
	return dir
}

// tensorJSON is a Tensor in the JSON that is exchanged with run.js.
type tensorJSON struct {
	Type string `json:"type"`
	Dims []int  `json:"dims"`
	Data []any  `json:"data"` // numbers or strings; null is NaN
}

// MarshalJSON returns the tensor as run.js reads it.
func (v Tensor) MarshalJSON() ([]byte, error) {
	w := tensorJSON{
		Type: v.Type,
		Dims: v.Dims,
		Data: make([]any, 0, len(v.Numbers)+len(v.Texts)),
	}
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

// UnmarshalJSON reads a tensor that run.js has written.
func (v *Tensor) UnmarshalJSON(text []byte) error {
	var w tensorJSON
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
			return fmt.Errorf("a tensor has a value of type %T; want numbers, strings or null", x)
		}
	}
	return nil
}
