package models

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sml/data"
	"sml/graph"
	"sml/internal/safefile"
	"sml/internal/safetensors"
	"sml/internal/strict"
)

// Files of a model directory.
const (
	modelFile   = "model.json"
	weightsFile = "weights.safetensors"
	storedFile  = "stored.safetensors"
	historyFile = "history.csv"
	rowsFile    = "training_rows.bin"
)

// format is the version of the model directory's layout. Readers refuse any other.
const format = 3

// description is the content of model.json.
type description struct {
	Format int `json:"format"`
	Spec
	Members int           `json:"members"`
	Stored  []matrixShape `json:"stored,omitempty"` // matrices of each member in stored.safetensors
	Inputs  data.Scalers  `json:"inputs"`
	Targets data.Scalers  `json:"targets"`

	Labels      [][]string      `json:"labels,omitempty"`
	Preparation json.RawMessage `json:"preparation,omitempty"`
	Ranges      []ColumnRange   `json:"ranges,omitempty"`
	Calibration json.RawMessage `json:"calibration,omitempty"`

	Parent   *Parent         `json:"parent,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
	Training json.RawMessage `json:"training,omitempty"`
	Ended    []string        `json:"ended,omitempty"`
	Versions json.RawMessage `json:"versions,omitempty"`
	Scores   json.RawMessage `json:"scores,omitempty"`
}

// Save writes the model as a new directory. An existing one is an error
// wrapping fs.ErrExist, unless replace is set and Files says that it is a model
// or empty.
func (m *Model) Save(dir string, replace bool) error {
	var own safefile.OwnFiles
	if replace {
		own = Files
	}
	d := description{
		Format: format, Spec: m.Spec, Members: len(m.Members), Inputs: m.Inputs, Targets: m.Targets, Labels: m.Labels, Preparation: m.Preparation, Ranges: m.Ranges,
		Calibration: m.Calibration, Parent: m.Parent, Data: m.Data, Training: m.Training, Ended: m.Ended, Versions: m.Versions, Scores: m.Scores,
	}
	if err := d.checkNames(); err != nil { // Load would refuse the model
		return err
	}
	if len(m.Stored) > 0 {
		d.Stored = shapesOf(m.Stored[0])
	}
	if err := d.checkStored(); err != nil {
		return err
	}
	return safefile.WriteDir(dir, own, func(dir string) error {
		text, err := json.MarshalIndent(d, "", "  ")
		if err == nil && len(text) >= maxDescription {
			err = fmt.Errorf("%s would have %d bytes, and at most %d are read: shorten the names of columns", modelFile, len(text), maxDescription)
		}
		if err != nil {
			return err
		}
		type file struct {
			name  string
			write func(io.Writer) error
		}
		files := []file{
			{modelFile, safefile.Content(append(text, '\n'))},
			{weightsFile, func(w io.Writer) error { return safetensors.Write(w, memberTensors(m.Members)) }},
			{historyFile, m.History.write},
		}
		if m.Stored != nil {
			files = append(files, file{storedFile, func(w io.Writer) error { return safetensors.Write(w, storedTensors(m.Stored)) }})
		}
		if m.TrainingRows != nil {
			rows, err := m.TrainingRows.MarshalBinary()
			if err != nil {
				return err
			}
			files = append(files, file{rowsFile, safefile.Content(rows)})
		}
		written := safefile.Manifest{}
		for _, f := range files {
			write := func(w io.Writer) error {
				buffered := bufio.NewWriter(w)
				if err := f.write(buffered); err != nil {
					return err
				}
				return buffered.Flush()
			}
			if err := written.Add(dir, f.name, write); err != nil {
				return err
			}
		}
		return written.Write(dir)
	})
}

// Files lists the files of the model in a directory. It returns an error if the directory
// has a file that the manifest does not list, or one that was changed since the manifest
// was written. An empty directory has no files.
func Files(dir string) ([]string, error) {
	files, err := safefile.ListKnownFiles(dir, modelFile, weightsFile, storedFile, historyFile, rowsFile, safefile.ManifestFile)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	for _, name := range []string{modelFile, safefile.ManifestFile} {
		if !slices.Contains(files, name) {
			return nil, fmt.Errorf("%s holds no %s", dir, name)
		}
	}
	written, err := safefile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if name == safefile.ManifestFile {
			continue
		}
		own, err := written.Owns(dir, name)
		if err != nil {
			return nil, err
		}
		if !own {
			return nil, fmt.Errorf("%s has been changed since it was written", filepath.Join(dir, name))
		}
	}
	return files, nil
}

// Changed lists the files of a model that decide its predictions and are not as
// its manifest has them: edited, or of another model. A model without a manifest
// has none.
func Changed(dir string) (changed []string, err error) {
	safefile.ReadUnchanged(dir, func() { changed, err = changedFiles(dir) })
	return changed, err
}

func changedFiles(dir string) ([]string, error) {
	written, err := safefile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	var changed []string
	for _, name := range []string{modelFile, weightsFile, storedFile} {
		if len(written[name]) == 0 {
			continue
		}
		same, err := written.Matches(dir, name)
		if err != nil {
			return nil, err
		}
		if !same {
			changed = append(changed, filepath.Join(dir, name))
		}
	}
	return changed, nil
}

// maxDescription bounds model.json: columns take most of it. As many as there can
// be have 250 bytes each beside their names, and those of the longest header, which
// has 16 MiB, take up to six bytes for one.
const maxDescription = 128 << 20

// Load reads a model directory and checks that its parts fit together. Files
// that are larger than such a model's can be are refused before they are read.
// LoadHistory and LoadTrainingRows read the rest.
func Load(dir string) (m *Model, err error) {
	safefile.ReadUnchanged(dir, func() { m, err = load(dir) })
	return m, err
}

func load(dir string) (*Model, error) {
	text, err := safefile.Read(filepath.Join(dir, modelFile), maxDescription)
	if err != nil {
		return nil, fmt.Errorf("no model in %s: %w", dir, err)
	}
	d, params, err := decodeDescription(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	weights, err := safefile.Read(filepath.Join(dir, weightsFile), weightsSize(params, d.Members))
	if err != nil {
		return nil, err
	}
	var stored []byte
	if len(d.Stored) > 0 {
		if stored, err = safefile.Read(filepath.Join(dir, storedFile), storedSize(d.Stored, d.Members)); err != nil {
			return nil, err
		}
	}
	m, err := d.model(weights, stored)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return m, nil
}

// weightsSize bounds the file of so many members' weights: the values, and for
// each tensor its name and half a KiB of the header, which other programs may
// have written with a MiB of notes. Where parameters are not known, nil, it is the
// largest that there is.
func weightsSize(params *graph.Params, members int) int64 {
	if params == nil {
		return 4 * MaxWeights
	}
	header := int64(1 << 20)
	for _, p := range params.List() {
		header += int64(members) * int64(512+6*len(p.Name)) // a letter takes up to six in JSON
	}
	return 8 + header + 4*int64(members)*int64(params.Len())
}

// decodeDescription reads model.json, and declares the parameters of one
// member of what it describes.
func decodeDescription(text []byte) (d description, params *graph.Params, err error) {
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err == nil && version.Format != format {
		return d, nil, fmt.Errorf("%s has format %d, and this program reads format %d: train the model again", modelFile, version.Format, format)
	}
	if err := strict.Unmarshal(text, &d); err != nil {
		return d, nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	if err := d.validate(); err != nil {
		return d, nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	if params, err = d.Spec.declareWithoutFrozen(); err == nil {
		err = checkWeights(params, d.Members)
	} else if isMissingModel(err) {
		return d, nil, nil // predictions do without it: the file of weights says which there are
	}
	if err != nil {
		return d, nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	return d, params, nil
}

// model joins a description with the contents of the file of weights and, if the description lists
// stored matrices, of the file of these.
func (d description) model(weights, stored []byte) (*Model, error) {
	m := &Model{
		Spec: d.Spec, Inputs: d.Inputs, Targets: d.Targets, Labels: d.Labels, Preparation: d.Preparation, Ranges: d.Ranges,
		Calibration: d.Calibration, Parent: d.Parent, Data: d.Data, Training: d.Training, Ended: d.Ended, Versions: d.Versions, Scores: d.Scores,
	}
	tensors, err := safetensors.Read(weights)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	if err := m.setWeights(tensors, d.Members); err != nil {
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	if len(d.Stored) > 0 {
		if m.Stored, err = readStored(stored, d.Stored, d.Members); err != nil {
			return nil, fmt.Errorf("%s: %w", storedFile, err)
		}
		for k, params := range m.Members {
			if err := m.SubNetworks(k).check(params); err != nil {
				return nil, fmt.Errorf("%s: %w", storedFile, err)
			}
		}
	}
	return m, nil
}

func (d description) validate() error {
	want, err := NewSpec(d.Method, d.Hyperparameters, d.Architecture)
	if err != nil {
		return err
	}
	method, err := Lookup(d.Method)
	if err != nil {
		return err
	}
	a := d.Architecture
	switch {
	case len(want.Hyperparameters) != len(d.Hyperparameters):
		return fmt.Errorf("method %s has %d hyperparameters, and %d are given", d.Method, len(want.Hyperparameters), len(d.Hyperparameters))
	case len(want.Architecture.Hyperparameters) != len(d.Architecture.Hyperparameters):
		return fmt.Errorf("the network has %d hyperparameters, and %d are given", len(want.Architecture.Hyperparameters), len(d.Architecture.Hyperparameters))
	case want.Architecture.Outputs != a.Outputs:
		return fmt.Errorf("method %s needs %d network outputs, not %d", d.Method, want.Architecture.Outputs, a.Outputs)
	case len(d.Inputs) != a.Inputs:
		return fmt.Errorf("the network has %d inputs, and %d are described", a.Inputs, len(d.Inputs))
	case len(d.Targets) != a.Targets:
		return fmt.Errorf("there are %d target columns, and %d are described", a.Targets, len(d.Targets))
	}
	if err := d.checkLabels(); err != nil {
		return err
	}
	if err := method.CheckMembers(d.Members); err != nil {
		return err
	}
	if err := a.Check(d.Members, 1); err != nil {
		return err
	}
	if len(d.Ended) > 0 && len(d.Ended) != d.Members {
		return fmt.Errorf("the trainings of %d members ended for %d reasons", d.Members, len(d.Ended))
	}
	for _, c := range slices.Concat(d.Inputs, d.Targets) {
		if err := c.Check(); err != nil {
			return err
		}
	}
	if err := d.checkStored(); err != nil {
		return err
	}
	return d.checkNames()
}

// checkLabels returns an error unless the labels are of all targets, and of their classes.
func (d description) checkLabels() error {
	if d.Labels != nil && len(d.Labels) != len(d.Targets) {
		return fmt.Errorf("there are labels of %d targets, and %d targets", len(d.Labels), len(d.Targets))
	}
	for i, labels := range d.Labels {
		if len(labels) > d.Architecture.Classes {
			return fmt.Errorf("target %q has %d labels, and the network %d classes", d.Targets[i].Name, len(labels), d.Architecture.Classes)
		}
	}
	return nil
}

// checkStored returns an error unless there are stored matrices if and only if the method stores
// some after a training.
func (d description) checkStored() error {
	m, err := Lookup(d.Method)
	if err != nil {
		return err
	}
	switch {
	case m.AfterTraining == nil && len(d.Stored) > 0:
		return fmt.Errorf("the model has stored matrices, and method %s stores none", d.Method)
	case m.AfterTraining != nil && len(d.Stored) == 0:
		return fmt.Errorf("the model has no stored matrices, and method %s stores some after a training", d.Method)
	}
	return checkShapes(d.Stored, d.Members)
}

// checkNames returns an error if columns of the table have the same name. Prepared inputs
// are no columns of a table, and may have the name of one.
func (d description) checkNames() error {
	if d.Preparation != nil {
		return CheckColumnNames(nil, d.Targets.Names())
	}
	return CheckColumnNames(d.Inputs.Names(), d.Targets.Names())
}

// setWeights distributes tensors over new members and checks that each
// member has exactly the parameters of the spec.
func (m *Model) setWeights(tensors []safetensors.Tensor, members int) error {
	for range members {
		params, err := m.Spec.declareWithoutFrozen()
		if isMissingModel(err) {
			params, err = m.Spec.declareFrom(tensors, len(m.Members))
		}
		if err != nil {
			return err
		}
		if len(m.Members) == 0 && params.Len()*members != count(tensors) {
			return fmt.Errorf("there are %d weights, want %d members of %d", count(tensors), members, params.Len())
		}
		if err := params.Allocate(graph.Float32); err != nil {
			return err
		}
		m.Members = append(m.Members, params)
	}
	want := memberTensors(m.Members)
	if len(want) != len(tensors) {
		return fmt.Errorf("there are %d tensors, want %d", len(tensors), len(want))
	}
	byName := make(map[string]safetensors.Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	for _, w := range want {
		t, ok := byName[w.Name]
		if !ok {
			return fmt.Errorf("tensor %q is missing", w.Name)
		}
		if !slices.Equal(t.Shape, w.Shape) {
			return fmt.Errorf("tensor %q is %v, want %v", t.Name, t.Shape, w.Shape)
		}
		copy(w.Values, t.Values)
	}
	return nil
}

// declareFrom returns the parameters that the tensors of a member describe. It replaces declare
// for an objective that cannot be built because a frozen model is missing. It returns an error
// if the network does not find its parameters among the tensors.
func (s Spec) declareFrom(tensors []safetensors.Tensor, member int) (*graph.Params, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	for _, t := range tensors {
		if name, ok := strings.CutPrefix(t.Name, fmt.Sprintf("members.%d.", member)); ok && len(t.Shape) == 2 {
			b.Param(name, t.Shape[0], t.Shape[1], graph.Fill(0))
		}
	}
	declared := len(params.List())
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	f, err := s.Forward(b, 2)
	if err != nil {
		return nil, err
	}
	f(graph.Full)
	if m.Stochastic {
		f(graph.Drop(0))
	}
	if list := params.List(); b.Err() == nil && len(list) > declared {
		return nil, fmt.Errorf("tensor %q of member %d is missing", list[declared].Name, member)
	}
	return params, b.Err()
}

func count(tensors []safetensors.Tensor) int {
	n := 0
	for _, t := range tensors {
		n += len(t.Values)
	}
	return n
}
