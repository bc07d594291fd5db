//go:build browser

// These tests look at a page in headless Chromium:
//
//	go test -tags browser -run Browser ./evaluation/report
//
// They skip where there is none. TestPageIsSelfContained shows that the page asks no other server for anything.
package report

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sml/internal/expect"
)

// A window of Chromium is not narrower than 500 pixels, so the page stands in
// a frame of the tested width. The script says what the frame shows: widths,
// numbers of tables, of figures, of elements that reach over an edge, and of tables that scroll sideways,
// the number of texts in figures and the size of the smallest letters, and the filter of figures.
const frame = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body { margin: 0 } iframe { border: 0; display: block }</style>
<iframe src="/page" style="width: %[1]dpx; height: %[2]dpx" onload="
  const page = this.contentDocument, root = page.documentElement, all = selector => [...page.querySelectorAll(selector)]
  const hidden = all('body *').filter(e => !e.closest('.scroll') && !e.closest('.unseen') && !e.closest('defs') && e.getBoundingClientRect().right > root.clientWidth + 1)
  const scrolling = all('.table .scroll').filter(e => e.scrollWidth > e.clientWidth + 1)
  const figures = all('svg').filter(e => e.getBoundingClientRect().width > 0)
  const letters = all('svg text').map(g => {
    const m = g.getScreenCTM()
    return parseFloat(getComputedStyle(g).fontSize) * Math.hypot(m.c, m.d) })
  document.body.dataset.seen = [root.clientWidth, root.scrollWidth, all('table').length, figures.length, hidden.length, scrolling.length, letters.length, Math.min(...letters), getComputedStyle(figures[0]).filter.replaceAll(' ', '')].join(' ')
"></iframe>`

func TestBrowser(t *testing.T) {
	chromium := findChromium(t)
	text := writePage(t, inventedPage(t))
	for _, width := range []int{360, 390, 800, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d %s", width, scheme), func(t *testing.T) { lookAt(t, chromium, text, width, scheme) })
		}
	}
}

func lookAt(t *testing.T, chromium, text string, width int, scheme string) {
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, frame, width, 900)
		case "/page":
			io.WriteString(w, text)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()

	dom, messages := browse(t, chromium, scheme, server.URL, "--dump-dom", "--window-size=1300,900")

	if !slices.Equal(asked, []string{"/", "/page"}) {
		t.Errorf("the server was asked for %q; want the frame and the page once", asked)
	}
	for _, line := range strings.Split(messages, "\n") {
		if strings.Contains(line, ":CONSOLE") {
			t.Errorf("console: %s", line)
		}
	}
	var inner, outer, tables, images, hidden, scrolling, texts int
	var letters float64
	var filter string
	seen := regexp.MustCompile(`data-seen="([^"]*)"`).FindStringSubmatch(dom)
	if seen == nil {
		t.Fatalf("the page was not loaded; the frame is %.300s", dom)
	}
	expect.Must(fmt.Sscan(seen[1], &inner, &outer, &tables, &images, &hidden, &scrolling, &texts, &letters, &filter))
	if inner < width-20 || inner > width {
		t.Errorf("the page is %d pixels wide; want %d, less a scroll bar", inner, width)
	}
	if outer > inner || hidden > 0 {
		t.Errorf("the page needs %d pixels of %d, and %d elements reach over the edge; want only boxes to scroll", outer, inner, hidden)
	}
	if width < 500 && scrolling > 0 {
		t.Errorf("%d boxes scroll sideways; want none on a phone", scrolling)
	}
	if tables != 12 || images != 4 { // three of the tables are bars of the summary: rmse, ece and ws
		t.Errorf("%d tables and %d figures are shown; want 12 and 4", tables, images)
	}
	if texts < 50 || letters < 9 {
		t.Errorf("figures have %d texts, and letters %.1f pixels high", texts, letters)
	}
	if isInverted := strings.Contains(filter, "invert"); isInverted != (scheme == "dark") {
		t.Errorf("figures have the filter %s in %s mode", filter, scheme)
	}
}

// browse opens an address and returns the browser's output.
func browse(t *testing.T, chromium, scheme, url string, options ...string) (stdout, stderr string) {
	t.Helper()
	dark := 1
	if scheme == "dark" {
		dark = 0
	}
	arguments := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", // nothing leaves this machine
		"--user-data-dir=" + filepath.Join(t.TempDir(), "profile"), "--enable-logging=stderr", "--v=0",
		fmt.Sprintf("--blink-settings=preferredColorScheme=%d", dark), "--virtual-time-budget=2000",
	}, options...)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, chromium, append(arguments, url)...)
	var out, log strings.Builder
	command.Stdout, command.Stderr = &out, &log
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", chromium, err, log.String())
	}
	return out.String(), log.String()
}

func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium, chromium-browser, google-chrome or chrome on the path: the page is not looked at")
	return ""
}
