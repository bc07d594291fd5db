package trainers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"sml/internal/safefile"
	"sml/internal/safetensors"
	"sml/internal/strict"
	"sml/models"
	"sml/trainers/optimizer"
)

// Files of a checkpoint directory.
const (
	stateFile   = "state.json"
	tensorsFile = "state.safetensors"
)

// checkpointFormat is the version of the format. It is raised when the meaning of a file changes.
const checkpointFormat = 3

// Maximum sizes of a checkpoint's files, in bytes.
const (
	// maxStateFile has room for the longest possible history, with 200 bytes for each epoch.
	maxStateFile = 1 << 30

	// maxTensorsFile has room for the values, the best and the averaged values, the kept matrices
	// and the slots of the largest number of weights, as float32 numbers, and for a header.
	maxTensorsFile = 4*(4+optimizer.MaxSlots)*models.MaxWeights + 64<<20
)

// checkpoint is the content of state.json.
type checkpoint struct {
	Format  int             `json:"format"`  // checkpointFormat
	Program string          `json:"program"` // version of the program that wrote it; only this version can resume
	Sum     string          `json:"sha256"`  // SHA-256 of the other fields
	State   json.RawMessage `json:"state"`   // a checkpointState
}

// checkpointState is the state of a training, except for its tensors.
type checkpointState struct {
	Tensors string          `json:"tensors_sha256"` // SHA-256 of state.safetensors
	Job     json.RawMessage `json:"job"`            // Options.Job
	Members []memberState   `json:"members"`
}

// memberState is a State without its tensors. See State for its fields.
type memberState struct {
	Epoch     int               `json:"epoch"`
	Step      int               `json:"step"`
	BestEpoch int               `json:"best_epoch,omitempty"`
	BestLoss  strict.Number     `json:"best_loss,omitempty"`
	Stopped   bool              `json:"stopped,omitempty"`
	History   [][]strict.Number `json:"history"` // the values of each epoch
	Frozen    string            `json:"frozen,omitempty"`
	Ended     *string           `json:"ended,omitempty"`
}

// sum returns the SHA-256 of all fields but Sum, in hexadecimal.
func (c checkpoint) sum() string {
	return safefile.Sum(fmt.Appendf(nil, "%d\n%q\n%s", c.Format, c.Program, c.State))
}

// WriteCheckpoint writes the states of an interrupted training, by member, to the directory dir. It
// replaces an earlier checkpoint, and returns an error if dir has other files. program is the
// version of the program, and job is returned by ReadCheckpoint.
func WriteCheckpoint(dir, program string, job json.RawMessage, states []State) error {
	return safefile.WriteDir(dir, CheckpointFiles, func(dir string) error {
		var stateContent []byte
		err := safefile.Replace(filepath.Join(dir, tensorsFile), func(w io.Writer) (err error) {
			stateContent, err = encodeCheckpoint(w, program, job, states)
			return err
		})
		if err != nil {
			return err
		}
		return safefile.Replace(filepath.Join(dir, stateFile), safefile.WriteBytes(stateContent))
	})
}

// encodeCheckpoint writes the content of a checkpoint's file of tensors to w, and returns the content of its state file, with
// the checksum of the tensors. It keeps no copy of the tensors, which are most of the memory of a training.
func encodeCheckpoint(w io.Writer, program string, job json.RawMessage, states []State) (stateContent []byte, err error) {
	if job == nil {
		job = json.RawMessage("null")
	}
	state := checkpointState{Job: job}
	var tensors []safetensors.Tensor
	for member, s := range states {
		state.Members = append(state.Members, newMemberState(s))
		tensors = append(tensors, s.tensors(member)...)
	}
	hash := sha256.New()
	if err := safetensors.Write(io.MultiWriter(w, hash), tensors); err != nil {
		return nil, err
	}
	state.Tensors = hex.EncodeToString(hash.Sum(nil))
	file := checkpoint{Format: checkpointFormat, Program: program}
	file.State, err = json.Marshal(state)
	if err != nil {
		return nil, err
	}
	file.Sum = file.sum()
	return json.Marshal(file)
}

