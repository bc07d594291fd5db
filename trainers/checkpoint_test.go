package trainers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// small is a training of two members with validation rows.
func small(t *testing.T) (models.Spec, data.Subset, Settings) {
	t.Helper()
	spec := expect.Must(models.NewSpec("de", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}, Activation: "relu", Dropout: 0.1}))
	return spec, wave(20), Settings{Epochs: 6, Batch: 4, Members: 2, Validation: 0.2, Patience: 5, Protocol: data.Sound}
}

// interrupted returns the states of small, read from a checkpoint, after three epochs of each member.
func interrupted(t *testing.T, o Options) []State {
	t.Helper()
	spec, rows, s := small(t)
	o.Workers = 1
	return interruptedWhen(t, spec, rows, s, o, func(p Progress) bool { return p.Member == 1 && p.Epoch == 3 })
}

func TestCheckpointIsReadByItsProgramOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoint")
	states := interrupted(t, Options{})
	expect.NoError(t, WriteCheckpoint(dir, "one", json.RawMessage(`{"a": "<b>"}`), states))
	job, got, err := ReadCheckpoint(dir, "one")
	if err != nil || string(job) != `{"a":"\u003cb\u003e"}` || len(got) != 2 || got[1].Epoch != 3 || got[1].BestLoss != states[1].BestLoss {
		t.Errorf("%s, %+v, %v", job, got, err)
	}
	if _, _, err := ReadCheckpoint(dir, "two"); err == nil || !strings.Contains(err.Error(), "version one") || !strings.Contains(err.Error(), "this is two") {
		t.Errorf("another program: %v", err)
	}
	if _, _, err := ReadCheckpoint(filepath.Join(dir, "none"), "one"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

// encodeBoth returns the contents of a checkpoint's two files.
func encodeBoth(program string, job json.RawMessage, states []State) (text, tensors []byte, err error) {
	var b bytes.Buffer
	text, err = encodeCheckpoint(&b, program, job, states)
	return text, b.Bytes(), err
}

// Every byte of both files is covered by a checksum, and a checkpoint of
// another format is refused.
func TestCheckpointNoticesChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	text, tensors, err := encodeBoth("one", nil, interrupted(t, Options{}))
	expect.NoError(t, err)
	if _, _, err := decodeCheckpoint(text, tensors, "one"); err != nil {
		t.Fatal(err)
	}
	for _, file := range []int{0, 1} {
		whole := [][]byte{text, tensors}
		for i := range whole[file] {
			changed := [][]byte{slices.Clone(text), slices.Clone(tensors)}
			changed[file][i] ^= 1
			if _, _, err := decodeCheckpoint(changed[0], changed[1], "one"); err == nil {
				t.Errorf("file %d is taken with byte %d changed", file, i)
			}
		}
		for _, n := range []int{0, 1, len(whole[file]) / 2, len(whole[file]) - 1} {
			cut := [][]byte{text, tensors}
			cut[file] = cut[file][:n]
			if _, _, err := decodeCheckpoint(cut[0], cut[1], "one"); err == nil {
				t.Errorf("file %d is taken cut to %d bytes", file, n)
			}
		}
	}
	if _, _, err := decodeCheckpoint(append(text, "{}"...), tensors, "one"); err == nil {
		t.Error("more after the end is taken")
	}
	_, _, err = decodeCheckpoint([]byte(`{"format":99}`), tensors, "one")
	expect.Error(t, err, "format 99, and this program reads format 3")
}

// A state whose parts contradict one another or the settings is not trained on.
func TestResumeRefusesWhatCannotBe(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	spec, rows, s := small(t)
	expect.Must(Train(t.Context(), spec, rows, s, Options{Resume: interrupted(t, Options{})}))
	for name, edit := range map[string]func(s *State){
		"negative epoch":    func(s *State) { s.Epoch = -1 },
		"later epoch":       func(s *State) { s.Epoch = 7 },
		"other steps":       func(s *State) { s.Step++ },
		"more epochs":       func(s *State) { s.Epoch, s.Step = 4, 16 },
		"no weights":        func(s *State) { s.Values = nil },
		"few weights":       func(s *State) { s.Values = s.Values[1:] },
		"few moments":       func(s *State) { s.Slots[0].Values = s.Slots[0].Values[1:] },
		"no second moments": func(s *State) { s.Slots = s.Slots[:1] },
		"other slots":       func(s *State) { s.Slots[0].Name = "velocity" },
		"another order":     func(s *State) { slices.Reverse(s.Slots) },
		"no best":           func(s *State) { s.Best = nil },
		"few best":          func(s *State) { s.Best = s.Best[1:] },
		"best epoch":        func(s *State) { s.BestEpoch = 9 },
		"no history":        func(s *State) { s.History = nil },
	} {
		states := interrupted(t, Options{})
		edit(&states[0])
		t.Run(name, func(t *testing.T) {
			expect.Error(t, trainError(t, spec, rows, s, Options{Resume: states}), "member 0 ")
		})
	}
	states := interrupted(t, Options{})
	for _, of := range [][]State{states[:1], append(states, states...)} {
		if _, err := Train(t.Context(), spec, rows, s, Options{Resume: of}); err == nil {
			t.Errorf("%d members are taken for 2", len(of))
		}
	}
	without := s
	without.Validation, without.Patience = 0, 0
	if _, err := Train(t.Context(), spec, rows, without, Options{Resume: states}); err == nil {
		t.Error("a training with validation rows goes on without")
	}
}

