package data

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// readCached reads a file with a cache, and tells whether the cache had the table.
func readCached(t *testing.T, path string, o Options) (table *Table, hit bool) {
	t.Helper()
	var before time.Time
	if info, err := os.Stat(path + CacheName); err == nil {
		before = info.ModTime()
	}
	table, err := ReadFile(WithReading(ctx, Reading{Cache: true, Warn: func(err error) { t.Error(err) }}), path, o)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path + CacheName)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ReadFile(ctx, path, o)
	if err != nil {
		t.Fatal(err)
	}
	if says := different(table, want); says != "" {
		t.Error(says)
	}
	return table, info.ModTime().Equal(before)
}

func TestCache(t *testing.T) {
	numbers := "a,b,c,y\n1,2,3,4\n5,-6,7.5,8\n0.1,1e300,-0,2\n"
	mixed := "a,b,c,y\n1,x,,4\n5,z,NA,8\n2,x,7,\n3,x,-,1\n"
	for _, c := range []struct {
		name, text string
		first      Options
		then       Options
		hit        bool
	}{
		{"again", numbers, Options{}, Options{}, true},
		{"raw", numbers, Options{Raw: true}, Options{Raw: true}, true},
		{"the header is known", numbers, Options{Raw: true}, Options{Raw: true, Header: HeaderYes}, true},
		{"the target is named", numbers, Options{}, Options{Targets: []string{"y"}}, true},
		{"another target", numbers, Options{Raw: true}, Options{Raw: true, Targets: []string{"2"}}, true},
		{"fewer columns", numbers, Options{Raw: true}, Options{Inputs: []string{"c", "a"}, Targets: []string{"y"}, Fields: []Field{{Kind: Number}, {Kind: Number}}}, true},
		{"split by an input", numbers, Options{Raw: true, By: "a"}, Options{Raw: true, By: "b"}, true},
		{"a weight", numbers, Options{}, Options{Weight: "a", Extra: []string{"b"}}, true},
		{"more columns", numbers, Options{Drop: []string{"a"}}, Options{}, false},
		{"numbers that are names", numbers, Options{Raw: true}, Options{Raw: true, Categorical: []string{"a"}}, false},
		{"texts that are numbers in the field", numbers, Options{Raw: true}, Options{Inputs: []string{"a"}, Targets: []string{"y"}, Fields: []Field{{Kind: Number, Absent: []string{"5"}}}}, false},
		{"texts", mixed, Options{Raw: true}, Options{Raw: true}, true},
		{"texts, by a text", mixed, Options{Raw: true, By: "b"}, Options{Raw: true, By: "b"}, true},
		{"another target, of a table with holes", mixed, Options{Raw: true}, Options{Raw: true, Targets: []string{"a"}}, false},
		{"no header", "1,2\n3,4\n", Options{}, Options{Header: HeaderNo}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.csv")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, hit := readCached(t, path, c.first); hit {
				t.Fatal("from no cache")
			}
			if _, hit := readCached(t, path, c.then); hit != c.hit {
				t.Errorf("from the cache: %v", hit)
			}
			if _, hit := readCached(t, path, c.then); !hit {
				t.Error("not kept")
			}
		})
	}
}

// A mistake is told, cache or none.
func TestCacheOfMistakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte("a,b,y\n1,2,3\n4,-5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	readCached(t, path, Options{})
	for _, o := range []Options{{Weight: "b"}, {MaxValues: 5}, {Raw: true, Dates: []string{"a"}}, {Drop: []string{"z"}}} {
		_, want := ReadFile(ctx, path, o)
		_, err := ReadFile(WithReading(ctx, Reading{Cache: true}), path, o)
		if want == nil || fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// A cache counts as long as the bytes of its file are the same, whatever its time says.
func TestCacheOfAnotherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.csv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	var large strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&large, "%d,%d\n", i, i*i)
	}
	text := large.String()
	write(text)
	readCached(t, path, Options{})
	write(text)
	if _, hit := readCached(t, path, Options{}); !hit {
		t.Error("the same text is read again")
	}
	for _, at := range []int{0, len(text) / 2, len(text) - 2} {
		other := []byte(text)
		other[at] = '7' + (other[at]-'7')%2 + 1
		write(string(other))
		if _, hit := readCached(t, path, Options{}); hit {
			t.Errorf("another digit at %d is not seen", at)
		}
	}
}

