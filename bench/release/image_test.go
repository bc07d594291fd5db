package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"sml/internal/expect"
	"sml/internal/safefile"
)

// The image names its configuration and layer by their checksums, and equal programs give equal images.
func TestWriteImage(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "sml-linux-arm64")
	expect.NoError(t, os.WriteFile(program, []byte("a program"), 0o600))
	var images [2][]byte
	for i := range images {
		path := filepath.Join(dir, "image.tar")
		expect.NoError(t, writeImage(path, program, "arm64", "sml:abc"))
		images[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(images[0], images[1]) {
		t.Error("two images of one program differ")
	}
	files := unpack(t, images[0])
	var saved []savedImage
	var config imageConfig
	if err := json.Unmarshal(files["manifest.json"], &saved); err != nil || len(saved) != 1 || saved[0].RepoTags[0] != "sml:abc" {
		t.Fatalf("manifest %s: %v", files["manifest.json"], err)
	}
	content := files[saved[0].Config]
	if err := json.Unmarshal(content, &config); err != nil || saved[0].Config != safefile.Sum(content)+".json" {
		t.Fatalf("configuration %s: %v", content, err)
	}
	layer := files[saved[0].Layers[0]]
	if config.Architecture != "arm64" || config.RootFS.DiffIDs[0] != "sha256:"+safefile.Sum(layer) || config.Config.Entrypoint[0] != "/sml" {
		t.Errorf("configuration %s of the layer %s", content, safefile.Sum(layer))
	}
	if got := unpack(t, layer)["sml"]; string(got) != "a program" {
		t.Errorf("the layer has the program %q", got)
	}
}

// unpack returns the files of a tar archive by their names.
func unpack(t *testing.T, archived []byte) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	r := tar.NewReader(bytes.NewReader(archived))
	for {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name], _ = io.ReadAll(r)
		if header.ModTime.Unix() != 0 {
			t.Errorf("%s has the time %v", header.Name, header.ModTime)
		}
	}
}
