package main

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// describeBLAS describes the library with which a process multiplies matrices: its name and its file.
// maps is the process's /proc/PID/maps, and address the place of the function sgemm_ (a product of
// matrices in every BLAS) in its memory. about is the process's own description of its BLAS.
//
// An address of 0 means that sgemm_ is hidden in PyTorch's own library, so that only about is known.
//
// describeBLAS returns an error if the BLAS has no name, or if it is the reference implementation of
// Netlib: that is so slow that nobody would compare with it.
func describeBLAS(maps string, address uint64, about string) (string, error) {
	file := mappedFile(maps, address)
	if isReferenceBLAS(file) {
		return "", fmt.Errorf("it uses the reference BLAS, %s, which is many times slower than PyTorch's usual ones, so that a comparison would flatter us; install libopenblas0-pthread (Debian, Ubuntu), or choose another with update-alternatives --config libblas.so.3-x86_64-linux-gnu", file)
	}
	if about == "" || about == "generic" {
		if file == "" {
			return "", fmt.Errorf("it does not say which BLAS it uses: no comparison is possible")
		}
		about = path.Base(file)
	}
	if file != "" {
		about += ", " + file
	}
	return about, nil
}

// mappedFile returns the file that is mapped at an address, "" if there is none. Lines of maps have the
// form "FROM-TO permissions offset device inode FILE" with addresses in hexadecimal digits; lines of
// memory without a file end earlier.
func mappedFile(maps string, address uint64) string {
	const fieldsWithFile = 6
	for line := range strings.Lines(maps) {
		fields := strings.Fields(line)
		if len(fields) < fieldsWithFile {
			continue
		}
		fromText, toText, _ := strings.Cut(fields[0], "-")
		from, fromErr := strconv.ParseUint(fromText, 16, 64)
		to, toErr := strconv.ParseUint(toText, 16, 64)
		if fromErr == nil && toErr == nil && from <= address && address < to {
			_, file, _ := strings.Cut(line, "/") // not the last field: a file's name may have spaces
			return "/" + strings.TrimSuffix(strings.TrimSpace(file), " (deleted)")
		}
	}
	return ""
}

// isReferenceBLAS reports whether a file is Netlib's reference implementation. Other libraries also have
// a file called libblas.so.3, but in Debian it stands in a folder with the library's name. Links do not
// matter: maps show the files that links lead to.
func isReferenceBLAS(file string) bool {
	folder := path.Base(path.Dir(file))
	for _, other := range []string{"openblas", "blis", "atlas"} {
		if strings.HasPrefix(folder, other) {
			return false
		}
	}
	name := path.Base(file)
	return strings.HasPrefix(name, "libblas.so") || strings.HasPrefix(name, "libblas64.so")
}
