package main

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// blasOf names the library that a process multiplies by, with its file: the one in
// whose memory, by the process's maps, sgemm_ is at. about is what the process says of
// it. Where at is 0, sgemm_ is hidden in PyTorch's own library, and about is all that is
// known. The error refuses Netlib's reference library, which no one who measures uses,
// and one without a name.
func blasOf(maps string, at uint64, about string) (string, error) {
	file := mappedAt(maps, at)
	switch {
	case isReference(file):
		return "", fmt.Errorf("it multiplies by the reference BLAS, %s, many times slower than what PyTorch is used with, and a comparison would flatter us: install libopenblas0-pthread (Debian, Ubuntu), or choose it by update-alternatives --config libblas.so.3-x86_64-linux-gnu", file)
	case about == "" || about == "generic":
		if about = path.Base(file); file == "" {
			return "", fmt.Errorf("it names no BLAS that it multiplies by: no comparison")
		}
	}
	if file != "" {
		about += ", " + file
	}
	return about, nil
}

// mappedAt is the file that is mapped at an address, "" if there is none.
func mappedAt(maps string, at uint64) string {
	for line := range strings.Lines(maps) {
		fields := strings.Fields(line)
		if len(fields) < 6 {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		first, err := strconv.ParseUint(from, 16, 64)
		last, err2 := strconv.ParseUint(to, 16, 64)
		if err == nil && err2 == nil && first <= at && at < last {
			_, file, _ := strings.Cut(line, "/") // names may have spaces
			return "/" + strings.TrimSuffix(strings.TrimSpace(file), " (deleted)")
		}
	}
	return ""
}

// isReference tells a libblas.so of Netlib from one of the same name that another
// library has in a folder of its own, as Debian's have. Maps show files with all links
// followed, so libblas.so.3 is no link to something else.
func isReference(file string) bool {
	folder := path.Base(path.Dir(file))
	for _, other := range []string{"openblas", "blis", "atlas"} {
		if strings.HasPrefix(folder, other) {
			return false
		}
	}
	return strings.HasPrefix(path.Base(file), "libblas.so") || strings.HasPrefix(path.Base(file), "libblas64.so")
}
