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

// Frozen is a trained model that an objective calls, such as a teacher. Its weights are constants:
// no gradient flows into them, but the gradient with respect to its inputs flows through them.
type Frozen struct {
	Spec
	Inputs, Targets data.Scalers    // columns of the frozen model, with their own scales
	Preparation     json.RawMessage // see Model.Preparation
	Dir             string          // directory that it was read from

	number int // among those of the task
	model  *Model
	task   *Task
}

// Frozen reads the model in a directory, once however often the objective is built. It
// has as many inputs and targets as the training, and, where names are known, the same
// columns. What is trained with it predicts without it.
func (t *Task) Frozen(dir string) *Frozen {
	switch {
	case dir == "":
		t.b.Fail(missingModel{errors.New("Frozen: no directory is named that a model is in")})
		return &Frozen{task: t}
	case t.spec.alone:
		t.b.Fail(missingModel{errors.New("a model is read without those that its objective looked at")})
		return &Frozen{task: t}
	}
	m, err := loadOnce(dir)
	a := t.spec.Architecture
	switch {
	case err != nil:
	case len(m.Inputs) != a.Inputs || len(m.Targets) != a.Targets:
		err = FrozenSizeError{Dir: dir, Inputs: len(m.Inputs), Targets: len(m.Targets), training: a}
	}
	if err != nil {
		t.b.Fail(missingModel{err})
		return &Frozen{task: t}
	}
	for _, have := range t.frozen {
		if have.model == m {
			return have
		}
	}
	f := &Frozen{Spec: m.Spec, Inputs: m.Inputs, Targets: m.Targets, Preparation: m.Preparation, Dir: dir, number: len(t.frozen), model: m, task: t}
	t.frozen = append(t.frozen, f)
	return f
}

// Members returns the number of its networks.
func (f *Frozen) Members() int {
	if f.model == nil {
		return 0
	}
	return len(f.model.Members)
}

// sum returns a checksum of the weights, the columns and the settings of the model.
func (f *Frozen) sum() (string, error) {
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

// FrozenModels returns the models that the objective looks at (Task.Frozen), in the
// order in which it asks for them.
func (s Spec) FrozenModels() ([]*Frozen, error) {
	_, task, err := s.loss(graph.New(graph.Float32, new(graph.Params)), 2, true)
	if err != nil {
		return nil, err
	}
	return task.frozen, nil
}

// FrozenSum identifies the models that the objective looks at; it is "" where it looks at
// none.
func (s Spec) FrozenSum() (string, error) {
	list, err := s.FrozenModels()
	if err != nil || len(list) == 0 {
		return "", err
	}
	all := sha256.New()
	for _, f := range list {
		sum, err := f.sum()
		if err != nil {
			return "", err
		}
		all.Write([]byte(sum))
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// Forward runs member k of the model on the batch: [rows, outputs], in the model's own
// standardised units. Masks are its own.
func (f *Frozen) Forward(member int, pass graph.Pass) *graph.Node {
	return f.ForwardAt(f.task.X, member, pass)
}

// ForwardAt is Forward on other inputs x, standardised like this training's. Gradient
// flows to x.
func (f *Frozen) ForwardAt(x *graph.Node, member int, pass graph.Pass) *graph.Node {
	t := f.task
	if f.model == nil || t.b.Err() != nil {
		return t.b.Const(0)
	}
	if member < 0 || member >= f.Members() {
		t.b.Fail(missingModel{fmt.Errorf("the model in %s has %d members, and is asked for member %d, from 0", f.Dir, f.Members(), member)})
		return t.b.Const(0)
	}
	n, err := f.Spec.Network()
	if err != nil {
		t.b.Fail(err)
		return t.b.Const(0)
	}
	m, err := Lookup(f.Spec.Method)
	if err != nil {
		t.b.Fail(err)
		return t.b.Const(0)
	}
	x = t.b.Add(t.b.Mul(x, f.scale(xFactor)), f.scale(xShift))
	scope := graph.Scope{Prefix: fmt.Sprintf("%s%d.%d.", frozenPrefix, f.number, member), From: f.model.Members[member]}
	return within(t.b, scope, func() Forward { return n.on(t.b, x, f.Architecture, &m, nil) })(pass)
}

// Mean brings means of targets [rows, targets] from the model's units to this
// training's.
func (f *Frozen) Mean(n *graph.Node) *graph.Node {
	return f.task.b.Add(f.Std(n), f.scale(yShift))
}

// Std brings standard deviations of targets [rows, targets] from the model's units to
// this training's.
func (f *Frozen) Std(n *graph.Node) *graph.Node {
	return f.task.b.Mul(n, f.scale(yFactor))
}

func (f *Frozen) scale(what string) *graph.Node {
	columns := f.Inputs
	if what == yFactor || what == yShift {
		columns = f.Targets
	}
	return f.task.input(ofFrozen{f.number, what}.String(), 1, max(1, len(columns)))
}

// loadedModels holds the models that objectives of this process have read. Nothing changes them.
var loadedModels struct {
	sync.Mutex
	models map[string]loadedModel
}

type loadedModel struct {
	*Model
	state string
}

// loadOnce is Load of a directory that has not changed since.
func loadOnce(dir string) (*Model, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	state := ""
	for _, name := range []string{modelFile, weightsFile} {
		if info, err := os.Stat(filepath.Join(path, name)); err == nil {
			state += fmt.Sprintln(info.Size(), info.ModTime().Format(time.RFC3339Nano))
		}
	}
	loadedModels.Lock()
	have, ok := loadedModels.models[path]
	loadedModels.Unlock()
	if ok && have.state == state {
		return have.Model, nil
	}
	m, err := Load(dir) // without the lock: it builds graphs, whose lock comes first
	if err != nil {
		return nil, err
	}
	loadedModels.Lock()
	defer loadedModels.Unlock()
	if loadedModels.models == nil {
		loadedModels.models = make(map[string]loadedModel)
	}
	loadedModels.models[path] = loadedModel{m, state}
	return m, nil
}
