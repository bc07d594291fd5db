package fetch

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
)

// partial is a file with the bytes of an unfinished download. Its first line is a label in JSON,
// followed by the bytes received so far. It remains when the process ends, so that a later process
// can continue the download.
type partialFile struct {
	file       *os.File
	headerSize int64 // number of bytes of the first line
	received   int64 // number of bytes of the download, which follow the first line
	label      label
}

// label identifies the download that a partial file belongs to.
type label struct {
	SML string `json:"sml"` // "download", which marks the file as a partial file
	URL string `json:"url"`

	// Validator identifies the version of the file on the server (see validator). A download
	// without validator cannot be continued.
	Validator string `json:"validator,omitempty"`
}

// maxLabelSize is the maximum number of bytes of a partial file's first line.
const maxLabelSize = 4096

// openPartial opens or creates the partial file at path. It continues an earlier download of url.
// It returns an error if something else than a partial file is at path, and leaves it unchanged.
func openPartial(path, url string) (*partialFile, error) {
	before, err := os.Lstat(path)
	if err == nil && !before.Mode().IsRegular() {
		return nil, obstacleError(path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	p := &partialFile{file: f}
	if err := p.resume(url); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// obstacleError returns the error for a path that is taken by something else than a partial file.
func obstacleError(path string) error {
	return &fs.PathError{Op: "download to", Path: path, Err: errors.New("it exists and is not an unfinished download; move it away")}
}

// resume reads the label of the file. It counts the received bytes if they belong to a download of
// url that can be continued; otherwise nothing counts as received.
func (p *partialFile) resume(url string) error {
	info, err := p.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	line, err := bufio.NewReader(io.LimitReader(p.file, maxLabelSize)).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return err
	}
	var l label
	if json.Unmarshal(line, &l) != nil || l.SML != "download" {
		return obstacleError(p.file.Name())
	}
	if l.URL == url && l.Validator != "" {
		p.label = l
		p.headerSize = int64(len(line))
		p.received = info.Size() - p.headerSize
	}
	return nil
}

// restart discards the received bytes and writes a new label, whose SML it sets.
func (p *partialFile) restart(l label) error {
	l.SML = "download"
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if len(line) > maxLabelSize {
		return errors.New("the address is too long")
	}
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	_, err = p.file.WriteAt(line, 0)
	p.label = l
	p.headerSize = int64(len(line))
	p.received = 0
	return err
}

// Write appends received bytes.
func (p *partialFile) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.headerSize+p.received)
	p.received += int64(n)
	return n, err
}

// ReadAt reads received bytes, as io.ReaderAt specifies.
func (p *partialFile) ReadAt(b []byte, offset int64) (int, error) {
	return io.NewSectionReader(p.file, p.headerSize, p.received).ReadAt(b, offset)
}

// remove closes and deletes the file.
func (p *partialFile) remove() {
	p.file.Close()
	os.Remove(p.file.Name())
}

// removePartial deletes the partial file at path, if there is one. It leaves any other file.
func removePartial(path string) {
	if _, err := os.Lstat(path); err != nil { // openPartial would create the file
		return
	}
	p, err := openPartial(path, "")
	if err == nil {
		p.remove()
	}
}

// close closes the file, and deletes it if a later download could not continue it.
func (p *partialFile) close() {
	if p.received == 0 || p.label.Validator == "" {
		p.remove()
		return
	}
	p.file.Close()
}