// What is no whole cache is not taken for one, and is replaced only if it was one.
func TestDamagedCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte("a,y\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	readCached(t, path, Options{})
	whole, err := os.ReadFile(path + CacheName)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(cacheBegins); at < len(whole); at++ {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1
		if err := os.WriteFile(path+CacheName, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, hit := readCached(t, path, Options{}); hit {
			t.Errorf("byte %d may be another", at)
		}
	}
	for at := len(cacheBegins); at < len(whole); at += 7 {
		if err := os.WriteFile(path+CacheName, whole[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, hit := readCached(t, path, Options{}); hit {
			t.Errorf("it may end at %d", at)
		}
	}
	const own = "my own notes"
	if err := os.WriteFile(path+CacheName, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", "relative") // there is no other place
	t.Setenv("HOME", "")
	var says error
	table, err := ReadFile(WithReading(ctx, Reading{Cache: true, Warn: func(err error) { says = err }}), path, Options{})
	if err != nil || table.Rows() != 2 || says == nil || !strings.Contains(says.Error(), "somebody's own file") {
		t.Errorf("got %v, %v", err, says)
	}
	if left, _ := os.ReadFile(path + CacheName); string(left) != own {
		t.Errorf("it is %q now", left)
	}
}

// Who may not read a file may not read its cache.
func TestCacheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permissions on this system")
	}
	path := filepath.Join(t.TempDir(), "f.csv")
	for i, mode := range []fs.FileMode{0o644, 0o600, 0o640} {
		if err := os.WriteFile(path, fmt.Appendf(nil, "1,%d\n", i), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		readCached(t, path, Options{})
		if info, err := os.Stat(path + CacheName); err != nil || info.Mode() != mode {
			t.Errorf("%v of %v, %v", info.Mode(), mode, err)
		}
	}
}

// Where nothing can be written beside a file, its cache is the user's.
func TestCacheElsewhere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.csv")
	if err := os.WriteFile(path, []byte("1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path+CacheName, 0o700); err != nil { // root may write everywhere
		t.Fatal(err)
	}
	user := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", user)
	t.Setenv("HOME", user)
	t.Setenv("LocalAppData", user)
	kept := 0
	for range 2 {
		table, err := ReadFile(WithReading(ctx, Reading{Cache: true, Warn: func(err error) { t.Error(err) }}), path, Options{})
		if err != nil || table.Rows() != 2 {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(user, "*", "tables", "*"+CacheName))
		if more, _ := filepath.Glob(filepath.Join(user, "*", "*", "sml", "tables", "*"+CacheName)); err == nil {
			files = append(files, more...)
		}
		if kept = len(files); kept != 1 {
			t.Errorf("%d caches: %v", kept, err)
		}
	}
}

// A file that is interrupted while it is read or summed leaves no cache.
func TestInterruptedCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte("1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	readCached(t, path, Options{})
	ended, cancel := context.WithCancel(WithReading(ctx, Reading{Cache: true}))
	cancel()
	if _, err := ReadFile(ended, path, Options{}); err == nil {
		t.Error("no error")
	}
}

// Whoever waits for a cached table is told of its file and of the cache, and that all is
// read in the end.
func TestCacheProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte("a,y\n"+strings.Repeat("1,2\n", 3*sumBlock/4)), 0o600); err != nil {
		t.Fatal(err)
	}
	readCached(t, path, Options{})
	var told []int64
	var of int64
	if _, err := ReadFile(WithReading(ctx, Reading{Cache: true, Progress: func(read, size int64) { told, of = append(told, read), size }}), path, Options{}); err != nil {
		t.Fatal(err)
	}
	want := int64(4 + 3*sumBlock + 3*sumBlock/4*2*8)
	if len(told) < 4+2 || !slices.IsSorted(told) || told[len(told)-1] != want || of != want {
		t.Errorf("told of %v bytes of %d, want up to %d", told, of, want)
	}
}

// Whatever a cache holds is a table or an error.
func FuzzCache(f *testing.F) {
	dir := f.TempDir()
	for i, text := range []string{"a,b,y\n1,2,3\n4,5,6\n", "a,b,y\n1,x,3\n,z,6\n"} {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
		if _, err := ReadFile(WithReading(ctx, Reading{Cache: true}), path, Options{Raw: true}); err != nil {
			f.Fatal(err)
		}
		cache, err := os.ReadFile(path + CacheName)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(cache[cacheHead:], 0, 1)
		f.Add(cache[cacheHead:], 2, 0)
	}
	path := filepath.Join(dir, "cache")
	f.Fuzz(func(t *testing.T, text []byte, x, y int) {
		end := bytes.LastIndexByte(text, '}') + 1
		if err := os.WriteFile(path, append(cacheHeader(text[:end]), text[end:]...), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		c, from, err := openCache(file)
		if err != nil {
			return
		}
		table := &Table{Columns: []string{"x"}, Targets: []string{"y"}}
		if err := c.read(ctx, file, from, table, [5][]int{{x}, {y}}, func(int64) {}); err == nil && (table.Rows() != c.Rows || len(table.X) != c.Rows) {
			t.Errorf("%d rows and %d inputs of %d", table.Rows(), len(table.X), c.Rows)
		}
	})
}