// A checkpoint is there before the first epoch and after the last, so that
// whatever happens there is something to go on with; and a place that cannot be
// written to is told before it costs anything.
func TestCheckpointBeforeAndAfter(t *testing.T) {
	spec, rows, s := small(t)
	dir := filepath.Join(t.TempDir(), "checkpoint")
	first := true
	r, err := Train(t.Context(), spec, rows, s, Options{Checkpoint: dir, Workers: 1, Progress: func(p Progress) {
		if !first {
			return
		}
		first = false
		if _, states, err := ReadCheckpoint(dir, ""); err != nil || len(states) != 2 || states[0].Epoch != 0 {
			t.Errorf("before the first epoch: %+v, %v", states, err)
		}
	}})
	expect.NoError(t, err)
	_, states, err := ReadCheckpoint(dir, "")
	expect.NoError(t, err)
	again := mustTrain(t, spec, rows, s, Options{Resume: states, Checkpoint: filepath.Join(dir, "not", "written")})
	for i := range r.Members {
		if !slices.Equal(r.Members[i].Float32s(), again.Members[i].Float32s()) || !slices.Equal(states[i].weights(), r.Members[i].Float32s()) {
			t.Errorf("member %d of the complete training is another", i)
		}
	}
	if err := RemoveCheckpoint(dir); err != nil {
		t.Error(err)
	}

	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	epochs := 0
	_, err = Train(t.Context(), spec, rows, s, Options{Checkpoint: filepath.Join(file, "checkpoint"), Progress: func(Progress) { epochs++ }})
	if err == nil || epochs > 0 {
		t.Errorf("a place that cannot be written to: %v, after %d epochs", err, epochs)
	}
}

// A checkpoint that cannot be written is told, every time, and the training
// goes on; a file that came into it is not replaced.
func TestCheckpointFails(t *testing.T) {
	spec, rows, s := small(t)
	s.Validation, s.Patience = 0, 0
	dir := filepath.Join(t.TempDir(), "checkpoint")
	var told []error
	_, err := Train(t.Context(), spec, rows, s, Options{
		Checkpoint: dir, Workers: 1, CheckpointInterval: 1,
		AfterCheckpoint: func(err error) { told = append(told, err) },
		Progress: func(p Progress) {
			switch notes := filepath.Join(dir, "notes"); {
			case p.Member == 0 && p.Epoch == 2:
				os.WriteFile(notes, []byte("mine"), 0o644)
			case p.Member == 0 && p.Epoch == 4:
				os.Remove(notes)
			}
		},
	})
	if err != nil || len(told) != 13 { // after 6 epochs of 2 members, and at the end
		t.Fatalf("%d told, %v", len(told), err)
	}
	for i, err := range told {
		if failed := i == 1 || i == 2; (err != nil) != failed {
			t.Errorf("checkpoint %d: %v", i, err)
		}
	}
}

func TestDivergedLeavesNoCheckpoint(t *testing.T) {
	spec, rows, s := small(t)
	rows.Y[3] = 3e38 // its square is beyond float32
	dir := filepath.Join(t.TempDir(), "checkpoint")
	_, err := Train(t.Context(), spec, rows, s, Options{Checkpoint: dir})
	var d *DivergedError
	if !errors.As(err, &d) {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the checkpoint is left: %v", err)
	}
}

func TestCheckpointFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoint")
	expect.NoError(t, WriteCheckpoint(dir, "", nil, interrupted(t, Options{})))
	if files, err := CheckpointFiles(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	for _, text := range []string{
		`{"format":1,"sha256":"` + strings.Repeat("0", 64) + `","state":{}}`,
		`{"format":3}`,
		`{"format":3,"sha256":"` + strings.Repeat("0", 64) + `"}`,
		`{"version":4,"terraform_version":"1"}`,
		``,
	} {
		os.WriteFile(filepath.Join(dir, stateFile), []byte(text), 0o644)
		if _, err := CheckpointFiles(dir); err == nil {
			t.Errorf("%q is taken for a checkpoint", text)
		}
		if err := RemoveCheckpoint(dir); err == nil {
			t.Fatalf("%q was removed", text)
		}
	}
}
