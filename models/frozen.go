package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sml/data"
	"sml/graph"
	"sml/internal/safetensors"
)

// Frozen is a trained model that an objective calls, such as the teacher in a distillation. Its weights
// are constants: no gradient reaches them, but the gradient with respect to its inputs flows through it.
type Frozen struct {
	Spec
	Inputs, Targets data.Scalers    // columns of the frozen model, with their own scales
	Preparation     json.RawMessage // see Model.Preparation
	Dir             string          // directory of the frozen model

	index int // index among the frozen models of the task
	model *Model
	task  *Task
}

// Frozen returns the model in a directory, which must have as many inputs and targets as the training,
// with the same names where both are known. Calls with the same directory return the same Frozen. The
// model is needed only for the training: the trained model predicts without it. If the model is missing
// or does not fit, the builder fails with an error that wraps ErrFrozen, and the returned Frozen has no
// members.
func (t *Task) Frozen(dir string) *Frozen {
	m, err := t.loadFrozen(dir)
	if err != nil {
		t.b.Fail(missingModel{err})
		return &Frozen{task: t}
	}
	for _, f := range t.frozen {
		if f.model == m { // loadCached returns the same model for a directory that has not changed
			return f
		}
	}
	f := &Frozen{
		Spec:        m.Spec,
		Inputs:      m.Inputs,
		Targets:     m.Targets,
		Preparation: m.Preparation,
		Dir:         dir,
		index:       len(t.frozen),
		model:       m,
		task:        t,
	}
	t.frozen = append(t.frozen, f)
	return f
}

// loadFrozen returns the model in a directory. It returns an error if the model has another number of
// inputs or targets than the training, or if the spec allows no frozen models.
func (t *Task) loadFrozen(dir string) (*Model, error) {
	switch {
	case dir == "":
		return nil, errors.New("Frozen: the directory of the model is empty")
	case t.spec.withoutFrozen:
		return nil, errors.New("frozen models are not needed to load a model")
	}
	m, err := loadCached(dir)
	if err != nil {
		return nil, err
	}
	a := t.spec.Architecture
	if len(m.Inputs) != a.Inputs || len(m.Targets) != a.Targets {
		return nil, FrozenSizeError{Dir: dir, Inputs: len(m.Inputs), Targets: len(m.Targets), training: a}
	}
	return m, nil
}

// Members returns the number of members of the model: of its networks, times the copies in each.
func (f *Frozen) Members() int {
	if f.model == nil {
		return 0
	}
	return len(f.model.Members) * f.Architecture.CopyCount()
}

