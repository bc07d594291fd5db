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
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	// maxServerWait is the longest wait that a server may ask for before the download fails.
	maxServerWait = 2 * time.Minute

	maxRedirects = 10 // as in browsers and in package http
)

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

// Unwrap returns the error itself.
func (e permanentError) Unwrap() error { return e.error }

// isPermanent reports whether another try would end in the same error: a permanentError, a file that cannot be written, an
// invalid certificate, or a host that does not exist.
func isPermanent(err error) bool {
	var permanent permanentError
	var file *fs.PathError
	var certificate *tls.CertificateVerificationError
	var lookup *net.DNSError
	isUnknownHost := errors.As(err, &lookup) && lookup.IsNotFound
	return errors.As(err, &permanent) || errors.As(err, &file) || errors.As(err, &certificate) || isUnknownHost
}

// download writes the file of an archive to received, in several tries if necessary, with longer and longer waits between
// them. It reports each failed try and the complete file, and returns its size in bytes. set is the name of the data set.
// It returns an error if the last try fails, if a try shows that others would fail as well, or if the time is over.
func (f *Fetcher) download(ctx context.Context, set string, source File, received *os.File) (size int64, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, f.timeout(), fmt.Errorf("the download took more than %v", f.timeout()))
	defer cancel()
	client := f.client()
	try := func() (int64, error) {
		size, err := f.tryDownload(ctx, client, set, source, received)
		switch {
		case err != nil && ctx.Err() != nil:
			err = backoff.Permanent(context.Cause(ctx))
		case err != nil && isPermanent(err):
			err = backoff.Permanent(err)
		}
		return size, err
	}
	reportFailure := func(err error, wait time.Duration) {
		f.report(Event{Name: set, URL: source.URL, Total: -1, Err: cause(err), Wait: wait})
	}
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = f.firstWait()
	const noLimit = 0 // ctx limits the time
	size, err = backoff.Retry(ctx, try,
		backoff.WithBackOff(waits),
		backoff.WithMaxTries(uint(f.maxTries())),
		backoff.WithMaxElapsedTime(noLimit),
		backoff.WithNotify(reportFailure))
	if err != nil {
		return 0, cause(err)
	}
	f.report(Event{Name: set, URL: source.URL, Done: size, Total: size})
	return size, nil
}

// cause returns the reason that err wraps, without the address and the number of tries, which the
// caller reports.
func cause(err error) error {
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	var retryAfter *backoff.RetryAfterError
	if errors.As(err, &retryAfter) {
		return fmt.Errorf("the server asks to wait %v", retryAfter.Duration)
	}
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	return err
}

// tryDownload sends one request for a file and writes the answer to received, in place of what an earlier try has
// written. It reports the progress and returns the size of the file. It returns an error if no byte arrives for the stall
// timeout: a watchdog, which each byte resets, then cancels the request.
func (f *Fetcher) tryDownload(ctx context.Context, client *http.Client, set string, source File, received *os.File) (size int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := fmt.Errorf("no data arrived for %v", f.stallTimeout())
	watchdog := time.AfterFunc(f.stallTimeout(), func() { cancel(stalled) })
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
	if err := checkAnswer(answer, source); err != nil {
		return 0, err
	}
	if err := errors.Join(received.Truncate(0), rewind(received)); err != nil {
		return 0, err
	}
	reportBytes := func(n int) {
		size += int64(n)
		watchdog.Reset(f.stallTimeout())
		f.report(Event{Name: set, URL: source.URL, Done: size, Total: answer.ContentLength})
	}
	_, err = io.Copy(received, &watchedReader{source.limitSize(answer.Body), reportBytes})
	return size, cmp.Or(context.Cause(ctx), err) // the body of a cancelled request may end without an error
}

// rewind moves to the beginning of a file.
func rewind(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
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

// checkAnswer returns an error, permanent or not, for an answer that is not the file, or is longer than a file with the
// table can be.
func checkAnswer(answer *http.Response, source File) error {
	switch {
	case answer.StatusCode == http.StatusOK && answer.ContentLength > source.maxSize():
		return source.tooLargeError()
	case answer.StatusCode == http.StatusOK:
		return nil
	case answer.StatusCode >= 500, slices.Contains(temporaryStatuses, answer.StatusCode):
		return retryLater(answer)
	}
	return permanentError{fmt.Errorf("the server says %q", answer.Status)}
}

// temporaryStatuses are statuses below 500 after which a later request may succeed.
var temporaryStatuses = []int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}

// retryLater returns the error for an answer after which a later request may succeed. If the server asks
// for a wait, the error tells backoff.Retry to wait so long, or is permanent if that is too long.
func retryLater(answer *http.Response) error {
	err := fmt.Errorf("the server says %q", answer.Status)
	seconds, ok := retryAfter(answer.Header)
	switch {
	case !ok: // the wait follows from the number of tries
		return err
	case seconds > int(maxServerWait/time.Second):
		return permanentError{fmt.Errorf("%w, and to come back in %v", err, time.Duration(seconds)*time.Second)}
	}
	return backoff.RetryAfter(seconds)
}

// retryAfter returns the number of seconds to wait by a Retry-After header, which has a number of seconds
// or a time. ok is false if the header is missing or invalid.
func retryAfter(h http.Header) (seconds int, ok bool) {
	text := h.Get("Retry-After")
	seconds, err := strconv.Atoi(text)
	if err == nil {
		return seconds, seconds >= 0
	}
	t, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	seconds = int(time.Until(t)/time.Second) + 1 // rounded up
	return seconds, seconds >= 0
}

// maxTries, firstWait, stallTimeout and timeout return the settings of the Fetcher or their defaults.
func (f *Fetcher) maxTries() int               { return cmp.Or(f.Tries, 5) }
func (f *Fetcher) firstWait() time.Duration    { return cmp.Or(f.Wait, time.Second) }
func (f *Fetcher) stallTimeout() time.Duration { return cmp.Or(f.StallTimeout, time.Minute) }
func (f *Fetcher) timeout() time.Duration      { return cmp.Or(f.Timeout, 2*time.Hour) }

// report passes an event to Fetcher.Report.
func (f *Fetcher) report(e Event) {
	if f.Report != nil {
		f.Report(e)
	}
}
