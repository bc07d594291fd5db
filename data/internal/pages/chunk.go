package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Chunk reads a column of a group of rows, value by value. It holds a page and a dictionary.
type Chunk struct {
	file     io.ReaderAt
	at, end  int64 // unread bytes of the chunk in the file
	codec    format.CompressionCodec
	shape    shape
	optional bool // values may be missing
	budget   *Budget

	dictionary *dictionary
	left       int   // unread values of the page, including missing values
	levels     *runs // 1 for a value, 0 for a missing value; nil if the column has no missing values
	values     values

	held, heldPage int // bytes reserved for the dictionary and the page
}

// NewChunk opens a column of a row group in a file of size bytes. The column must be a
// non-repeated leaf below the root of the schema.
func NewChunk(file io.ReaderAt, size int64, column *parquet.Column, of *format.ColumnMetaData, budget *Budget) (*Chunk, error) {
	c := &Chunk{
		file: file, at: of.DataPageOffset, codec: of.Codec, optional: column.Optional(), budget: budget,
		shape: shape{kind: column.Type().Kind()},
	}
	if c.shape.kind < 0 { // the null type: every value is missing
		c.shape.kind = parquet.Kind(of.Type)
	}
	if c.shape.kind != parquet.Kind(of.Type) {
		return nil, errBroken
	}
	if c.shape.kind == parquet.FixedLenByteArray {
		if c.shape.length = column.Type().Length(); c.shape.length < 1 || c.shape.length > MaxText {
			return nil, errLongText
		}
	}
	if d := of.DictionaryPageOffset; d > 0 && d < c.at {
		c.at = d
	}
	c.end = c.at + of.TotalCompressedSize
	if c.at < 0 || of.TotalCompressedSize < 0 || c.end < c.at || c.end > size {
		return nil, fmt.Errorf("a column at the bytes %d to %d of a file of %d", c.at, c.end, size)
	}
	return c, nil
}

// Next returns the next value, a null if it is missing, and io.EOF behind the last. Bytes of
// a value are valid until the following call.
func (c *Chunk) Next() (parquet.Value, error) {
	for c.left == 0 {
		if err := c.nextPage(); err != nil {
			return parquet.Value{}, err
		}
	}
	c.left--
	if c.levels != nil {
		level, err := c.levels.next()
		if err != nil || level == 0 {
			return parquet.Value{}, err
		}
	}
	return c.values.next()
}

// Close gives back the memory.
func (c *Chunk) Close() {
	c.budget.take(-c.held - c.heldPage)
	c.held, c.heldPage = 0, 0
	c.dictionary, c.values, c.levels = nil, nil, nil
}

// nextPage reads pages up to one with values.
func (c *Chunk) nextPage() error {
	for {
		if c.at == c.end {
			return io.EOF
		}
		header, err := c.readHeader()
		if err != nil {
			return err
		}
		packed, err := c.readPacked(header)
		if err != nil {
			return err
		}
		switch header.Type {
		case format.DictionaryPage:
			if err := c.readDictionary(header, packed); err != nil {
				return err
			}
		case format.DataPage:
			return c.readDataPage(header, packed)
		case format.DataPageV2:
			return c.readDataPageV2(header, packed)
		}
	}
}

// readHeader reads and checks the header of a page.
func (c *Chunk) readHeader() (*format.PageHeader, error) {
	for size := int64(512); ; size *= 8 {
		text := make([]byte, min(size, c.end-c.at, maxHeader))
		if _, err := c.file.ReadAt(text, c.at); err != nil && err != io.EOF {
			return nil, err
		}
		s := scanner{text: text}
		err := s.structure(0)
		if errors.Is(err, errShort) && int64(len(text)) == size {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.at += int64(s.at)
		header := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), text[:s.at], header); err != nil {
			return nil, err
		}
		return header, c.checkHeader(header)
	}
}

func (c *Chunk) checkHeader(h *format.PageHeader) error {
	packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	switch {
	case packed < 0, unpacked < 0, packed > c.end-c.at:
		return errBroken
	case packed > MaxPage, unpacked > MaxPage:
		return fmt.Errorf("a page of %d MiB; no more than %d MiB are read", max(packed, unpacked)>>20, MaxPage>>20)
	}
	return nil
}

