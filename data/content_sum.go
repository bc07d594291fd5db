package data

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// sumBlock is how much of a file has a hash of its own.
const sumBlock = 1 << 20

// contentSum identifies the bytes that are written to it: the SHA-256 of those of
// its blocks, so that all cores can find that of a file.
type contentSum struct {
	block hash.Hash
	n     int // bytes of the block
	sums  []byte
}

func newContentSum() *contentSum { return &contentSum{block: sha256.New()} }

func (s *contentSum) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		k := min(len(rest), sumBlock-s.n)
		s.block.Write(rest[:k])
		rest = rest[k:]
		if s.n += k; s.n == sumBlock {
			s.end()
		}
	}
	return len(p), nil
}

func (s *contentSum) end() {
	s.sums = s.block.Sum(s.sums)
	s.block.Reset()
	s.n = 0
}

func (s *contentSum) sum() string {
	if s.n > 0 {
		s.end()
	}
	all := sha256.Sum256(s.sums)
	return hex.EncodeToString(all[:])
}

// sumOf is the contentSum of a file of that size; told is told how many of its bytes are
// read.
func sumOf(ctx context.Context, f io.ReaderAt, size int64, told func(read int64)) (string, error) {
	sums := make([]byte, (size+sumBlock-1)/sumBlock*sha256.Size)
	say := func(blocks int) { told(min(int64(blocks)*sumBlock, size)) }
	err := share(ctx, len(sums)/sha256.Size, sumBlock, say, func(i int, buffer []byte) error {
		at := int64(i) * sumBlock
		text := buffer[:min(sumBlock, size-at)]
		_, err := f.ReadAt(text, at)
		sum := sha256.Sum256(text)
		copy(sums[i*sha256.Size:], sum[:])
		return err
	})
	all := sha256.Sum256(sums)
	return hex.EncodeToString(all[:]), err
}

// share does n pieces of work on all cores, each with a buffer of so many bytes; told,
// never called by two at once, is told how many are done.
func share(ctx context.Context, n, size int, told func(done int), work func(i int, buffer []byte) error) error {
	var begun atomic.Int64
	var lock sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			buffer := make([]byte, size)
			for {
				i := int(begun.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(i, buffer); err != nil {
					return err
				}
				lock.Lock()
				done++
				told(done)
				lock.Unlock()
			}
		})
	}
	return group.Wait()
}
