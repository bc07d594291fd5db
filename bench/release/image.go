package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"os"

	"sml/internal/safefile"
)

// imageConfig is the configuration of an image, in the form of the image specification of the Open Container Initiative.
type imageConfig struct {
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Created      string    `json:"created"`
	Config       runConfig `json:"config"`
	RootFS       rootFS    `json:"rootfs"`
}

// runConfig says what a container of the image runs, and as which user.
type runConfig struct {
	User       string
	Entrypoint []string
}

// rootFS has the checksums of the layers.
type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

// savedImage is an entry of manifest.json in the form that "docker save" writes.
type savedImage struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// writeImage writes an image for a processor that has the program and no other file, as "docker load" and
// "podman load" read it. tag names the image. No time is in it, so that equal programs give equal images.
func writeImage(path, program, processor, tag string) error {
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	layer, err := archive([]file{{name: "sml", mode: 0o755, content: content}})
	if err != nil {
		return err
	}
	config, err := json.Marshal(imageConfig{
		Architecture: processor,
		OS:           "linux",
		Created:      "1970-01-01T00:00:00Z",
		Config:       runConfig{User: "65532:65532", Entrypoint: []string{"/sml"}},
		RootFS:       rootFS{Type: "layers", DiffIDs: []string{"sha256:" + safefile.Sum(layer)}},
	})
	if err != nil {
		return err
	}
	configName := safefile.Sum(config) + ".json"
	manifest, err := json.Marshal([]savedImage{{Config: configName, RepoTags: []string{tag}, Layers: []string{"layer.tar"}}})
	if err != nil {
		return err
	}
	image, err := archive([]file{
		{name: "manifest.json", mode: 0o644, content: manifest},
		{name: configName, mode: 0o644, content: config},
		{name: "layer.tar", mode: 0o644, content: layer},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, image, 0o666)
}

// file is a file of an archive.
type file struct {
	name    string
	mode    int64
	content []byte
}

// archive returns the files as a tar archive, without times and owners.
func archive(files []file) ([]byte, error) {
	var archived bytes.Buffer
	w := tar.NewWriter(&archived)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.content)), Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close() // writes the end of the archive
	return archived.Bytes(), err
}
