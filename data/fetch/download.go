package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"time"

	"sml/internal/safefile"
)

const maxRedirects = 10 // as in browsers and in package http

// Event is the progress of a download. When a file is complete and its conversion begins, the last
// Event has Done equal to Total.
type Event struct {
	Name  string // name of the data set
	URL   string // address of the file
	Done  int64  // bytes received
	Total int64  // bytes of the file; −1 if the server does not say

	Err  error         // reason why a try failed and another try follows; nil if the download goes on
	Wait time.Duration // time before the next try, if Err is not nil
}

// client returns an HTTP client that follows redirects only to HTTPS.
func (f *Fetcher) client() *http.Client {
	return &http.Client{
		Transport: f.Transport,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			switch {
			case r.URL.Scheme != "https":
				return permanentError{fmt.Errorf("it redirects to %s, and only HTTPS is followed", r.URL.Redacted())}
			case len(via) == maxRedirects:
				return permanentError{fmt.Errorf("it redirects more than %d times", maxRedirects)}
			}
			return nil
		},
	}
}

// permanentError is an error after which another try would fail in the same way.
type permanentError struct{ error }

// isPermanent reports whether another try would end in the same error: a permanentError, a file that is too large or
// cannot be written, an invalid certificate, or a host that does not exist.
func isPermanent(err error) bool {
	var permanent permanentError
	var file *fs.PathError
	var certificate *tls.CertificateVerificationError
	var lookup *net.DNSError
	isUnknownHost := errors.As(err, &lookup) && lookup.IsNotFound
	return errors.As(err, &permanent) || errors.As(err, &file) || errors.As(err, &certificate) || isUnknownHost ||
		errors.Is(err, safefile.ErrTooLarge)
}

// download writes the file of an archive to received, in several tries if necessary, with longer and longer waits between
// them. It reports each failed try and the complete file, and returns its size in bytes. set is the name of the data set.
// It returns an error if the last try fails, if a try shows that others would fail as well, or if the time is over.
func (f *Fetcher) download(ctx context.Context, set string, source File, received *os.File) (size int64, err error) {
	timeout := cmp.Or(f.Timeout, 2*time.Hour)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the download took more than %v", timeout))
	defer cancel()
	client := f.client()
	wait := cmp.Or(f.Wait, time.Second)
	for triesLeft := cmp.Or(f.Tries, 5); ; triesLeft-- {
		size, err := f.tryDownload(ctx, client, set, source, received)
		if err == nil {
			f.report(Event{Name: set, URL: source.URL, Done: size, Total: size})
			return size, nil
		}
		var request *url.Error // adds the address, which the caller reports
		if errors.As(err, &request) {
			err = request.Err
		}
		if ctx.Err() != nil || isPermanent(err) || triesLeft == 1 {
			return 0, cmp.Or(context.Cause(ctx), err)
		}
		f.report(Event{Name: set, URL: source.URL, Total: -1, Err: err, Wait: wait})
		select {
		case <-time.After(wait):
			wait *= 2
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// tryDownload sends one request for a file and writes the answer to received, in place of what an earlier try has
// written. It reports the progress and returns the size of the file. It returns an error if no byte arrives for the stall
// timeout: a watchdog, which each byte resets, then cancels the request.
func (f *Fetcher) tryDownload(ctx context.Context, client *http.Client, set string, source File, received *os.File) (size int64, err error) {
	stallTimeout := cmp.Or(f.StallTimeout, time.Minute)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := fmt.Errorf("no data arrived for %v", stallTimeout)
	watchdog := time.AfterFunc(stallTimeout, func() { cancel(stalled) })
	defer watchdog.Stop()

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source.URL, nil)
	if err != nil {
		return 0, permanentError{err}
	}
	request.Header.Set("User-Agent", "sml data fetch")
	answer, err := client.Do(request)
	if err != nil {
		return 0, cmp.Or(context.Cause(ctx), err)
	}
	defer answer.Body.Close()
	if err := checkAnswer(answer); err != nil {
		return 0, err
	}
	if _, err := received.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	if err := received.Truncate(0); err != nil {
		return 0, err
	}
	reportBytes := func(n int) {
		size += int64(n)
		watchdog.Reset(stallTimeout)
		f.report(Event{Name: set, URL: source.URL, Done: size, Total: answer.ContentLength})
	}
	_, err = io.Copy(received, &watchedReader{source.limitSize(answer.Body), reportBytes})
	return size, cmp.Or(context.Cause(ctx), err) // the body of a cancelled request may end without an error
}

// watchedReader reads from a reader and calls afterRead with the number of bytes after each read.
type watchedReader struct {
	io.Reader
	afterRead func(n int)
}

// Read reads as io.Reader specifies.
func (w *watchedReader) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	w.afterRead(n)
	return n, err
}

// temporaryStatuses are statuses below 500 after which a later request may succeed.
var temporaryStatuses = []int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}

// checkAnswer returns an error, permanent or not, for an answer that is not the file.
func checkAnswer(answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	err := fmt.Errorf("the server says %q", answer.Status)
	if answer.StatusCode >= 500 || slices.Contains(temporaryStatuses, answer.StatusCode) {
		return err
	}
	return permanentError{err}
}

// report passes an event to Fetcher.Report.
func (f *Fetcher) report(e Event) {
	if f.Report != nil {
		f.Report(e)
	}
}
