package trainers

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
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

// checkpointFormat is raised when a checkpoint means something else.
const checkpointFormat = 3

// Bounds of a checkpoint's files, in bytes.
const (
	maxState   = 1 << 30                                             // the longest history there can be, a line of 200 bytes for each epoch
	maxTensors = 4*(4+optimizer.MaxSlots)*models.MaxWeights + 64<<20 // values, best and averaged values, kept matrices, and slots of as many weights as there can be, and a header
)

// checkpoint is the content of state.json.
type checkpoint struct {
	Format  int             `json:"format"`
	Program string          `json:"program"` // that wrote it, and is the one to go on
	Sum     string          `json:"sha256"`  // of the other fields
	State   json.RawMessage `json:"state"`   // a checkpointState
}

type checkpointState struct {
	Tensors string          `json:"tensors_sha256"` // of state.safetensors
	Job     json.RawMessage `json:"job"`            // as the caller gave it
	Members []position      `json:"members"`
}

// position is a State without its tensors.
type position struct {
	Epoch     int               `json:"epoch"`
	Step      int               `json:"step"`
	BestEpoch int               `json:"best_epoch,omitempty"`
	BestLoss  strict.Number     `json:"best_loss,omitempty"`
	Stopped   bool              `json:"stopped,omitempty"`
	History   [][]strict.Number `json:"history"` // a row for each epoch
	Frozen    string            `json:"frozen,omitempty"`
	Ended     *string           `json:"ended,omitempty"`
}

func (c checkpoint) sum() string {
	return safefile.Sum(fmt.Appendf(nil, "%d\n%q\n%s", c.Format, c.Program, c.State))
}

// WriteCheckpoint replaces the checkpoint at dir, and nothing else that is
// there.
func WriteCheckpoint(dir, program string, job json.RawMessage, states []State) error {
	text, tensors, err := encodeCheckpoint(program, job, states)
	if err != nil {
		return err
	}
	return safefile.WriteDir(dir, CheckpointFiles, func(dir string) error {
		for _, file := range []struct {
			name    string
			content []byte
		}{{stateFile, text}, {tensorsFile, tensors}} {
			if err := safefile.Replace(filepath.Join(dir, file.name), safefile.Content(file.content)); err != nil {
				return err
			}
		}
		return nil
	})
}

// encodeCheckpoint returns the contents of a checkpoint's two files.
func encodeCheckpoint(program string, job json.RawMessage, states []State) (text, file []byte, err error) {
	if job == nil {
		job = json.RawMessage("null")
	}
	content := checkpointState{Job: job}
	var tensors []safetensors.Tensor
	for i, s := range states {
		p := position{Epoch: s.Epoch, Step: s.Step, Stopped: s.Stopped, History: [][]strict.Number{}, Frozen: s.Frozen, Ended: s.Ended}
		if s.Best != nil {
			p.BestEpoch, p.BestLoss = s.BestEpoch, strict.Number(s.BestLoss)
		}
		for _, e := range s.History {
			row := make([]strict.Number, len(e.Values))
			for j, v := range e.Values {
				row[j] = strict.Number(v)
			}
			p.History = append(p.History, row)
		}
		content.Members = append(content.Members, p)
		add := func(what string, values []float32) {
			if values != nil {
				tensors = append(tensors, safetensors.Tensor{Name: tensorName(i, what), Shape: []int{len(values)}, Values: values})
			}
		}
		add("values", s.Values)
		for _, slot := range s.Slots {
			add(slotPrefix+slot.Name, slot.Values)
		}
		add("best", s.Best)
		add("average", s.Average)
		for _, k := range s.Kept {
			tensors = append(tensors, safetensors.Tensor{Name: tensorName(i, keptPrefix+k.Name), Shape: []int{k.Rows, k.Columns}, Values: k.Values})
		}
	}
	var packed bytes.Buffer
	if err := safetensors.Write(&packed, tensors); err != nil {
		return nil, nil, err
	}
	content.Tensors = safefile.Sum(packed.Bytes())
	c := checkpoint{Format: checkpointFormat, Program: program}
	if c.State, err = json.Marshal(content); err != nil {
		return nil, nil, err
	}
	c.Sum = c.sum()
	text, err = json.Marshal(c)
	return text, packed.Bytes(), err
}

// slotPrefix comes before the name of an optimizer's slot.
const slotPrefix = "optimizer."

// keptPrefix comes before the name of a matrix that a method keeps.
const keptPrefix = "kept."

func tensorName(member int, what string) string { return fmt.Sprintf("members.%d.%s", member, what) }

