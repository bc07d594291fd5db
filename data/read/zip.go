package read

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
)

// Bounds on the directory of a zip archive, which is held in memory.
const (
	maxZipDirectory = 4 << 20 // bytes
	maxZipFiles     = 10_000
)

// OpenZip reads the directory of a zip archive of size bytes. It returns an error if the archive is
// broken, or if its directory is larger than 4 MiB or has more than 10,000 files.
func OpenZip(r io.ReaderAt, size int64) (*zip.Reader, error) {
	directory := &boundedReaderAt{r: r, bytesLeft: maxZipDirectory}
	archive, err := zip.NewReader(directory, size)
	hasTooManyFiles := err == nil && len(archive.File) > maxZipFiles
	switch {
	case directory.bytesLeft < 0, hasTooManyFiles:
		return nil, fmt.Errorf("the archive has more than %d files, or a directory of more than %d MiB", maxZipFiles, maxZipDirectory>>20)
	case err != nil:
		return nil, fmt.Errorf("the archive is broken: %w", err)
	}
	directory.bytesLeft = math.MaxInt64 // the files have bounds of their own
	return archive, nil
}

// boundedReaderAt reads from r, at most bytesLeft bytes in all.
type boundedReaderAt struct {
	r         io.ReaderAt
	bytesLeft int64 // negative after a read that was refused
}

// ReadAt reads from b.r. It returns an error if this exceeds b.bytesLeft, and counts p in full.
func (b *boundedReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	b.bytesLeft -= int64(len(p))
	if b.bytesLeft < 0 {
		return 0, errors.New("too many bytes are read")
	}
	return b.r.ReadAt(p, offset)
}
