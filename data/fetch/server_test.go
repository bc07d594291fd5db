package fetch

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sml/data"
	"sml/data/read"
	"sml/data/write"
	"sml/internal/expect"
)

// site is every host of the world, on this machine.
type site struct {
	files map[string]http.HandlerFunc // by address; anything else is not found

	lock sync.Mutex
	log  []string // addresses that were asked for
}

func (s *site) asked() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Clone(s.log)
}

// fetcher starts the site and returns who fetches of it into an empty folder.
func (s *site) fetcher(t *testing.T) *Fetcher {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := "https://" + r.Host + r.RequestURI
		s.lock.Lock()
		s.log = append(s.log, address)
		s.lock.Unlock()
		if serve, ok := s.files[address]; ok {
			serve(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
		},
		TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: "example.com"}, // as the server's certificate has it
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &Fetcher{Dir: filepath.Join(t.TempDir(), "sets"), Tries: 3, Wait: time.Millisecond, StallTimeout: 10 * time.Second, Transport: transport}
}

// serveContent serves bytes as servers of files do.
func serveContent(b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
	}
}

// serveInterrupted serves b, but breaks the connection after the first part bytes, for the first times requests.
func serveInterrupted(b []byte, part, times int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if times--; times < 0 {
			serveContent(b)(w, r)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		w.Write(b[:part])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

const set = "made-yacht"

// serveYacht starts a site that answers requests for the first file of the set, and returns who fetches of it.
func serveYacht(t *testing.T, answer http.HandlerFunc) (*site, *Fetcher) {
	t.Helper()
	s := &site{files: map[string]http.HandlerFunc{expect.Must(Lookup(set)).Files[0].URL: answer}}
	return s, s.fetcher(t)
}

func yachtOrigin(t testing.TB) (o Origin, archive []byte) {
	t.Helper()
	o = expect.Must(Lookup(set))
	return o, pack(t, o.Files[0], made["yacht"])
}

// checkFetched reports an error unless the file in the folder is the data set, and nothing else is
// there.
func checkFetched(t *testing.T, f *Fetcher, name string) {
	t.Helper()
	table := expect.Must(read.Dataset(t.Context(), name, f.Dir, data.Sound, 0, read.Options{}))
	if table.Difference != "" {
		t.Error(table.Difference)
	}
	checkSameTable(t, table, made[strings.TrimPrefix(name, "made-")])
	checkFolder(t, f, name+".csv")
}

// checkFolder reports an error unless the folder has exactly the wanted files.
func checkFolder(t *testing.T, f *Fetcher, want ...string) {
	t.Helper()
	var got []string
	entries, err := os.ReadDir(f.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
}

// checkFetchFails reports an error unless fetching the set fails for the given reason. It returns the error of Fetch.
func checkFetchFails(t *testing.T, f *Fetcher, why string) error {
	t.Helper()
	_, err := f.Fetch(t.Context(), set)
	expect.Error(t, err, why)
	return err
}

// Every set is fetched from its addresses as they are, the second where the first has
// nothing, and stays as it is the next time, without a connection.
func TestFetch(t *testing.T) {
	for _, o := range benchmarks() {
		for _, file := range o.Files {
			s := &site{files: map[string]http.HandlerFunc{file.URL: serveContent(pack(t, file, made[o.Name]))}}
			f := s.fetcher(t)
			r, err := f.Fetch(t.Context(), "made-"+o.Name)
			if err != nil {
				t.Errorf("%s: %v", file.URL, err)
				continue
			}
			known := o.Name != "superconduct" && o.Name != "year"
			if want := (Result{"made-" + o.Name, filepath.Join(f.Dir, "made-"+o.Name+".csv"), madeRows, r.Features, file.URL, true, known}); r != want {
				t.Errorf("%+v, want %+v", r, want)
			}
			checkFetched(t, f, "made-"+o.Name)
			asked := s.asked()
			r, err = f.Fetch(t.Context(), "made-"+o.Name)
			if err != nil || r.Written || !slices.Equal(s.asked(), asked) {
				t.Errorf("%s again: %+v, %v, asked for %v", file.URL, r, err, s.asked()[len(asked):])
			}
		}
	}
}

func TestFetchNowhere(t *testing.T) {
	f := (&site{}).fetcher(t)
	err := checkFetchFails(t, f, `243/yacht+hydrodynamics.zip: the server says "404 Not Found"`)
	var gone *Failure
	if !errors.As(err, &gone) || gone.Page != "https://archive.ics.uci.edu/dataset/243" || gone.File != "yacht_hydrodynamics.data" || len(gone.Errs) != 2 {
		t.Errorf("%+v", gone)
	}
	checkFolder(t, f)
}

// A connection that breaks is made again.
func TestFetchTriesAgain(t *testing.T) {
	o, archive := yachtOrigin(t)
	url := o.Files[0].URL
	s := &site{files: map[string]http.HandlerFunc{url: serveInterrupted(archive, 100, 2)}}
	f := s.fetcher(t)
	var failures []string
	f.Report = func(e Event) {
		if e.Err != nil {
			failures = append(failures, e.Err.Error())
		} else if e.Total != int64(len(archive)) {
			t.Errorf("%d bytes in all, want %d", e.Total, len(archive))
		}
	}
	expect.Must(f.Fetch(t.Context(), set))
	checkFetched(t, f, set)
	if want := []string{url, url, url}; !slices.Equal(s.asked(), want) || !slices.Equal(failures, []string{"unexpected EOF", "unexpected EOF"}) {
		t.Errorf("asked for %v, want %v; told %q", s.asked(), want, failures)
	}
	s.files[url] = serveInterrupted(archive, 50, 3)
	f.Replace = true
	expect.NoError(t, os.Remove(filepath.Join(f.Dir, set+".csv")))
	checkFetchFails(t, f, "unexpected EOF")
	checkFolder(t, f)
}

// An interrupted download leaves nothing.
func TestFetchInterrupted(t *testing.T) {
	_, archive := yachtOrigin(t)
	_, f := serveYacht(t, serveContent(archive))
	ctx, cancel := context.WithCancel(t.Context())
	f.Report = func(e Event) { cancel() }
	if _, err := f.Fetch(ctx, set); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	checkFolder(t, f)
}

func TestFetchStalls(t *testing.T) {
	o, archive := yachtOrigin(t)
	stall := func(w http.ResponseWriter, r *http.Request) {
		w.Write(archive[:10])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	s := &site{files: map[string]http.HandlerFunc{o.Files[0].URL: stall, o.Files[1].URL: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }}}
	f := s.fetcher(t)
	f.StallTimeout = 50 * time.Millisecond
	err := checkFetchFails(t, f, "yacht+hydrodynamics.zip: no data arrived for 50ms")
	if !strings.Contains(err.Error(), "yacht_hydrodynamics.data: no data arrived for 50ms") {
		t.Error(err)
	}
	f.StallTimeout, f.Timeout, f.Tries = time.Minute, 50*time.Millisecond, 100
	checkFetchFails(t, f, "the download took more than 50ms")
}

func TestFetchServerFails(t *testing.T) {
	_, archive := yachtOrigin(t)
	answer := func(status int) http.HandlerFunc {
		times := 1
		return func(w http.ResponseWriter, r *http.Request) {
			if times--; times < 0 {
				serveContent(archive)(w, r)
				return
			}
			w.WriteHeader(status)
		}
	}
	for _, test := range []struct {
		status int
		why    string // "": the second try succeeds
	}{
		{500, ""}, {503, ""}, {429, ""},
		{403, `the server says "403 Forbidden"`}, {204, `the server says "204 No Content"`},
	} {
		_, f := serveYacht(t, answer(test.status))
		if test.why != "" {
			checkFetchFails(t, f, test.why)
			checkFolder(t, f)
		} else if _, err := f.Fetch(t.Context(), set); err != nil {
			t.Errorf("%d: %v", test.status, err)
		} else {
			checkFetched(t, f, set)
		}
	}
}

// Redirects are followed to HTTPS alone.
func TestFetchRedirects(t *testing.T) {
	o, archive := yachtOrigin(t)
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, address, http.StatusFound) }
	}
	const elsewhere = "https://elsewhere.example/yacht.zip"
	s := &site{files: map[string]http.HandlerFunc{o.Files[0].URL: to(elsewhere), elsewhere: serveContent(archive)}}
	f := s.fetcher(t)
	if _, err := f.Fetch(t.Context(), set); err != nil {
		t.Error(err)
	}
	checkFetched(t, f, set)
	for address, why := range map[string]string{
		"http://elsewhere.example/yacht.zip": "it redirects to http://elsewhere.example/yacht.zip, and only HTTPS is followed",
		"file:///etc/passwd":                 "only HTTPS is followed",
		o.Files[0].URL:                       "it redirects more than 10 times",
	} {
		s, f := serveYacht(t, to(address))
		checkFetchFails(t, f, why)
		if n := len(s.asked()); n > 12 {
			t.Errorf("%s was asked for %d times", address, n)
		}
		checkFolder(t, f)
	}
}

