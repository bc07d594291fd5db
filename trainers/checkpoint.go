package trainers

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"sml/data/safefile"
	"sml/data/strict"
	"sml/models"
)

// Files of a checkpoint directory.
const (
	stateFile   = "state.json"
	tensorsFile = "state.safetensors"
)

// checkpoint is the content of state.json.
type checkpoint struct {
	Format  int             `json:"format"`
	Tensors string          `json:"tensors_sha256"` // of state.safetensors
	Job     json.RawMessage `json:"job"`            // as the caller gave it
	Members []position      `json:"members"`
}

// checkpointFormat is raised when a checkpoint means something else.
const checkpointFormat = 1

// position is a State without its tensors.
type position struct {
	Epoch     int            `json:"epoch"`
	Step      int            `json:"step"`
	BestEpoch int            `json:"best_epoch,omitempty"`
	BestLoss  float64        `json:"best_loss,omitempty"`
	Stopped   bool           `json:"stopped,omitempty"`
	History   []models.Epoch `json:"history"`
}

// writeCheckpoint replaces the checkpoint at dir.
func writeCheckpoint(dir string, job json.RawMessage, states []State) error {
	c := checkpoint{Format: checkpointFormat, Job: job}
	var tensors []models.Tensor
	for i, s := range states {
		p := position{Epoch: s.Epoch, Step: s.Step, Stopped: s.Stopped, History: s.History}
		if s.Best != nil {
			p.BestEpoch, p.BestLoss = s.BestEpoch, s.BestLoss
		}
		c.Members = append(c.Members, p)
		for _, t := range []struct {
			name   string
			values []float32
		}{{"values", s.Values}, {"m", s.M}, {"v", s.V}, {"best", s.Best}} {
			if t.values != nil {
				tensors = append(tensors, models.Tensor{Name: tensorName(i, t.name), Shape: []int{len(t.values)}, Values: t.values})
			}
		}
	}
	var file bytes.Buffer
	if err := models.WriteTensors(&file, tensors); err != nil {
		return err
	}
	c.Tensors = fmt.Sprintf("%x", sha256.Sum256(file.Bytes()))
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return safefile.WriteDir(dir, true, func(dir string) error {
		err := safefile.Write(filepath.Join(dir, stateFile), func(w io.Writer) error { _, err := w.Write(text); return err })
		if err != nil {
			return err
		}
		return safefile.Write(filepath.Join(dir, tensorsFile), func(w io.Writer) error { _, err := w.Write(file.Bytes()); return err })
	})
}

func tensorName(member int, what string) string { return fmt.Sprintf("members.%d.%s", member, what) }

// ReadCheckpoint returns the job and the states that an interrupted training
// left in dir.
func ReadCheckpoint(dir string) (job json.RawMessage, states []State, err error) {
	text, err := safefile.Read(filepath.Join(dir, stateFile), maxState)
	if err != nil {
		return nil, nil, err
	}
	var c checkpoint
	if err := strict.Unmarshal(text, &c); err != nil {
		return nil, nil, fmt.Errorf("%s: %s: %w", dir, stateFile, err)
	}
	file, err := safefile.Read(filepath.Join(dir, tensorsFile), maxTensors)
	if err != nil {
		return nil, nil, err
	}
	if c.Format != checkpointFormat || c.Tensors != fmt.Sprintf("%x", sha256.Sum256(file)) {
		return nil, nil, fmt.Errorf("%s is of another version, or has been changed", dir)
	}
	tensors, err := models.ReadTensors(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s: %w", dir, tensorsFile, err)
	}
	values := make(map[string][]float32)
	for _, t := range tensors {
		values[t.Name] = t.Values
	}
	for i, p := range c.Members {
		s := State{
			Epoch: p.Epoch, Step: p.Step, Stopped: p.Stopped, History: p.History, BestEpoch: p.BestEpoch, BestLoss: math.Inf(1),
			Values: values[tensorName(i, "values")], M: values[tensorName(i, "m")], V: values[tensorName(i, "v")], Best: values[tensorName(i, "best")],
		}
		if s.Best != nil {
			s.BestLoss = p.BestLoss
		}
		if len(s.Values) == 0 || len(s.M) != len(s.Values) || len(s.V) != len(s.Values) || s.Best != nil && len(s.Best) != len(s.Values) {
			return nil, nil, fmt.Errorf("%s: the tensors of member %d are incomplete", dir, i)
		}
		states = append(states, s)
	}
	return c.Job, states, nil
}

// RemoveCheckpoint deletes a checkpoint, if there is one.
func RemoveCheckpoint(dir string) error { return os.RemoveAll(dir) }
