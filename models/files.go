package models

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

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

	calibrationRowsFile = "calibration_rows.safetensors"
)

// format is the version of the model directory's layout. Readers refuse any other.
const format = 3

// description is the content of model.json.
type description struct {
	Format int `json:"format"`
	Spec
	Members int           `json:"members"`
	Stored  []matrixShape `json:"stored,omitempty"` // matrices of each member in stored.safetensors
	Model
}

// Save writes the model as a new directory. If the directory exists, it returns an error that wraps
// fs.ErrExist, unless replace is set and the directory is empty or a model (see Files).
func (m *Model) Save(dir string, replace bool) error {
	if !replace {
		return m.SaveOver(dir, nil)
	}
	return m.SaveOver(dir, func(dir string) ([]string, error) { return Files(dir) })
}

// SaveOver writes the model as a directory, as Save does. If the directory exists, ownFiles returns its files, all of which
// the model may replace, or an error, which SaveOver returns. A nil ownFiles means that nothing may be replaced.
func (m *Model) SaveOver(dir string, ownFiles func(dir string) ([]string, error)) error {
	d := m.description()
	if err := d.checkNames(); err != nil {
		return err
	}
	if err := d.checkStored(); err != nil { // Load would refuse the model
		return err
	}
	text, err := d.encode()
	if err != nil {
		return err
	}
	files, err := m.files(text)
	if err != nil {
		return err
	}
	return safefile.WriteDir(dir, ownFiles, func(dir string) error { return writeFiles(dir, files) })
}

// description returns the content of model.json.
func (m *Model) description() description {
	d := description{
		Format:  format,
		Spec:    m.Spec,
		Members: len(m.Members),
		Model:   *m,
	}
	if len(m.Stored) > 0 {
		d.Stored = shapesOf(m.Stored[0])
	}
	return d
}

// encode returns the text of model.json. It returns an error if Load would refuse the text for its
// length.
func (d description) encode() ([]byte, error) {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, err
	}
	if len(text) >= maxDescription {
		return nil, fmt.Errorf("%s would have %d bytes; at most %d are read: shorten the names of columns", modelFile, len(text), maxDescription)
	}
	return append(text, '\n'), nil
}

// modelFileContent is a file of a model directory that is to be written.
type modelFileContent struct {
	name  string
	write func(io.Writer) error
}

// files returns the files of the model, in the order of writing. description is the text of model.json.
func (m *Model) files(description []byte) ([]modelFileContent, error) {
	files := []modelFileContent{
		{modelFile, safefile.WriteBytes(description)},
		{weightsFile, func(w io.Writer) error { return safetensors.Write(w, memberTensors(m.Members)) }},
		{historyFile, m.History.write},
	}
	if m.Stored != nil {
		files = append(files, modelFileContent{storedFile, func(w io.Writer) error { return safetensors.Write(w, storedTensors(m.Stored)) }})
	}
	if m.TrainingRows != nil {
		rows, err := m.TrainingRows.MarshalBinary()
		if err != nil {
			return nil, err
		}
		files = append(files, modelFileContent{rowsFile, safefile.WriteBytes(rows)})
	}
	if m.CalibrationRows != nil {
		files = append(files, modelFileContent{calibrationRowsFile, func(w io.Writer) error { return safetensors.Write(w, m.CalibrationRows.tensors()) }})
	}
	return files, nil
}

// writeFiles writes files into a directory, and a manifest of their checksums.
func writeFiles(dir string, files []modelFileContent) error {
	manifest := safefile.Manifest{}
	for _, f := range files {
		writeBuffered := func(w io.Writer) error {
			buffered := bufio.NewWriter(w)
			if err := f.write(buffered); err != nil {
				return err
			}
			return buffered.Flush()
		}
		if err := manifest.Add(dir, f.name, writeBuffered); err != nil {
			return err
		}
	}
	return manifest.Write(dir)
}

// Files returns the names of the files of the model in a directory. It returns an error if the
// directory has other files, or if a file was changed since the model was written. It returns nil for a
// directory without files. It ignores the given folders, which another package writes beside the model.
func Files(dir string, folders ...string) ([]string, error) {
	files, err := safefile.ListKnownFiles(dir, folders, modelFile, weightsFile, storedFile, historyFile, rowsFile, calibrationRowsFile, safefile.ManifestFile)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	for _, name := range []string{modelFile, safefile.ManifestFile} {
		if !slices.Contains(files, name) {
			return nil, fmt.Errorf("%s holds no %s", dir, name)
		}
	}
	manifest, err := safefile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if name == safefile.ManifestFile {
			continue
		}
		isUnchanged, err := manifest.Owns(dir, name)
		if err != nil {
			return nil, err
		}
		if !isUnchanged {
			return nil, fmt.Errorf("%s %w", filepath.Join(dir, name), ErrChanged)
		}
	}
	return files, nil
}

