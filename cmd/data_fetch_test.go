package cmd

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/data"
	"sml/data/fetch"
)

// mainWithSite is the program with a data set more, tiny, in a world whose hosts are
// the folders of the folder site.
func mainWithSite() {
	tiny := data.Table{
		Columns: []string{"a", "b"}, X: []float64{10, 100, 20, 200.5, 30, 300, 40, -400},
		Targets: []string{"y"}, Y: []float64{1, 2, 3, 4},
	}
	sum, err := tiny.Checksum(context.Background())
	if err != nil {
		os.Exit(1)
	}
	data.Register(data.Dataset{Name: "tiny", Rows: 4, Features: 2, Target: "y", Source: "a test", Licence: "none", Checksum: sum})
	fetch.Register(fetch.Origin{Name: "tiny", Page: "https://data.example/tiny", Files: []fetch.File{
		{URL: "https://data.example/tiny.data", Fields: []string{"y", "a", "", "b"}, Delimiter: ","},
		{URL: "https://old.example/tiny.data", Fields: []string{"y", "a", "", "b"}, Delimiter: ","},
	}})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join("site", r.Host, filepath.FromSlash(r.URL.Path))
		if to, err := os.ReadFile(path + ".moved"); err == nil {
			http.Redirect(w, r, strings.TrimSpace(string(to)), http.StatusMovedPermanently)
			return
		}
		content, err := os.ReadFile(path)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Write(content)
	}))
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	os.Exit(runProcess(allCommands(fetch.Fetcher{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
		},
		TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: "example.com"}, // as the server's certificate has it
	}})))
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// An interrupted fetch ends, with all that was to follow.
func TestInterruptedFetch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	f := fetch.Fetcher{Transport: transport(func(r *http.Request) (*http.Response, error) {
		asked++
		cancel()
		<-r.Context().Done()
		return nil, r.Context().Err()
	})}
	var out, errOut bytes.Buffer
	code := call{
		commands: allCommands(f),
		args:     []string{"sml", "data", "fetch", "all", "--data-dir", t.TempDir()},
		out:      &out,
		errOut:   &errOut,
	}.run(ctx)
	if code != exitInterrupted || errOut.String() != "sml: interrupted\n" || out.Len() > 0 || asked != 1 {
		t.Errorf("code %d, %q, %q, asked %d times", code, &out, &errOut, asked)
	}
}