// newMemberState returns s without its tensors. The best loss is left out where there is none: it is
// infinite, which JSON cannot hold.
func newMemberState(s State) memberState {
	m := memberState{
		Epoch:   s.Epoch,
		Step:    s.Step,
		Stopped: s.Stopped,
		History: [][]strict.Number{}, // [] in JSON, not null
		Frozen:  s.Frozen,
		Ended:   s.Ended,
	}
	if s.Best != nil {
		m.BestEpoch = s.BestEpoch
		m.BestLoss = strict.Number(s.BestLoss)
	}
	for _, epoch := range s.History {
		row := make([]strict.Number, len(epoch.Values))
		for i, v := range epoch.Values {
			row[i] = strict.Number(v)
		}
		m.History = append(m.History, row)
	}
	return m
}

// Names of tensors in state.safetensors, after the member: see tensorName.
const (
	valuesTensor  = "values"
	bestTensor    = "best"
	averageTensor = "average"
	slotPrefix    = "optimizer." // before the name of an optimizer's slot
	keptPrefix    = "kept."      // before the name of a matrix that a method keeps
)

// tensorName returns the name of a member's tensor, such as "members.0.values".
func tensorName(member int, name string) string { return fmt.Sprintf("members.%d.%s", member, name) }

// tensors returns the tensors of a member's state.
func (s State) tensors(member int) []safetensors.Tensor {
	var tensors []safetensors.Tensor
	add := func(name string, values []float32) { // nil is left out
		if values != nil {
			tensors = append(tensors, safetensors.Tensor{Name: tensorName(member, name), Shape: []int{len(values)}, Values: values})
		}
	}
	add(valuesTensor, s.Values)
	for _, slot := range s.Slots {
		add(slotPrefix+slot.Name, slot.Values)
	}
	add(bestTensor, s.Best)
	add(averageTensor, s.Average)
	for _, matrix := range s.Kept {
		tensors = append(tensors, safetensors.Tensor{
			Name:   tensorName(member, keptPrefix+matrix.Name),
			Shape:  []int{matrix.Rows, matrix.Columns},
			Values: matrix.Values,
		})
	}
	return tensors
}

// ReadCheckpoint returns the job and the states, by member, of the checkpoint in dir. It returns an
// error that wraps fs.ErrNotExist if there is none, and an error if another version of the program
// wrote it, which may compute other numbers. Train checks whether the states fit a training.
func ReadCheckpoint(dir, program string) (job json.RawMessage, states []State, err error) {
	stateContent, err := safefile.Read(filepath.Join(dir, stateFile), maxStateFile)
	if err != nil {
		return nil, nil, err
	}
	tensorContent, err := safefile.Read(filepath.Join(dir, tensorsFile), maxTensorsFile)
	if err != nil {
		return nil, nil, err
	}
	job, states, err = decodeCheckpoint(stateContent, tensorContent, program)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	return job, states, nil
}

// decodeCheckpoint returns the job and the states of a checkpoint from the contents of its two files.
func decodeCheckpoint(stateContent, tensorContent []byte, program string) (json.RawMessage, []State, error) {
	content, err := decodeState(stateContent, program)
	if err != nil {
		return nil, nil, err
	}
	if content.Tensors != safefile.Sum(tensorContent) {
		return nil, nil, changedError(tensorsFile)
	}
	tensors, err := safetensors.Read(tensorContent)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", tensorsFile, err)
	}
	var states []State
	for member, m := range content.Members {
		s := m.newState(member)
		s.setTensors(member, tensors)
		if s.Best != nil {
			s.BestLoss = float64(m.BestLoss)
		}
		states = append(states, s)
	}
	return content.Job, states, nil
}

