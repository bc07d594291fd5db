package main

import (
	"strings"
	"testing"
)

// processMaps returns the content of /proc/PID/maps of a process that has mapped the files, among others.
func processMaps(files ...string) string {
	lines := []string{"00400000-00b3a000 r-xp 00000000 fe:00 131 /usr/bin/python3.11", "01c00000-01d00000 rw-p 00000000 00:00 0 [heap]", "01d00000-01d10000 rw-p 00000000 00:00 0"}
	at := []string{"7f01a0000000-7f01b0000000", "7f02a0000000-7f02b0000000", "7f03a0000000-7f03b0000000"}
	for i, file := range files {
		lines = append(lines, at[i]+" r-xp 00130000 fe:00 15630342                   "+file)
	}
	return strings.Join(append(lines, "7fffb0000000-7fffb0001000 r-xp 00000000 00:00 0 [vdso]"), "\n") + "\n"
}

func TestDescribeBLAS(t *testing.T) {
	const (
		first, second = 0x7f01a0001234, 0x7f02a0001234
		torchOfWheel  = "/home/me/.venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so"
		numpys        = "/home/me/.venv/lib/python3.11/site-packages/numpy.libs/libopenblas64_p-r0-0cf96a72.3.23.dev.so"
		mkl           = "Intel(R) oneAPI Math Kernel Library Version 2024.2"
	)
	for _, c := range []struct {
		name  string
		files []string
		at    uint64
		about string
		want  string // the beginning of the error after a "!"
	}{
		{"Debian's OpenBLAS", []string{"/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3", "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so"}, first, "OpenBLAS 0.3.21 for Cooperlake",
			"OpenBLAS 0.3.21 for Cooperlake, /usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3"},
		{"Debian's ATLAS", []string{"/usr/lib/x86_64-linux-gnu/atlas/libblas.so.3.10.3"}, first, "generic", "libblas.so.3.10.3, /usr/lib/x86_64-linux-gnu/atlas/libblas.so.3.10.3"},
		{"MKL inside of a wheel", []string{torchOfWheel, numpys}, first, mkl, mkl + ", " + torchOfWheel},
		{"hidden there, where NumPy has another", []string{torchOfWheel, numpys}, 0, mkl, mkl},
		{"none at all", []string{torchOfWheel, numpys}, 0, "generic", "!it does not say which BLAS"},
		{"Debian's reference", []string{"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0"}, first, "generic", "!it uses the reference BLAS, /usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0"},
		{"while another is mapped", []string{"/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3.12.0"}, second, "OpenBLAS 0.3.21 for Cooperlake", "!it uses the reference BLAS"},
		{"Conda's reference, replaced meanwhile", []string{"/opt/my conda/lib/libblas.so.3.9.0 (deleted)"}, first, "open", "!it uses the reference BLAS, /opt/my conda/lib/libblas.so.3.9.0,"},
	} {
		got, err := describeBLAS(processMaps(c.files...), c.at, c.about)
		if start, refused := strings.CutPrefix(c.want, "!"); refused {
			if err == nil || !strings.HasPrefix(err.Error(), start) {
				t.Errorf("%s: %q, %v; want the error %q", c.name, got, err, start)
			}
			if err != nil && strings.Contains(start, "reference") && !strings.Contains(err.Error(), "libopenblas0-pthread") {
				t.Errorf("%s: %v names no package", c.name, err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
