package fetch

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"sml/data"
)

// mostMembers bounds the files of a tar archive.
const mostMembers = 10_000

// unpacked is the stream of the table's file in what came, which may be that file
// itself or an archive with it, whichever the address promised. Nothing is written
// anywhere: a member's name is compared, and never a path.
func (f File) unpacked(r io.ReaderAt, size int64) (io.Reader, error) {
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	whole := io.NewSectionReader(r, 0, size)
	switch head = head[:n]; {
	case size == 0:
		return nil, errors.New("the file is empty")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return f.ofZip(r, size)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		unzip, err := gzip.NewReader(bufio.NewReader(whole))
		if err != nil {
			return nil, fmt.Errorf("the gzip file is broken: %w", err)
		}
		plain := bufio.NewReader(f.bounded(unzip))
		if head, _ := plain.Peek(512); isTar(head) {
			return f.ofTar(plain)
		}
		return plain, nil
	case isTar(head):
		return f.ofTar(f.bounded(whole))
	case looksLikePage(head):
		return nil, errors.New("it is a web page, not data")
	}
	return f.bounded(whole), nil
}

func isTar(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }

func looksLikePage(head []byte) bool {
	head = bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	for _, mark := range []string{"<!doctype", "<html", "<head", "<?xml", "<!--"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return true
		}
	}
	return false
}

// ofZip is the member of a zip archive, or all of it where that is the spreadsheet.
func (f File) ofZip(r io.ReaderAt, size int64) (io.Reader, error) {
	archive, err := data.OpenZip(r, size)
	if err != nil {
		return nil, err
	}
	var found *zip.File
	var names []string
	for _, m := range archive.File {
		if f.Format == formatXLSX && m.Name == "xl/workbook.xml" {
			return io.NewSectionReader(r, 0, size), nil
		}
		names = append(names, m.Name)
		if !f.is(m.Name) || !m.Mode().IsRegular() {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the archive has two files %s: %s", f.table(), list([]string{found.Name, m.Name}))
		}
		found = m
	}
	if found == nil {
		return nil, f.lacking(names)
	}
	if found.UncompressedSize64 > uint64(f.most()) {
		return nil, f.tooLarge()
	}
	in, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("%s in the archive: %w", f.table(), err)
	}
	return f.bounded(in), nil
}

// ofTar is the member of a tar archive.
func (f File) ofTar(r io.Reader) (io.Reader, error) {
	archive := tar.NewReader(r)
	var names []string
	for {
		m, err := archive.Next()
		switch {
		case err == io.EOF:
			return nil, f.lacking(names)
		case err != nil:
			return nil, fmt.Errorf("the archive is broken: %w", err)
		case len(names) == mostMembers:
			return nil, fmt.Errorf("the archive has more than %d files", mostMembers)
		case m.Typeflag == tar.TypeReg && f.is(m.Name):
			return archive, nil
		}
		names = append(names, m.Name)
	}
}

// is tells whether a member of an archive is the table's file, in whatever folder.
// A name that would lead out of the archive, and what a Mac adds, is none.
func (f File) is(member string) bool {
	member = strings.ReplaceAll(member, `\`, "/")
	return filepath.IsLocal(filepath.FromSlash(member)) && !strings.HasPrefix(member, "__MACOSX/") && strings.EqualFold(path.Base(member), f.table())
}

func (f File) lacking(names []string) error {
	return fmt.Errorf("the archive has no file %s; it has %s", f.table(), list(names))
}

// list shows names of an archive, the first of them where there are many.
func list(names []string) string {
	const most = 10
	var quoted []string
	for _, name := range names[:min(len(names), most)] {
		if len(name) > 100 {
			name = name[:100] + "…"
		}
		quoted = append(quoted, strconv.Quote(name))
	}
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(quoted, ", "), len(names)-most)
	}
	return strings.Join(quoted, ", ")
}

// bounded is a stream that fails when it is longer than the file may be.
func (f File) bounded(r io.Reader) io.Reader {
	return &bounded{r: r, left: f.most(), err: f.tooLarge()}
}

func (f File) tooLarge() error {
	return fmt.Errorf("it has, or unpacks to, more than %d MiB, which is more than its table can need", f.most()>>20)
}

type bounded struct {
	r    io.Reader
	left int64
	err  error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, b.err
	}
	if int64(len(p)) > b.left+1 { // one more than there may be, to notice it
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, b.err
	}
	return n, err
}