// decodeState returns the content of state.json. It returns an error if the file has another format,
// was changed since it was written, or was written by another version of the program. It reads the
// format first, since the other fields may differ between formats.
func decodeState(stateContent []byte, program string) (checkpointState, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(stateContent, &version); err != nil {
		return checkpointState{}, fmt.Errorf("%s: %w", stateFile, err)
	}
	if version.Format != checkpointFormat {
		return checkpointState{}, fmt.Errorf("the checkpoint has format %d, and this program reads format %d: resume with the program that wrote it", version.Format, checkpointFormat)
	}
	var c checkpoint
	if err := strict.Unmarshal(stateContent, &c); err != nil {
		return checkpointState{}, fmt.Errorf("%s: %w", stateFile, err)
	}
	if c.Sum != c.sum() {
		return checkpointState{}, changedError(stateFile)
	}
	if c.Program != program {
		return checkpointState{}, fmt.Errorf("the checkpoint was written by version %s of the program, and this is %s: resume with the version that wrote it", c.Program, program)
	}
	var content checkpointState
	if err := strict.Unmarshal(c.State, &content); err != nil {
		return checkpointState{}, fmt.Errorf("%s: %w", stateFile, err)
	}
	return content, nil
}

// changedError returns the error for a file whose checksum is wrong.
func changedError(name string) error {
	return fmt.Errorf("%s was changed or cut short after it was written: its checksum does not match", name)
}

// newState returns the state of the member with the given index, without its tensors and with an
// infinite best loss: setTensors adds the tensors, which tell whether there is a best loss.
func (m memberState) newState(member int) State {
	s := State{
		Epoch:     m.Epoch,
		Step:      m.Step,
		Stopped:   m.Stopped,
		BestEpoch: m.BestEpoch,
		BestLoss:  math.Inf(1),
		Frozen:    m.Frozen,
		Ended:     m.Ended,
	}
	for i, row := range m.History {
		epoch := models.Epoch{Member: member, Number: i + 1}
		for _, v := range row {
			epoch.Values = append(epoch.Values, float64(v))
		}
		s.History = append(s.History, epoch)
	}
	return s
}

// setTensors sets the numbers of the state to the tensors of the member with the given index. Slots and matrices get the
// order of the file, which is the optimizer's and the method's.
func (s *State) setTensors(member int, tensors []safetensors.Tensor) {
	for _, t := range tensors {
		name, isMember := strings.CutPrefix(t.Name, tensorName(member, ""))
		if !isMember {
			continue
		}
		slotName, isSlot := strings.CutPrefix(name, slotPrefix)
		matrixName, isMatrix := strings.CutPrefix(name, keptPrefix)
		switch {
		case name == valuesTensor:
			s.Values = t.Values
		case name == bestTensor:
			s.Best = t.Values
		case name == averageTensor:
			s.Average = t.Values
		case isSlot:
			s.Slots = append(s.Slots, optimizer.Slot{Name: slotName, Values: t.Values})
		case isMatrix:
			s.Kept = append(s.Kept, models.NewMatrix(matrixName, t.Shape[0], t.Shape[1], t.Values))
		}
	}
}

// RemoveCheckpoint deletes the checkpoint in dir, if there is one, and no other file.
func RemoveCheckpoint(dir string) error { return safefile.RemoveDir(dir, CheckpointFiles) }

// CheckpointFiles lists the files of the checkpoint in a directory. It returns an error if
// the directory has anything else. An empty directory has no files.
func CheckpointFiles(dir string) ([]string, error) {
	files, err := safefile.ListKnownFiles(dir, nil, stateFile, tensorsFile)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	content, err := safefile.Read(filepath.Join(dir, stateFile), maxStateFile)
	if err != nil {
		return nil, fmt.Errorf("%s holds no %s", dir, stateFile)
	}
	// The file may be of another version of the program, so only its outer fields are read.
	var header struct {
		Format int
		Sum    string          `json:"sha256"`
		State  json.RawMessage `json:"state"`
	}
	err = json.Unmarshal(content, &header)
	if err != nil || header.Format != checkpointFormat || len(header.Sum) != sumSize || header.State == nil {
		return nil, fmt.Errorf("%s belongs to no checkpoint", filepath.Join(dir, stateFile))
	}
	return files, nil
}

// sumSize is the length of a SHA-256 in hexadecimal digits.
const sumSize = 2 * sha256.Size