// ReadCheckpoint returns the job and the states that an interrupted training
// left in dir. Only the program that wrote a checkpoint reads it: another one
// may compute other numbers. That there is none is an error wrapping
// fs.ErrNotExist. Whether the states fit a training is for Train to see.
func ReadCheckpoint(dir, program string) (job json.RawMessage, states []State, err error) {
	text, err := safefile.Read(filepath.Join(dir, stateFile), maxState)
	if err != nil {
		return nil, nil, err
	}
	file, err := safefile.Read(filepath.Join(dir, tensorsFile), maxTensors)
	if err != nil {
		return nil, nil, err
	}
	job, states, err = decodeCheckpoint(text, file, program)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	return job, states, nil
}

// decodeCheckpoint reads the contents of a checkpoint's two files.
func decodeCheckpoint(text, file []byte, program string) (json.RawMessage, []State, error) {
	fail := func(err error) (json.RawMessage, []State, error) { return nil, nil, err }
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err != nil {
		return fail(fmt.Errorf("%s: %w", stateFile, err))
	}
	if version.Format != checkpointFormat {
		return fail(fmt.Errorf("the checkpoint has format %d, and this program reads format %d: only the program that wrote it can go on with it", version.Format, checkpointFormat))
	}
	var c checkpoint
	if err := strict.Unmarshal(text, &c); err != nil {
		return fail(fmt.Errorf("%s: %w", stateFile, err))
	}
	if c.Sum != c.sum() {
		return fail(fmt.Errorf("%s has been changed or cut short since it was written: its checksum is another", stateFile))
	}
	if c.Program != program {
		return fail(fmt.Errorf("the checkpoint was written by version %s of the program, and this is %s: only the program that wrote it can go on with it", c.Program, program))
	}
	var content checkpointState
	if err := strict.Unmarshal(c.State, &content); err != nil {
		return fail(fmt.Errorf("%s: %w", stateFile, err))
	}
	if content.Tensors != safefile.Sum(file) {
		return fail(fmt.Errorf("%s has been changed or cut short since it was written: its checksum is another", tensorsFile))
	}
	tensors, err := safetensors.Read(file)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", tensorsFile, err))
	}
	values := make(map[string][]float32)
	for _, t := range tensors {
		values[t.Name] = t.Values
	}
	if len(content.Members) == 0 {
		return fail(fmt.Errorf("%s has no members", stateFile))
	}
	var states []State
	for i, p := range content.Members {
		take := func(what string) []float32 {
			name := tensorName(i, what)
			defer delete(values, name)
			return values[name]
		}
		s := State{
			Epoch: p.Epoch, Step: p.Step, Stopped: p.Stopped, BestEpoch: p.BestEpoch, BestLoss: math.Inf(1), Frozen: p.Frozen, Ended: p.Ended,
			Values: take("values"), Best: take("best"), Average: take("average"),
		}
		for _, t := range tensors { // slots are written in the optimizer's order, matrices in the method's
			if name, ok := strings.CutPrefix(t.Name, tensorName(i, slotPrefix)); ok {
				s.Slots = append(s.Slots, optimizer.Slot{Name: name, Values: t.Values})
				delete(values, t.Name)
			}
			if name, ok := strings.CutPrefix(t.Name, tensorName(i, keptPrefix)); ok && len(t.Shape) == 2 {
				s.Kept = append(s.Kept, models.NewMatrix(name, t.Shape[0], t.Shape[1], t.Values))
				delete(values, t.Name)
			}
		}
		if s.Best != nil {
			s.BestLoss = float64(p.BestLoss)
		}
		for epoch, row := range p.History {
			e := models.Epoch{Member: i, Number: epoch + 1}
			for _, v := range row {
				e.Values = append(e.Values, float64(v))
			}
			s.History = append(s.History, e)
		}
		states = append(states, s)
	}
	if len(values) > 0 {
		return fail(fmt.Errorf("%s has %d tensors of no member", tensorsFile, len(values)))
	}
	return content.Job, states, nil
}

// RemoveCheckpoint deletes a checkpoint, if there is one, and nothing else.
func RemoveCheckpoint(dir string) error { return safefile.RemoveDir(dir, CheckpointFiles) }

// CheckpointFiles lists the files of the checkpoint in a directory. It returns an error if
// the directory has anything else. An empty directory has no files.
func CheckpointFiles(dir string) ([]string, error) {
	files, err := safefile.ListKnownFiles(dir, stateFile, tensorsFile)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	text, err := safefile.Read(filepath.Join(dir, stateFile), maxState)
	if err != nil {
		return nil, fmt.Errorf("%s holds no %s", dir, stateFile)
	}
	var found struct {
		Format int
		Sum    string          `json:"sha256"`
		State  json.RawMessage `json:"state"`
	}
	if err := json.Unmarshal(text, &found); err != nil || found.Format != checkpointFormat || len(found.Sum) != sumSize || found.State == nil {
		return nil, fmt.Errorf("%s is of no checkpoint", filepath.Join(dir, stateFile))
	}
	return files, nil
}

// sumSize is the length of a SHA-256 sum in hexadecimal.
const sumSize = 2 * sha256.Size
