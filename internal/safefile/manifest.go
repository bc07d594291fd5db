package safefile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"

	"sml/internal/strict"
)

// ManifestFile is the name of the file that holds a directory's manifest.
const ManifestFile = "sml-manifest.json"

// Manifest lists the files of a directory that the program wrote, so that it does not replace or
// delete files of somebody else: files that are not listed, or have another content.
//
// A key is a path within the directory, with slashes. A value holds the SHA-256 sums that the
// content may have: two while the file is being replaced.
type Manifest map[string][]string

// manifestContent is the JSON content of a manifest's file.
type manifestContent struct {
	Format int      `json:"format"` // manifestFormat
	Files  Manifest `json:"files"`
}

// manifestFormat is the version of the JSON content.
const manifestFormat = 1

// maxManifest is the maximum size of a manifest's file, in bytes. The manifest of a large report lists
// some thousand files, at about 100 bytes each.
const maxManifest = 16 << 20

// ReadManifest reads the manifest of a directory. It returns an empty manifest if the directory has
// none.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	text, err := Read(path, maxManifest)
	if err != nil {
		return nil, err
	}
	m, err := decodeManifest(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// decodeManifest returns the manifest in the content of its file. It returns an error if the
// manifest lists a path outside of its directory, or itself.
func decodeManifest(text []byte) (Manifest, error) {
	var content manifestContent
	if err := strict.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	if content.Format != manifestFormat {
		return nil, fmt.Errorf("the manifest has format %d; this program reads format %d", content.Format, manifestFormat)
	}
	for name := range content.Files {
		isInside := filepath.IsLocal(filepath.FromSlash(name))
		if !isInside || name == ManifestFile {
			return nil, fmt.Errorf("the manifest lists %q, which is not a file in its directory", name)
		}
	}
	if content.Files == nil { // callers add to the map
		return Manifest{}, nil
	}
	return content.Files, nil
}

// Write writes the manifest to the directory dir.
func (m Manifest) Write(dir string) error {
	text, err := json.MarshalIndent(manifestContent{manifestFormat, m}, "", " ")
	if err != nil {
		return err
	}
	return Replace(filepath.Join(dir, ManifestFile), WriteBytes(append(text, '\n')))
}

// Add writes a file of the directory dir and adds it to the manifest, in place of an earlier entry.
// The caller writes the manifest.
func (m Manifest) Add(dir, name string, write func(io.Writer) error) error {
	hash := sha256.New()
	path := filepath.Join(dir, filepath.FromSlash(name))
	writeAndHash := func(w io.Writer) error { return write(io.MultiWriter(w, hash)) }
	if err := Replace(path, writeAndHash); err != nil {
		return err
	}
	m[name] = []string{hex.EncodeToString(hash.Sum(nil))}
	return nil
}

// Owns reports whether the named file in dir is a file that the program wrote: a regular file with a
// listed content, reached through directories and not through symbolic links. It returns an error if
// there is no such file. name is a path with slashes.
func (m Manifest) Owns(dir, name string) (bool, error) {
	for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(parent)))
		if err != nil || !info.IsDir() {
			return false, err
		}
	}
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil || !info.Mode().IsRegular() || len(m[name]) == 0 {
		return false, err
	}
	const noLimit = math.MaxInt64 - 1 // Limit adds 1 to it
	sum, err := SumFile(filepath.Join(dir, filepath.FromSlash(name)), noLimit)
	return err == nil && slices.Contains(m[name], sum), err
}

// Sum returns the SHA-256 sum of content in hexadecimal digits, as manifests hold it.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// SumFile returns the Sum of the content of a file. Like Open, it returns an error if the path is no
// regular file or has more than limit bytes.
func SumFile(path string, limit int64) (string, error) {
	f, err := Open(path, limit)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
}
