package read

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"

	"sml/data/internal/xlsx"
)

// Files other than text are recognised by their first bytes. The byte after the four letters of
// Parquet is in every Parquet file and in no header of a text.
const (
	zipMagic     = "PK\x03\x04"
	parquetMagic = "PAR1\x15"
)

// maxHeld is the maximum number of bytes of a file held in memory: a workbook, an archive, or
// Parquet from a pipe or an archive.
const maxInMemory = 256 << 20

// heldReader reads the rows of a file held in memory, and closes the file's input too.
type inMemoryReader struct {
	rowReader
	source *sourceReader
}

func (h inMemoryReader) close() {
	h.rowReader.close()
	h.source.close()
}

// openBinary opens a Parquet file or a zip archive.
func openBinary(in *sourceReader, r *bufio.Reader, name, sheet string) (rowReader, error) {
	if in.inArchive {
		return nil, fmt.Errorf("%s: the file in this archive is no CSV text; unpack it first", displayName(name))
	}
	parquet := hasPrefix(r, parquetMagic)
	content, err := in.readRest(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	var rec rowReader
	switch {
	case parquet && sheet != "":
		return nil, noSheetsError(name, sheet)
	case parquet:
		rec, err = openParquet(in.ctx, bytes.NewReader(content), int64(len(content)), name)
	default:
		rec, err = openZip(in, content, name, sheet)
	}
	if err != nil {
		return nil, err
	}
	return inMemoryReader{rec, in}, nil
}

// noSheetsError returns the error for a file without sheets if Options.Sheet names one.
func noSheetsError(name, sheet string) error {
	return fmt.Errorf("%s: the sheet %s is asked for, and the file is no .xlsx workbook", displayName(name), shortName(sheet))
}

// openZip opens a workbook, or an archive with one text file.
func openZip(in *sourceReader, content []byte, name, sheet string) (rowReader, error) {
	file := displayName(name)
	archive, err := OpenZip(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	files := slices.DeleteFunc(slices.Clone(archive.File), func(f *zip.File) bool { return f.FileInfo().IsDir() })
	switch {
	case xlsx.IsWorkbook(archive):
		return openSheet(in.ctx, archive, name, sheet)
	case len(files) != 1:
		return nil, fmt.Errorf("%s: this is a zip file of %d files and no .xlsx workbook; unpack it, and give one table", file, len(files))
	}
	f, err := files[0].Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", file, displayName(files[0].Name), err)
	}
	member := newSourceReader(in.ctx, f)
	member.converted.Store(true)
	member.inArchive = true
	rec, err := openSource(member, name, sheet)
	if err != nil {
		member.close()
	}
	return rec, err
}

// readRest returns the rest of the input, which r reads. It returns an error if this is more than
// maxHeld.
func (in *sourceReader) readRest(r *bufio.Reader) ([]byte, error) {
	var content bytes.Buffer
	for content.Len() <= maxInMemory {
		in.rowStart = in.bytesRead // there are no rows
		if _, err := io.CopyN(&content, r, maxFirstRow); err == io.EOF {
			return content.Bytes(), nil
		} else if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("more than %d MiB that cannot be read row by row; write it as CSV, or Parquet to a file that is not zipped", maxInMemory>>20)
}

// openRows opens an input and recognises its format by its first bytes.
func openRows(ctx context.Context, r io.Reader, name string, o Options) (rowReader, error) {
	if f, ok := r.(*os.File); ok { // a file on disk need not be held in memory
		if size, ok := parquetOnDisk(f); ok && o.Sheet == "" {
			return openParquet(ctx, f, size, name)
		}
	}
	in := newSourceReader(ctx, r)
	rec, err := openSource(in, name, o.Sheet)
	if err != nil {
		in.close()
		return nil, err
	}
	return rec, nil
}

// openRecords waits for the first row, and opens the input as delimited text, or as another
// format if the first bytes say so. The sheet is the name of a workbook's sheet, "" for the
// first one and for all other formats.
func openSource(in *sourceReader, file, sheet string) (rowReader, error) {
	r := &textReader{source: in, buffered: bufio.NewReaderSize(in, blockSize), filePosition: filePosition{file: displayName(file)}}
	for r.hasByteOrderMark() { // several tools may each have added a mark
		r.buffered.Discard(len(byteOrderMark))
	}
	if in.binary.Load() {
		return openBinary(in, r.buffered, file, sheet)
	}
	head := peekFirstRow(r.buffered) // an error of the input is returned with the first row
	switch {
	case sheet != "":
		return nil, noSheetsError(file, sheet)
	case isJSON(bytes.TrimLeft(head, whitespace)):
		return openJSON(in, r.buffered, file), nil
	}
	if says := explainNonTable(head); says != "" {
		return nil, fmt.Errorf("%s: %s", r.file, says)
	}
	c := csv.NewReader(r.buffered)
	c.Comma = findDelimiter(head)
	in.delimiter, in.maxDelimiters = byte(c.Comma), maxColumns
	if c.Comma == ' ' { // a run of blanks is one delimiter
		in.maxDelimiters = 10 * maxColumns
	}
	c.TrimLeadingSpace = c.Comma == ',' || c.Comma == ';'
	c.FieldsPerRecord = -1 // the caller counts the fields, and explains a difference better
	c.ReuseRecord = true
	r.csv = c
	return r, nil
}
