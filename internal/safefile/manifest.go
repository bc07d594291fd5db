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

// ManifestFile is the name of a folder's manifest.
const ManifestFile = "sml-manifest.json"

// Manifest lists the files of a folder that the program wrote, by their paths
// with slashes, each with the SHA-256 sums that it may have: more than one while
// it is being replaced. A file that is not listed, or has another sum, is
// somebody else's.
type Manifest map[string][]string

// manifestContent is what a manifest's file holds.
type manifestContent struct {
	Format int      `json:"format"`
	Files  Manifest `json:"files"`
}

const manifestFormat = 1

// maxManifest bounds the file of a manifest, in bytes: one of a report has some
// thousands.
const maxManifest = 16 << 20

// ReadManifest reads the manifest of a folder. One that is not there is empty.
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
		return nil, fmt.Errorf("%s is no regular file", path)
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

func decodeManifest(text []byte) (Manifest, error) {
	var c manifestContent
	if err := strict.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	if c.Format != manifestFormat {
		return nil, fmt.Errorf("it has format %d, and this program reads format %d", c.Format, manifestFormat)
	}
	for name := range c.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) || name == ManifestFile {
			return nil, fmt.Errorf("it lists %q, which is no file of its folder", name)
		}
	}
	if c.Files == nil {
		c.Files = Manifest{}
	}
	return c.Files, nil
}

// Write writes the manifest of a folder.
func (m Manifest) Write(dir string) error {
	text, err := json.MarshalIndent(manifestContent{manifestFormat, m}, "", " ")
	if err != nil {
		return err
	}
	return Replace(filepath.Join(dir, ManifestFile), Content(append(text, '\n')))
}

// Add writes a file of the folder and lists it.
func (m Manifest) Add(dir, name string, write func(io.Writer) error) error {
	h := sha256.New()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := Replace(path, func(w io.Writer) error { return write(io.MultiWriter(w, h)) }); err != nil {
		return err
	}
	m[name] = []string{hex.EncodeToString(h.Sum(nil))}
	return nil
}

// Owns tells whether the file of that name in dir is as the program wrote it,
// in folders that are no links. There must be something of that name.
func (m Manifest) Owns(dir, name string) (bool, error) {
	for sub := path.Dir(name); sub != "."; sub = path.Dir(sub) {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(sub)))
		if err != nil || !info.IsDir() {
			return false, err
		}
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || len(m[name]) == 0 {
		return false, err
	}
	return m.Matches(dir, name)
}

// Matches tells whether the file of that name in dir, or what it is a link to,
// has a content that is listed.
func (m Manifest) Matches(dir, name string) (bool, error) {
	sum, err := SumFile(filepath.Join(dir, filepath.FromSlash(name)), math.MaxInt64-1)
	return err == nil && slices.Contains(m[name], sum), err
}

// Sum is the SHA-256 sum of a file's content, as manifests have it.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// SumFile is Sum of a file that Open opens.
func SumFile(path string, max int64) (string, error) {
	f, err := Open(path, max)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