func TestFetchUntrusted(t *testing.T) {
	_, archive := yachtOrigin(t)
	_, f := serveYacht(t, serveContent(archive))
	f.Transport.(*http.Transport).TLSClientConfig.RootCAs = x509.NewCertPool()
	checkFetchFails(t, f, "certificate")
	checkFolder(t, f)
}

// What comes and is not the data set is not written.
func TestFetchWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	o, archive := yachtOrigin(t)
	file := o.Files[0]
	table := packTable(t, file, made["yacht"])
	line, _, _ := bytes.Cut(table, []byte("\n"))
	broken := slices.Clone(archive)
	broken[len(archive)/2] ^= 1
	huge := make([]byte, 33<<20)
	for name, test := range map[string]struct {
		came []byte
		why  string
	}{
		"nothing":        {nil, "the file is empty"},
		"a page":         {[]byte("<!DOCTYPE html><html>moved</html>"), "it is a web page, not data"},
		"other numbers":  {bytes.Replace(table, []byte("1.4142135623730951"), []byte("1.4142135623731"), 1), "its numbers differ from made-yacht"},
		"fewer samples":  {line, "it has 1 samples; made-yacht has 12"},
		"more samples":   {slices.Concat(table, line, line), "it has more than the 12 samples"},
		"fewer columns":  {[]byte("1 2 3\n"), "line 1 has 3 fields; want 7"},
		"more columns":   {[]byte("1 2 3 4 5 6 7 8\n"), "line 1 has 8 fields; want 7"},
		"text":           {[]byte("1 2 3 4 x 6 7\n"), `line 1, field 5 (length_beam_ratio): "x" is not a finite number`},
		"not finite":     {[]byte("1 2 3 4 Inf 6 7\n"), `"Inf" is not a finite number`},
		"a broken zip":   {broken, ""},
		"half a zip":     {archive[:len(archive)/2], "the archive is broken"},
		"no such member": {zipArchive(t, member{"Readme", nil}, member{"yacht.data", table}), `the archive has no file yacht_hydrodynamics.data; it has "Readme", "yacht.data"`},
		"two members":    {zipArchive(t, member{"a/yacht_hydrodynamics.data", table}, member{"b/yacht_hydrodynamics.data", table}), "the archive has two files"},
		"a zip bomb":     {zipArchive(t, member{"yacht_hydrodynamics.data", huge}), "more than 1024 KiB"}, // one line,
		"a lying bomb":   {zipWithFalseSize(t, "yacht_hydrodynamics.data", huge), ""},
		"a gzip bomb":    {gzipFile(huge), "more than 1024 KiB"}, // one line
		"a slow bomb":    {gzipFile(bytes.Repeat([]byte("\n"), 33<<20)), "is too large: it has more bytes"},
		"a tar bomb":     {tarArchive(t, member{"other", huge}, member{"yacht_hydrodynamics.data", table}), "is too large: it has more bytes"},
		"many members":   {zipWithManyFiles(t, 10_001), "the archive has more than 10000 files"},
		"a long name":    {zipArchive(t, membersWithLongNames()...), "a directory of more than 4 MiB"},
		"a long line":    {bytes.Repeat([]byte("1 "), 1<<20), "line 1 has more than 1024 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, f := serveYacht(t, serveContent(test.came))
			checkFetchFails(t, f, test.why)
			checkFolder(t, f)
			if entries, err := os.ReadDir(filepath.Dir(f.Dir)); err != nil || len(entries) != 1 {
				t.Errorf("beside the folder there are %v, %v", entries, err)
			}
		})
	}
}

