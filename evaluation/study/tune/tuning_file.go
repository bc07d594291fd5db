package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sml/internal/safefile"
)

// tuningFormat is the version of the format of a tuning's file.
const tuningFormat = 1

// File is the name of the tuning's description in its directory.
const File = "tuning.json"

// maxTuningBytes is the largest size of a tuning's file. The largest space has far less.
const maxTuningBytes = 4 << 20

// ErrOtherTuning is wrapped by the error of Tuning.Run for a directory that has another tuning.
var ErrOtherTuning = errors.New("another tuning")

// write writes the tuning into a directory, unless the directory has the same tuning already, which a repeated
// command continues. It returns an error that wraps ErrOtherTuning if the directory has another one. version is
// the version of the program.
func (t Tuning) write(dir, version string) error {
	text := t.encode(version)
	path := filepath.Join(dir, File)
	present, err := safefile.Read(path, maxTuningBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return safefile.Create(path, safefile.WriteBytes(text))
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(present, text) { // equal tunings have equal texts
		return fmt.Errorf("%s has %w", dir, ErrOtherTuning)
	}
	return nil
}

// encode returns the content of the tuning's file.
func (t Tuning) encode(version string) []byte {
	text, _ := json.MarshalIndent(struct { // cannot fail
		Format  int    `json:"format"`
		Version string `json:"version"`
		Tuning
	}{tuningFormat, version, t}, "", " ")
	return append(text, '\n')
}