// maxDescription bounds the size of model.json in bytes. Most of it is columns: the largest number of
// columns at 250 bytes each, and the longest header that a table may have, 16 MiB, at up to six bytes
// for each byte of a name in JSON.
const maxDescription = 128 << 20

// Load returns the model in a directory, without its history, its training rows and its calibration rows: see
// LoadHistory, LoadTrainingRows and LoadCalibrationRows. It returns an error if a file is missing, larger than such a
// model needs, or does not fit the other files, and an error that wraps ErrChanged if a file was changed since the model
// was written.
func Load(dir string) (*Model, error) {
	m, _, err := loadUnlessReplaced(dir, false)
	return m, err
}

// LoadChanged returns the model in a directory as Load does, also if its files were changed since the model was written.
// It returns the paths of the changed files.
func LoadChanged(dir string) (m *Model, changed []string, err error) {
	return loadUnlessReplaced(dir, true)
}

// loadUnlessReplaced returns the result of load for files that were written together.
func loadUnlessReplaced(dir string, acceptChanged bool) (m *Model, changed []string, err error) {
	safefile.ReadUnchanged(dir, func() { m, changed, err = load(dir, acceptChanged) })
	return m, changed, err
}

// load returns the model in a directory and, if changed files are accepted, the paths of these files.
func load(dir string, acceptChanged bool) (_ *Model, changed []string, err error) {
	files, err := newFileReader(dir, acceptChanged)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	text, err := files.read(modelFile, maxDescription)
	if errors.Is(err, ErrChanged) {
		return nil, nil, err
	}
	if err != nil {
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err // the path is that of a file in dir, which the message names
		}
		return nil, nil, fmt.Errorf("no model in %s: %w", dir, err)
	}
	d, params, err := decodeDescription(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	weights, err := files.read(weightsFile, weightsSize(params, d.Members))
	if err != nil {
		return nil, nil, err
	}
	var stored []byte
	if len(d.Stored) > 0 {
		stored, err = files.read(storedFile, storedSize(d.Stored, d.Members))
		if err != nil {
			return nil, nil, err
		}
	}
	m, err := d.model(weights, stored)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	return m, files.changed, nil
}

// Sizes in a file of tensors, in bytes: the length of its header, the header in JSON, and the values.
const (
	float32Bytes      = 4
	headerLengthBytes = 8
	headerNotesBytes  = 1 << 20 // for notes that other programs may have added to the header
	tensorEntryBytes  = 512     // for the shape and the place of a tensor in the header
	nameByteInJSON    = 6       // one byte of a name takes up to six, as in \u0000
)

// weightsSize returns an upper bound of the size in bytes of the file with the weights of a number of
// members. A nil params stands for unknown parameters.
func weightsSize(params *graph.Params, members int) int64 {
	if params == nil {
		return float32Bytes * MaxWeights
	}
	header := int64(headerNotesBytes)
	for _, p := range params.List() {
		header += int64(members) * int64(tensorEntryBytes+nameByteInJSON*len(p.Name))
	}
	values := float32Bytes * int64(members) * int64(params.Len())
	return headerLengthBytes + header + values
}

