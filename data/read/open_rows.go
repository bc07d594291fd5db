package read

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"sml/data/internal/xlsx"
)

// First bytes of files other than text. The fifth byte of Parquet is in every Parquet file and in no
// header of a text.
const (
	zipMagic     = "PK\x03\x04"
	parquetMagic = "PAR1\x15"
)

// maxInMemory is the maximum number of bytes of a file held in memory: a workbook, an archive, or
// Parquet from a pipe or an archive.
const maxInMemory = 256 << 20

// openBinary opens a Parquet file or a zip archive, which r reads from source. It reads the file
// into memory and closes the source. It returns an error if the file is too large.
func openBinary(ctx context.Context, source *sourceReader, r *bufio.Reader, name string, o Options) (rowReader, error) {
	if source.inArchive {
		return nil, fmt.Errorf("%s: the file in this archive is not CSV or JSON text; unpack it first", displayName(name))
	}
	isParquet := hasPrefix(r, parquetMagic)
	content, err := source.readRest(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	source.close()
	switch {
	case !isParquet:
		return openZip(ctx, content, name, o)
	case o.Sheet != "":
		return nil, noSheetsError(name, o.Sheet)
	}
	return openParquet(ctx, bytes.NewReader(content), int64(len(content)), name)
}

// noSheetsError returns the error for a file without sheets if Options.Sheet names one.
func noSheetsError(name, sheet string) error {
	return fmt.Errorf("%s: a sheet %s is given, but the file is not an .xlsx workbook", displayName(name), shortName(sheet))
}

// openZip opens a workbook, or an archive with one text file. content is the whole archive. It returns an error for
// an archive with several files.
func openZip(ctx context.Context, content []byte, name string, o Options) (rowReader, error) {
	file := displayName(name)
	archive, err := OpenZip(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	files := slices.DeleteFunc(slices.Clone(archive.File), func(f *zip.File) bool { return f.FileInfo().IsDir() })
	switch {
	case xlsx.IsWorkbook(archive):
		return openSheet(ctx, archive, name, o.Sheet)
	case len(files) != 1:
		return nil, fmt.Errorf("%s: this zip archive has %d files and is not an .xlsx workbook; unpack it, and give one table", file, len(files))
	}
	f, err := files[0].Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", file, displayName(files[0].Name), err)
	}
	member := newSourceReader(ctx, f)
	member.converted.Store(true)
	member.inArchive = true
	return openSource(ctx, member, name, o)
}

// readRest returns the rest of the input, which r reads from s. It returns an error if this is more than
// maxInMemory.
func (s *sourceReader) readRest(r *bufio.Reader) ([]byte, error) {
	var content bytes.Buffer
	for content.Len() <= maxInMemory {
		s.rowStart = s.bytesRead // the limit on the length of a row does not apply
		_, err := io.CopyN(&content, r, maxFirstRow)
		if err == io.EOF {
			return content.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("more than %d MiB that must be held in memory; write the table as CSV, or as Parquet to a file that is not zipped", maxInMemory>>20)
}

// openRows opens an input and recognises its format by its first bytes. A Parquet file on disk is read
// in place; other Parquet is read into memory.
func openRows(ctx context.Context, r io.Reader, name string, o Options) (rowReader, error) {
	file, isFile := r.(*os.File)
	if isFile && o.Sheet == "" {
		size, isParquet := parquetOnDisk(file)
		if isParquet {
			return openParquet(ctx, file, size, name)
		}
	}
	return openSource(ctx, newSourceReader(ctx, r), name, o)
}

// openSource waits for the first row, and opens the input as delimited text, or as another format
// if the first bytes say so. After an error the source is closed.
func openSource(ctx context.Context, source *sourceReader, name string, o Options) (rows rowReader, err error) {
	defer func() {
		if err != nil {
			source.close()
		}
	}()
	buffered := bufio.NewReaderSize(source, blockSize)
	for hasPrefix(buffered, byteOrderMark) { // several programs may each have added one
		buffered.Discard(len(byteOrderMark))
	}
	if source.binary.Load() {
		return openBinary(ctx, source, buffered, name, o)
	}
	head := peekFirstRow(buffered) // an error of the input is returned with the first row
	switch {
	case o.Sheet != "":
		return nil, noSheetsError(name, o.Sheet)
	case isJSON(bytes.TrimLeft(head, whitespace)):
		return openJSON(source, buffered, name, o), nil
	}
	if message := explainNonTable(head); message != "" {
		return nil, fmt.Errorf("%s: %s", displayName(name), message)
	}
	r := &textReader{filePosition: filePosition{file: displayName(name)}, source: source, buffered: buffered}
	r.setDialect(r.findDialect(o))
	return r, nil
}