// checksum returns the SHA-256 of the weights, the columns and the settings of the model.
func (f *Frozen) checksum() (string, error) {
	sum := sha256.New()
	text, err := json.Marshal([]any{f.Spec, f.Inputs, f.Targets, f.Preparation})
	if err != nil {
		return "", err
	}
	sum.Write(text)
	if err := safetensors.Write(sum, memberTensors(f.model.Members)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// FrozenModels returns the frozen models of the objective (Task.Frozen) in the order of its calls.
func (s Spec) FrozenModels() ([]*Frozen, error) {
	_, task, err := s.lossAndTask(graph.New(graph.Float32, new(graph.Params)), 2, true)
	if err != nil {
		return nil, err
	}
	return task.frozen, nil
}

// FrozenSum returns a checksum of all frozen models of the objective, or "" if there are none.
func (s Spec) FrozenSum() (string, error) {
	frozen, err := s.FrozenModels()
	if err != nil || len(frozen) == 0 {
		return "", err
	}
	total := sha256.New()
	for _, f := range frozen {
		sum, err := f.checksum()
		if err != nil {
			return "", err
		}
		total.Write([]byte(sum))
	}
	return hex.EncodeToString(total.Sum(nil)), nil
}

// Forward returns the outputs [rows, outputs] of a member of the model, counted from 0, on the batch, in
// the model's own standardised units. It has dropout masks of its own. The builder fails if there is no
// such member.
func (f *Frozen) Forward(member int, pass graph.Pass) *graph.Node {
	return f.ForwardAt(f.task.X, member, pass)
}

// ForwardAt returns Forward on other inputs x [n, inputs], standardised as the inputs of this training.
// The gradient flows to x.
func (f *Frozen) ForwardAt(x *graph.Node, member int, pass graph.Pass) *graph.Node {
	t := f.task
	if f.model == nil || t.b.Err() != nil {
		return t.b.Const(0)
	}
	if member < 0 || member >= f.Members() {
		t.b.Fail(missingModel{fmt.Errorf("the model in %s has %d members; member %d, from 0, does not exist", f.Dir, f.Members(), member)})
		return t.b.Const(0)
	}
	method, network, err := f.methodAndNetwork()
	if err != nil {
		t.b.Fail(err)
		return t.b.Const(0)
	}
	factor := f.conversion("x factor", f.Inputs, false, func(training, own data.Scaler) float64 { return training.Std / own.Std })
	ownX := t.b.Mul(x, factor) // in the model's own units
	shift := f.conversion("x shift", f.Inputs, false, func(training, own data.Scaler) float64 { return (training.Mean - own.Mean) / own.Std })
	ownX = t.b.Add(ownX, shift)
	a := f.Architecture
	trained := member / a.CopyCount() // index of the network with the member
	scope := graph.Scope{Prefix: f.prefix(member), From: f.model.Members[trained]}
	build := func() Forward { return network.forwardAt(t.b, ownX, a, &method, nil) }
	outputs := buildInScope(t.b, scope, build)(pass)
	if a.CopyCount() == 1 {
		return outputs
	}
	return t.b.Split(outputs, a.CopyCount())[member%a.CopyCount()]
}

// Layer returns the output [rows, units] of a hidden layer of a member, counted from 0, in the full network on the batch:
// see Task.Layer. The builder fails if there is no such member or layer, or if the frozen network has copies.
func (f *Frozen) Layer(member int, name string) *graph.Node {
	b := f.task.b
	if copies := f.Architecture.CopyCount(); copies > 1 {
		b.Fail(fmt.Errorf("Frozen.Layer: the network in %s has %d copies, which share hidden layers: want a model of a network with 1 copy", f.Dir, copies))
	}
	pass := NewFullPass(b, func(pass graph.Pass) *graph.Node { return f.Forward(member, pass) })
	if name != "" {
		name = f.prefix(member) + name // the scope puts the prefix before the names of its layers
	}
	layer, err := pass.FindLayer(name)
	if err != nil {
		b.Fail(err)
		return b.Const(0)
	}
	return layer.Node
}

// prefix returns the prefix of the scope of the network with a member.
func (f *Frozen) prefix(member int) string {
	return fmt.Sprintf("%s%d.%d.", frozenPrefix, f.index, member/f.Architecture.CopyCount())
}

// Mean returns means of targets [rows, targets] of the model in the units of this training.
func (f *Frozen) Mean(n *graph.Node) *graph.Node {
	scaled := f.Std(n)
	shift := f.conversion("y shift", f.Targets, true, func(training, own data.Scaler) float64 { return (own.Mean - training.Mean) / training.Std })
	return f.task.b.Add(scaled, shift)
}

// Std returns standard deviations of targets [rows, targets] of the model in the units of this
// training.
func (f *Frozen) Std(n *graph.Node) *graph.Node {
	factor := f.conversion("y factor", f.Targets, true, func(training, own data.Scaler) float64 { return own.Std / training.Std })
	return f.task.b.Mul(n, factor)
}

// conversion returns a factor or shift between the units of the model and of this training, with one column for each of
// the model's inputs or targets, which own lists. value computes it from the scalers of a column in both.
func (f *Frozen) conversion(kind string, own data.Scalers, ofTargets bool, value func(training, own data.Scaler) float64) *graph.Node {
	return f.task.scaleInput(max(1, len(own)), scaleInput{
		name:      fmt.Sprintf("%s%d %s", frozenPrefix, f.index, kind),
		ofTargets: ofTargets,
		own:       own,
		value:     value,
	})
}

// frozenPrefix begins the names of the inputs and parameters of frozen models.
const frozenPrefix = "frozen "

// loadedModels caches the models that objectives of this process have read, by absolute path and state of the files.
// Nothing changes the models.
var loadedModels sync.Map

// loadCached returns the model in a directory, and reads it only if its files have changed since the
// last call.
func loadCached(dir string) (*Model, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintln(path, fileState(path))
	if cached, ok := loadedModels.Load(key); ok {
		return cached.(*Model), nil
	}
	m, err := Load(dir)
	if err != nil {
		return nil, err
	}
	cached, _ := loadedModels.LoadOrStore(key, m)
	return cached.(*Model), nil
}

// fileState returns a text that changes when the files of the model in a directory change: their sizes
// and times.
func fileState(dir string) string {
	state := ""
	for _, name := range []string{modelFile, weightsFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil { // Load reports an error
			state += fmt.Sprintln(info.Size(), info.ModTime().Format(time.RFC3339Nano))
		}
	}
	return state
}
