// Release builds the program for Linux, macOS and Windows on amd64 and arm64, an image for containers on Linux, and the
// list of their checksums, into the folder release. "make release" runs it. The same commit gives the same bytes, in any
// folder and on any machine, if Go has the same version.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sml/internal/safefile"
)

const folder = "release"

// platforms are the systems and processors that the program is built for.
var platforms = []struct{ system, processor string }{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("there is a folder %s already: remove it first", folder)
		}
		return err
	}
	commit, err := output("git", "describe", "--always", "--dirty", "--abbrev=12")
	if err != nil {
		return err
	}
	var names []string
	for _, p := range platforms {
		name := fmt.Sprintf("sml-%s-%s", p.system, p.processor)
		if p.system == "windows" {
			name += ".exe"
		}
		fmt.Println(name)
		if err := build(filepath.Join(folder, name), p.system, p.processor); err != nil {
			return err
		}
		names = append(names, name)
		if p.system != "linux" {
			continue
		}
		image := fmt.Sprintf("sml-image-%s.tar", p.processor)
		fmt.Println(image)
		if err := writeImage(filepath.Join(folder, image), filepath.Join(folder, name), p.processor, "sml:"+commit); err != nil {
			return err
		}
		names = append(names, image)
	}
	return writeChecksums(names)
}

// output returns what a program prints, without blanks around it.
func output(name string, arguments ...string) (string, error) {
	command := exec.Command(name, arguments...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	return strings.TrimSpace(string(text)), err
}

// build builds the program for a system and a processor. The commit is in it, and neither the folder nor an identifier
// of the build.
func build(path, system, processor string) error {
	command := exec.Command("go", "build", "-buildvcs=true", "-trimpath", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/sml")
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	command.Stderr = os.Stderr
	return command.Run()
}

// writeChecksums writes SHA256SUMS, which sha256sum --check reads.
func writeChecksums(names []string) error {
	var list strings.Builder
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", safefile.Sum(content), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(list.String()), 0o666)
}