// decodeDescription returns the content of model.json and the parameters of one member. The parameters
// are nil if they cannot be known because a frozen model is missing; the file of weights then decides.
func decodeDescription(text []byte) (d description, params *graph.Params, err error) {
	var version struct{ Format int }
	err = json.Unmarshal(text, &version) // an error of the JSON is reported below, with its place
	if err == nil && version.Format != format {
		return d, nil, fmt.Errorf("%s has format %d; this program reads format %d: train the model again", modelFile, version.Format, format)
	}
	if err := strict.Unmarshal(text, &d); err != nil {
		return d, nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	if err := d.validate(); err != nil {
		return d, nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	params, err = d.Spec.declareWithoutFrozen()
	if isMissingModel(err) {
		return d, nil, nil // predictions do not need the frozen model
	}
	if err == nil {
		err = checkWeights(params, d.Members)
	}
	if err != nil {
		return d, nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	return d, params, nil
}

// model returns the model of a description with the content of the file of weights and, if the
// description lists stored matrices, of the file of stored matrices.
func (d description) model(weights, stored []byte) (*Model, error) {
	m := &d.Model // a part of a copy
	m.Spec = d.Spec
	tensors, err := safetensors.Read(weights)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	if err := m.setWeights(tensors, d.Members); err != nil {
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	if err := m.setStored(stored, d.Stored); err != nil {
		return nil, fmt.Errorf("%s: %w", storedFile, err)
	}
	return m, nil
}

// validate returns an error unless this program has what the description names, in numbers and sizes that it accepts. The
// manifest's checksum proves the rest: that Save wrote it.
func (d description) validate() error {
	if err := d.checkCounts(); err != nil {
		return err
	}
	if err := d.Architecture.Check(d.Members, 1); err != nil {
		return err
	}
	return d.checkStored()
}

// checkCounts returns an error unless hyperparameters, outputs and columns are as many as the method and
// the architecture need.
func (d description) checkCounts() error {
	want, err := NewSpec(d.Method, d.Hyperparameters, d.Architecture)
	if err != nil {
		return err
	}
	a := d.Architecture
	switch {
	case len(want.Hyperparameters) != len(d.Hyperparameters):
		return fmt.Errorf("method %s has %d hyperparameters; %d are listed", d.Method, len(want.Hyperparameters), len(d.Hyperparameters))
	case len(want.Architecture.Hyperparameters) != len(a.Hyperparameters):
		return fmt.Errorf("the network has %d hyperparameters; %d are listed", len(want.Architecture.Hyperparameters), len(a.Hyperparameters))
	case want.Architecture.Outputs != a.Outputs:
		return fmt.Errorf("method %s needs %d network outputs, not %d", d.Method, want.Architecture.Outputs, a.Outputs)
	case len(d.Inputs) != a.Inputs:
		return fmt.Errorf("the network has %d inputs; %d are listed", a.Inputs, len(d.Inputs))
	case len(d.Targets) != a.Targets:
		return fmt.Errorf("there are %d target columns; %d are listed", a.Targets, len(d.Targets))
	}
	return nil
}

// checkStored returns an error if there are stored matrices and the method stores none, or the other way
// round, or if their shapes are not valid.
func (d description) checkStored() error {
	m, err := Lookup(d.Method)
	if err != nil {
		return err
	}
	switch {
	case m.AfterTraining == nil && len(d.Stored) > 0:
		return fmt.Errorf("the model has stored matrices; method %s stores none", d.Method)
	case m.AfterTraining != nil && len(d.Stored) == 0:
		return fmt.Errorf("the model has no stored matrices; method %s stores some after the training", d.Method)
	}
	return checkShapes(d.Stored, d.Members)
}

// checkNames returns an error if two columns of the table have the same name. Prepared inputs are not
// columns of the table, and their names may repeat.
func (d description) checkNames() error {
	if d.Preparation != nil {
		return checkColumnNames(nil, d.Targets.Names())
	}
	return checkColumnNames(d.Inputs.Names(), d.Targets.Names())
}

// setWeights creates the members and copies the tensors into their parameters. It returns an error
// unless each member has exactly the parameters of the spec.
func (m *Model) setWeights(tensors []safetensors.Tensor, members int) error {
	for range members {
		params, err := m.Spec.declareWithoutFrozen()
		if isMissingModel(err) {
			params, err = m.Spec.declareFromTensors(tensors, len(m.Members))
		}
		if err != nil {
			return err
		}
		isFirst := len(m.Members) == 0
		if isFirst && params.Len()*members != countValues(tensors) {
			return fmt.Errorf("there are %d weights, want %d members of %d", countValues(tensors), members, params.Len())
		}
		if err := params.Allocate(graph.Float32); err != nil {
			return err
		}
		m.Members = append(m.Members, params)
	}
	return copyTensors(memberTensors(m.Members), tensors)
}

// setStored sets the stored matrices of each member, which have these shapes, from the content of a file. It returns an
// error unless the file has exactly these matrices, and sub-networks as many values as the network has. It does nothing
// without shapes.
func (m *Model) setStored(file []byte, shapes []matrixShape) error {
	if len(shapes) == 0 {
		return nil
	}
	tensors, err := safetensors.Read(file)
	if err != nil {
		return err
	}
	for range m.Members {
		var matrices []Matrix
		for _, s := range shapes {
			matrices = append(matrices, Matrix{s, make([]float32, s.Rows*s.Columns)})
		}
		m.Stored = append(m.Stored, matrices)
	}
	if err := copyTensors(storedTensors(m.Stored), tensors); err != nil {
		return err
	}
	for k, params := range m.Members {
		if err := m.SubNetworks(k).check(params); err != nil {
			return err
		}
	}
	return nil
}

// declareFromTensors returns the parameters that the tensors of a member describe, for an objective that
// cannot be built because a frozen model is missing. It returns an error if a parameter of the network is
// not among the tensors.
func (s Spec) declareFromTensors(tensors []safetensors.Tensor, member int) (*graph.Params, error) {
	prefix := fmt.Sprintf("members.%d.", member)
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	for _, t := range tensors {
		name, isOfMember := strings.CutPrefix(t.Name, prefix)
		if isOfMember && len(t.Shape) == 2 {
			b.Param(name, t.Shape[0], t.Shape[1], graph.Fill(0))
		}
	}
	declared := len(params.List())
	// The network declares its parameters too: those that are not among the tensors come after them.
	if err := s.DeclareNetwork(params, 2); err != nil {
		return nil, err
	}
	all := params.List()
	if len(all) > declared {
		return nil, fmt.Errorf("tensor %q of member %d is missing", all[declared].Name, member)
	}
	return params, b.Err()
}

// countValues returns the number of values in all tensors.
func countValues(tensors []safetensors.Tensor) int {
	n := 0
	for _, t := range tensors {
		n += len(t.Values)
	}
	return n
}
