package fetch

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
)

// partial is a file that is being downloaded: a line that says of what, then as much
// of it as has come. It outlives the process that wrote it.
type partial struct {
	file   *os.File
	header int64 // bytes of the line
	have   int64 // bytes behind it
	label  label
}

// label says what a partial file is part of.
type label struct {
	SML       string `json:"sml"` // "download": whose file it is
	URL       string `json:"url"`
	Validator string `json:"validator,omitempty"` // by which the server knows whether it has changed; "": none
}

const maxLabel = 4096 // bytes

// openPartial opens the partial file at path to go on with the download of url, or to
// begin it. What is no partial file stays as it is.
func openPartial(path, url string) (*partial, error) {
	before, err := os.Lstat(path)
	if err == nil && !before.Mode().IsRegular() {
		return nil, obstacleError(path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	p := &partial{file: f}
	if err := p.resume(url); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// obstacleError returns the error for a path at which something else than a partial file is.
func obstacleError(path string) error {
	return &fs.PathError{Op: "download to", Path: path, Err: errors.New("something else is in the way")}
}

func (p *partial) resume(url string) error {
	info, err := p.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	line, err := bufio.NewReader(io.LimitReader(p.file, maxLabel)).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return err
	}
	var l label
	if json.Unmarshal(line, &l) != nil || l.SML != "download" {
		return obstacleError(p.file.Name())
	}
	if l.URL == url && l.Validator != "" {
		p.label, p.header = l, int64(len(line))
		p.have = info.Size() - p.header
	}
	return nil
}

// restart forgets what has come and begins anew.
func (p *partial) restart(l label) error {
	l.SML = "download"
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if len(line) > maxLabel {
		return errors.New("the address is too long")
	}
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	_, err = p.file.WriteAt(line, 0)
	p.label, p.header, p.have = l, int64(len(line)), 0
	return err
}

// Write appends what came.
func (p *partial) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.header+p.have)
	p.have += int64(n)
	return n, err
}

// ReadAt reads what came.
func (p *partial) ReadAt(b []byte, at int64) (int, error) {
	return io.NewSectionReader(p.file, p.header, p.have).ReadAt(b, at)
}

// remove deletes the file.
func (p *partial) remove() {
	p.file.Close()
	os.Remove(p.file.Name())
}

// discard deletes the partial file at path, if there is one.
func discard(path string) {
	if _, err := os.Lstat(path); err != nil {
		return
	}
	if p, err := openPartial(path, ""); err == nil {
		p.remove()
	}
}

// close closes the file, and removes it if another try could not continue it.
func (p *partial) close() {
	if p.have == 0 || p.label.Validator == "" {
		p.remove()
		return
	}
	p.file.Close()
}
