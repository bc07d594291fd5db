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

	"sml/data/read"
)

// maxMembers is the maximum number of files in a tar archive.
const maxMembers = 10_000

// unpack returns the content of the table's file. r is that file or an archive with it, whatever
// the address promised. unpack writes no file, so the paths in an archive do no harm.
func (f File) unpack(r io.ReaderAt, size int64) (io.Reader, error) {
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
		return f.unpackZip(r, size)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		unzip, err := gzip.NewReader(bufio.NewReader(whole))
		if err != nil {
			return nil, fmt.Errorf("the gzip file is broken: %w", err)
		}
		plain := bufio.NewReader(f.limitSize(unzip))
		if head, _ := plain.Peek(512); isTar(head) {
			return f.unpackTar(plain)
		}
		return plain, nil
	case isTar(head):
		return f.unpackTar(f.limitSize(whole))
	case looksLikePage(head):
		return nil, errors.New("it is a web page, not data")
	}
	return f.limitSize(whole), nil
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

// unpackZip returns the content of the table's file in a zip archive, or the whole archive if it is
// the spreadsheet.
func (f File) unpackZip(r io.ReaderAt, size int64) (io.Reader, error) {
	archive, err := read.OpenZip(r, size)
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
		if !f.isMember(m.Name) || !m.Mode().IsRegular() {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the archive has two files %s: %s", f.table(), list([]string{found.Name, m.Name}))
		}
		found = m
	}
	if found == nil {
		return nil, f.missingMemberError(names)
	}
	if found.UncompressedSize64 > uint64(f.maxSize()) {
		return nil, f.tooLargeError()
	}
	in, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("%s in the archive: %w", f.table(), err)
	}
	return f.limitSize(in), nil
}

// unpackTar returns the content of the table's file in a tar archive.
func (f File) unpackTar(r io.Reader) (io.Reader, error) {
	archive := tar.NewReader(r)
	var names []string
	for {
		m, err := archive.Next()
		switch {
		case err == io.EOF:
			return nil, f.missingMemberError(names)
		case err != nil:
			return nil, fmt.Errorf("the archive is broken: %w", err)
		case len(names) == maxMembers:
			return nil, fmt.Errorf("the archive has more than %d files", maxMembers)
		case m.Typeflag == tar.TypeReg && f.isMember(m.Name):
			return archive, nil
		}
		names = append(names, m.Name)
	}
}

// isMember reports whether a member of an archive is the table's file, in any folder. It returns
// false for names that lead out of the archive and for files that macOS adds.
func (f File) isMember(member string) bool {
	member = strings.ReplaceAll(member, `\`, "/")
	return filepath.IsLocal(filepath.FromSlash(member)) && !strings.HasPrefix(member, "__MACOSX/") && strings.EqualFold(path.Base(member), f.table())
}

// missingMemberError returns the error for an archive without the table's file, but with files of
// the given names.
func (f File) missingMemberError(names []string) error {
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

// limitSize returns a reader of r that fails if r is longer than the file may be.
func (f File) limitSize(r io.Reader) io.Reader {
	return &sizeLimiter{r: r, left: f.maxSize(), err: f.tooLargeError()}
}

// tooLargeError returns the error for a file larger than maxSize, packed or unpacked.
func (f File) tooLargeError() error {
	return fmt.Errorf("it has, or unpacks to, more than %d MiB, which is more than its table can need", f.maxSize()>>20)
}

// sizeLimiter reads r up to a number of bytes.
type sizeLimiter struct {
	r    io.Reader
	left int64 // number of bytes that may still come
	err  error // error for more bytes
}

func (b *sizeLimiter) Read(p []byte) (int, error) {
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
