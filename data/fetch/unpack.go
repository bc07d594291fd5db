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
	"strconv"
	"strings"

	"sml/data/read"
	"sml/internal/safefile"
)

// unpack returns the content of the table's file. r is this file or an archive with it, which
// unpack finds out from the first bytes. It writes no file, so the paths in an archive do no harm.
func (f File) unpack(r io.ReaderAt, size int64) (io.Reader, error) {
	head := make([]byte, tarHeaderSize)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	content := io.NewSectionReader(r, 0, size)
	head = head[:n]
	switch {
	case size == 0:
		return nil, errors.New("the file is empty")
	case isZip(head):
		return f.unpackZip(r, size)
	case isGzip(head):
		return f.unpackGzip(content)
	case isTar(head):
		return f.unpackTar(f.limitSize(content))
	case looksLikePage(head):
		return nil, errors.New("it is a web page, not data")
	}
	return f.limitSize(content), nil
}

// tarHeaderSize is the size of the header before each member of a tar archive, in bytes.
const tarHeaderSize = 512

// isZip reports whether a file begins like a zip archive, which may be empty.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// isGzip reports whether a file begins like a gzip file.
func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1f\x8b")) }

// isTar reports whether a file begins like a tar archive (POSIX.1-1988 ustar).
func isTar(head []byte) bool {
	const (
		magic  = "ustar"
		offset = 257 // of magic in the header of the first member
		end    = offset + len(magic)
	)
	return len(head) > end && string(head[offset:end]) == magic
}

// looksLikePage reports whether a file begins like a web page or another document in XML: no data set has a tag.
func looksLikePage(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(utf8Mark)), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<"))
}

// unpackGzip returns the content of the table's file, which is compressed alone or in a tar archive.
func (f File) unpackGzip(r io.Reader) (io.Reader, error) {
	unzip, err := gzip.NewReader(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("the gzip file is broken: %w", err)
	}
	unzipped := bufio.NewReader(f.limitSize(unzip))
	head, _ := unzipped.Peek(tarHeaderSize) // an error is returned again when the content is read
	if isTar(head) {
		return f.unpackTar(unzipped)
	}
	return unzipped, nil
}

// unpackZip returns the content of the table's file in a zip archive. An .xlsx file is a zip archive itself: if the table's
// file is one, and the archive is a workbook, unpackZip returns the whole archive.
func (f File) unpackZip(r io.ReaderAt, size int64) (io.Reader, error) {
	const workbookPart = "xl/workbook.xml" // which only a workbook has
	archive, err := read.OpenZip(r, size)
	if err != nil {
		return nil, err
	}
	var member *zip.File
	var names []string
	for _, m := range archive.File {
		if f.format() == formatXLSX && m.Name == workbookPart {
			return io.NewSectionReader(r, 0, size), nil
		}
		names = append(names, m.Name)
		if !f.isMember(m.Name) || !m.Mode().IsRegular() {
			continue
		}
		if member != nil {
			return nil, fmt.Errorf("the archive has two files %s: %s", f.table(), quoteNames([]string{member.Name, m.Name}))
		}
		member = m
	}
	if member == nil {
		return nil, f.missingMemberError(names)
	}
	reader, err := member.Open()
	if err != nil {
		return nil, fmt.Errorf("%s in the archive: %w", f.table(), err)
	}
	return f.limitSize(reader), nil
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
		case m.Typeflag == tar.TypeReg && f.isMember(m.Name):
			return archive, nil
		}
		names = append(names, m.Name)
	}
}

// isMember reports whether a member of an archive is the table's file, in any folder. It returns
// false for files that macOS adds.
func (f File) isMember(member string) bool {
	member = strings.ReplaceAll(member, `\`, "/")
	isFromMacOS := strings.HasPrefix(member, "__MACOSX/") // attributes of the file of the same name
	return !isFromMacOS && strings.EqualFold(path.Base(member), f.table())
}

// missingMemberError returns the error for an archive without the table's file, but with files of
// the given names.
func (f File) missingMemberError(names []string) error {
	return fmt.Errorf("the archive has no file %s; it has %s", f.table(), quoteNames(names))
}

// quoteNames returns the names in quotes with commas between them. It shortens long names and a
// long list.
func quoteNames(names []string) string {
	const (
		maxNames  = 10
		maxLength = 100 // bytes of a name
	)
	var quoted []string
	for _, name := range names[:min(len(names), maxNames)] {
		if len(name) > maxLength {
			name = name[:maxLength] + "…"
		}
		quoted = append(quoted, strconv.Quote(name))
	}
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > maxNames:
		return fmt.Sprintf("%s and %d more", strings.Join(quoted, ", "), len(names)-maxNames)
	}
	return strings.Join(quoted, ", ")
}

// limitSize returns a reader of r that returns an error after f.maxSize bytes if r has more: such a file
// is not the table, and may fill the disk or the memory.
func (f File) limitSize(r io.Reader) io.Reader { return safefile.Limit(r, f.table(), f.maxSize()) }