// zipWithFalseSize returns a zip archive with a member whose header claims that it has 100 bytes.
func zipWithFalseSize(t *testing.T, name string, b []byte) []byte {
	t.Helper()
	packed := gzipFile(b)
	packed = packed[10 : len(packed)-8] // without gzip's head and tail
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w := expect.Must(z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(b), CompressedSize64: uint64(len(packed)), UncompressedSize64: 100}))
	expect.Must(w.Write(packed))
	expect.NoError(t, z.Close())
	return out.Bytes()
}

func gzipFile(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func zipWithManyFiles(t *testing.T, n int) []byte {
	var members []member
	for i := range n {
		members = append(members, member{fmt.Sprint(i), nil})
	}
	return zipArchive(t, members...)
}

func membersWithLongNames() []member {
	var members []member
	for i := range 100 {
		members = append(members, member{fmt.Sprint(i, strings.Repeat("x", 60_000)), nil})
	}
	return members
}

// No more is downloaded than a table can need, whether or not its length is said.
func TestFetchEndless(t *testing.T) {
	o, _ := yachtOrigin(t)
	for _, length := range []string{"", "1000000000000"} {
		s := &site{files: map[string]http.HandlerFunc{o.Files[0].URL: func(w http.ResponseWriter, _ *http.Request) {
			if length != "" {
				w.Header().Set("Content-Length", length)
			}
			for block := make([]byte, 1<<16); ; {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}}}
		f := s.fetcher(t)
		checkFetchFails(t, f, "is too large: it has more bytes, want at most 33554432")
		checkFolder(t, f)
	}
}

// A file that is there is replaced only if it is not the data set, and that is asked
// for.
func TestFetchReplaces(t *testing.T) {
	o, archive := yachtOrigin(t)
	s, f := serveYacht(t, serveContent(archive))
	path := filepath.Join(f.Dir, set+".csv")
	writeText := func(text string) {
		t.Helper()
		expect.NoError(t, errors.Join(os.MkdirAll(f.Dir, 0o777), os.WriteFile(path, []byte(text), 0o666)))
	}
	var csv bytes.Buffer
	expect.NoError(t, write.Table(t.Context(), &csv, made["yacht"], write.CSV))
	for _, bad := range []string{"", "a,b\n1,2\n", strings.Replace(csv.String(), "1.414", "1.415", 1)} {
		writeText(bad)
		f.Replace = false
		if err := checkFetchFails(t, f, "is not made-yacht"); !errors.Is(err, ErrDiffers) || len(s.asked()) > 0 {
			t.Errorf("%v; asked for %v", err, s.asked())
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != bad {
			t.Errorf("%q has become %q, %v", bad, now, err)
		}
		f.Replace = true
		if r, err := f.Fetch(t.Context(), set); err != nil || !r.Written {
			t.Errorf("%+v, %v", r, err)
		}
		checkFetched(t, f, set)
		s.log = nil
	}
	writeText(strings.ReplaceAll(csv.String(), ",", ";")) // the same in another dialect
	if r, err := f.Fetch(t.Context(), set); err != nil || r.Written || len(s.asked()) > 0 {
		t.Errorf("%+v, %v; asked for %v", r, err, s.asked())
	}

	s.files[o.Files[0].URL] = serveContent([]byte("1 2 3\n"))
	writeText("a,b\n1,2\n") // stays where nothing better is to be had
	checkFetchFails(t, f, "could not be fetched")
	if now, err := os.ReadFile(path); err != nil || string(now) != "a,b\n1,2\n" {
		t.Errorf("%q, %v", now, err)
	}
}

// Of a set without a fingerprint, a file of the right shape is left alone, but for
// one that is asked for and brings others.
func TestFetchUnproven(t *testing.T) {
	const set = "made-superconduct"
	o := expect.Must(Lookup(set))
	s := &site{files: map[string]http.HandlerFunc{o.Files[0].URL: serveContent(pack(t, o.Files[0], made["superconduct"]))}}
	f := s.fetcher(t)
	for i, want := range []struct {
		replace, other, written bool
	}{{false, false, true}, {false, false, false}, {true, false, false}, {false, true, false}, {true, true, true}} {
		path := filepath.Join(f.Dir, set+".csv")
		if want.other {
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, bytes.Replace(text, []byte("1.414"), []byte("1.415"), 1), 0o666)
			}
			expect.NoError(t, err)
		}
		f.Replace = want.replace
		if r, err := f.Fetch(t.Context(), set); err != nil || r.Written != want.written || r.Verified {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
	}
	checkFetched(t, f, set)
}

// Two that fetch a data set at once both have it in the end.
func TestFetchByTwo(t *testing.T) {
	_, archive := yachtOrigin(t)
	_, f := serveYacht(t, serveContent(archive))
	other := *f
	f.Report = func(e Event) { // the other fetches the whole set meanwhile
		f.Report = nil
		if r, err := other.Fetch(t.Context(), set); err != nil || !r.Written {
			t.Errorf("%+v, %v", r, err)
		}
	}
	r, err := f.Fetch(t.Context(), set)
	if err != nil || r.Written || r.Path != filepath.Join(f.Dir, set+".csv") {
		t.Errorf("%+v, %v", r, err)
	}
	checkFetched(t, f, set)
}

// What was downloaded by hand is taken as it comes: the archive, or the table's file.
func TestImport(t *testing.T) {
	for _, o := range benchmarks() {
		for _, file := range o.Files {
			for _, b := range [][]byte{pack(t, file, made[o.Name]), packTable(t, file, made[o.Name])} {
				f := &Fetcher{Dir: t.TempDir()}
				r, err := f.Import(t.Context(), "made-"+o.Name, bytes.NewReader(b), int64(len(b)))
				if err != nil || !r.Written || r.From != "" {
					t.Errorf("%s: %+v, %v", file.URL, r, err)
					continue
				}
				checkFetched(t, f, "made-"+o.Name)
			}
		}
	}
	f := &Fetcher{Dir: t.TempDir()}
	b := []byte("1,2,3\n")
	_, err := f.Import(t.Context(), "made-boston", bytes.NewReader(b), int64(len(b)))
	for _, want := range []string{"this is not made-boston as its archives have it", "as boston: it has 0 samples", "as housing.data: line 1 has 1 fields"} {
		expect.Error(t, err, want)
	}
	checkFolder(t, f)
}

// FuzzConvert reads whatever comes for a data set: it ends, within its bounds, in an
// error or in the table that is known.
func FuzzConvert(f *testing.F) {
	var files []File
	var sets []data.Dataset
	for _, o := range benchmarks() {
		d := expect.Must(data.Lookup("made-" + o.Name))
		for _, file := range o.Files {
			file.MaxSize = 1 << 20
			f.Add(uint8(len(files)), pack(f, file, made[o.Name]))
			f.Add(uint8(len(files)), packTable(f, file, made[o.Name]))
			files, sets = append(files, file), append(sets, d)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		i := int(which) % len(files)
		table, err := files[i].convert(t.Context(), sets[i], bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		if sum, err := table.Checksum(t.Context()); err != nil || sets[i].Checksum != "" && sum != sets[i].Checksum || table.Rows() != madeRows {
			t.Errorf("%s: a table of %d rows is taken, %v", sets[i].Name, table.Rows(), err)
		}
		if err := write.Table(t.Context(), io.Discard, table, write.CSV); err != nil {
			t.Error(err)
		}
	})
}