// readPacked reads a page as it is stored.
func (c *Chunk) readPacked(h *format.PageHeader) ([]byte, error) {
	text := make([]byte, h.CompressedPageSize)
	if _, err := c.file.ReadAt(text, c.at); err != nil && err != io.EOF {
		return nil, err
	}
	c.at += int64(len(text))
	if h.CRC != 0 && uint32(h.CRC) != crc32.ChecksumIEEE(text) {
		return nil, errors.New("a page is damaged: its checksum is another")
	}
	return text, nil
}

func (c *Chunk) readDictionary(h *format.PageHeader, packed []byte) error {
	of := h.DictionaryPageHeader
	if !of.Valid || of.V.NumValues < 0 || c.dictionary != nil {
		return errBroken
	}
	if of.V.Encoding != format.Plain && of.V.Encoding != format.PlainDictionary {
		return unsupportedError("encoding", of.V.Encoding)
	}
	c.held = 2 * int(h.UncompressedPageSize) // the ends of texts are no longer than these
	if err := c.budget.take(c.held); err != nil {
		return err
	}
	text, err := unpack(c.codec, packed, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	c.dictionary, err = newDictionary(text, int(of.V.NumValues), c.shape)
	return err
}

// reserve takes memory for a page in place of the page before.
func (c *Chunk) reserve(h *format.PageHeader) error {
	c.values, c.levels = nil, nil
	before := c.heldPage
	c.heldPage = int(h.UncompressedPageSize)
	return c.budget.take(c.heldPage - before)
}

func (c *Chunk) readDataPage(h *format.PageHeader, packed []byte) error {
	of := h.DataPageHeader
	if !of.Valid || of.V.NumValues < 0 {
		return errBroken
	}
	if err := c.reserve(h); err != nil {
		return err
	}
	text, err := unpack(c.codec, packed, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	if c.optional {
		if text, err = c.readLevels(of.V.DefinitionLevelEncoding, text); err != nil {
			return err
		}
	}
	c.left = int(of.V.NumValues)
	c.values, err = newValues(of.V.Encoding, text, c.shape, c.dictionary)
	return err
}

// readLevels reads which values are there, and returns the text behind.
func (c *Chunk) readLevels(encoding format.Encoding, text []byte) ([]byte, error) {
	if encoding != format.RLE {
		return nil, unsupportedError("encoding", encoding)
	}
	if len(text) < 4 || uint64(binary.LittleEndian.Uint32(text)) > uint64(len(text)-4) {
		return nil, io.ErrUnexpectedEOF
	}
	text, behind := text[4:4+binary.LittleEndian.Uint32(text)], text[4+binary.LittleEndian.Uint32(text):]
	var err error
	c.levels, err = newRuns(text, 1)
	return behind, err
}

func (c *Chunk) readDataPageV2(h *format.PageHeader, packed []byte) error {
	of := h.DataPageHeaderV2
	if !of.Valid || of.V.NumValues < 0 {
		return errBroken
	}
	repetition, definition := int(of.V.RepetitionLevelsByteLength), int(of.V.DefinitionLevelsByteLength)
	if repetition < 0 || definition < 0 || repetition > len(packed) || definition > len(packed)-repetition || repetition+definition > int(h.UncompressedPageSize) {
		return errBroken
	}
	if err := c.reserve(h); err != nil {
		return err
	}
	levels := packed[repetition : repetition+definition]
	text := packed[repetition+definition:]
	var err error
	if !of.V.IsCompressed.Valid || of.V.IsCompressed.V {
		if len(text) > 0 { // a page without values may have no text at all
			text, err = unpack(c.codec, text, int(h.UncompressedPageSize)-repetition-definition)
		}
	}
	if err != nil {
		return err
	}
	if c.optional {
		if c.levels, err = newRuns(levels, 1); err != nil {
			return err
		}
	}
	c.left = int(of.V.NumValues)
	c.values, err = newValues(of.V.Encoding, text, c.shape, c.dictionary)
	return err
}
