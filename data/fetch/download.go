package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	// maxServerWait is the longest wait that a server may ask for before the download fails.
	maxServerWait = 2 * time.Minute

	maxRedirects = 10
	bufferSize   = 1 << 16 // bytes that are read from the server at a time
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

// permanentError is an error of this package that another try would repeat.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// isPermanent reports whether another try would end in the same error: a permanentError, an invalid
// certificate, or a host that does not exist.
func isPermanent(err error) bool {
	var permanent permanentError
	var certificate *tls.CertificateVerificationError
	var lookup *net.DNSError
	return errors.As(err, &permanent) || errors.As(err, &certificate) || errors.As(err, &lookup) && lookup.IsNotFound
}

// download receives the missing rest of a file of the named data set, in several tries if
// necessary.
func (f *Fetcher) download(ctx context.Context, set string, from File, to *partial) error {
	ctx, cancel := context.WithTimeoutCause(ctx, f.timeout(), fmt.Errorf("it took more than %v", f.timeout()))
	defer cancel()
	client := f.client()
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = f.firstWait()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := f.tryDownload(ctx, client, set, from, to)
		switch {
		case err != nil && ctx.Err() != nil:
			err = backoff.Permanent(context.Cause(ctx))
		case err != nil && isPermanent(err):
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(uint(f.maxTries())), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			f.report(Event{Name: set, URL: from.URL, Done: to.received, Total: -1, Err: cause(err), Wait: wait})
		}))
	if err != nil {
		return cause(err)
	}
	f.report(Event{Name: set, URL: from.URL, Done: to.received, Total: to.received})
	return nil
}

// cause returns the reason in err without the address and the number of tries, which the caller
// reports.
func cause(err error) error {
	if p := (*backoff.PermanentError)(nil); errors.As(err, &p) {
		err = p.Unwrap()
	}
	if r := (*backoff.RetryAfterError)(nil); errors.As(err, &r) {
		return fmt.Errorf("the server asks to wait %v", r.Duration)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return err
}

// tryDownload sends one request for the missing rest of a file and appends the answer to the partial
// file. It fails if no byte arrives for the stall timeout.
func (f *Fetcher) tryDownload(ctx context.Context, client *http.Client, set string, from File, to *partial) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := fmt.Errorf("nothing came for %v", f.stallTimeout())
	watchdog := time.AfterFunc(f.stallTimeout(), func() { cancel(stalled) })
	defer watchdog.Stop()

	request, err := newRequest(ctx, from.URL, to)
	if err != nil {
		return permanentError{err}
	}
	answer, err := client.Do(request)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer answer.Body.Close()
	total, err := beginDownload(answer, from, to)
	isComplete := answer.StatusCode == http.StatusRequestedRangeNotSatisfiable // no byte is missing
	if err != nil || isComplete {
		return err
	}
	watchdog.Reset(f.stallTimeout())
	err = copyBody(to, answer.Body, from.maxSize(), func() {
		watchdog.Reset(f.stallTimeout())
		f.report(Event{Name: set, URL: from.URL, Done: to.received, Total: total})
	})
	if _, permanent := err.(permanentError); permanent {
		return err
	}
	// If the request was cancelled, the body may end without an error.
	if err := cmp.Or(context.Cause(ctx), err); err != nil {
		return err
	}
	if total >= 0 && to.received != total {
		return fmt.Errorf("%d bytes came, of %d: %w", to.received, total, io.ErrUnexpectedEOF)
	}
	return nil
}

// newRequest returns a request for the bytes of a file that the partial file lacks.
func newRequest(ctx context.Context, address string, to *partial) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "sml data fetch")
	request.Header.Set("Accept-Encoding", "identity") // ranges of a compressed answer are not ranges of the file
	if to.received > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", to.received))
		request.Header.Set("If-Range", to.label.Validator)
	}
	return request, nil
}

// copyBody appends the body of an answer to the partial file, and calls afterRead after each read.
// It returns a permanentError if the partial file would have more than maxSize bytes or cannot be
// written, and the error of the body otherwise.
func copyBody(to *partial, body io.Reader, maxSize int64, afterRead func()) error {
	buffer := make([]byte, bufferSize)
	for {
		n, readErr := body.Read(buffer)
		if to.received+int64(n) > maxSize {
			return permanentError{fmt.Errorf("it has more than %d MiB, which is more than its table can need", maxSize>>20)}
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return permanentError{err}
		}
		afterRead()
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// beginDownload prepares the partial file for the body of an answer, which is the whole file or its
// missing rest. It returns the size of the file, −1 if the answer does not say it.
func beginDownload(answer *http.Response, from File, to *partial) (total int64, err error) {
	encoding := answer.Header.Get("Content-Encoding")
	switch answer.StatusCode {
	case http.StatusOK:
		if encoding != "" && encoding != "identity" {
			return 0, permanentError{fmt.Errorf("it comes encoded as %.20q, which was not asked for", encoding)}
		}
		if err := to.restart(label{URL: from.URL, Validator: validator(answer.Header)}); err != nil {
			return 0, permanentError{err}
		}
		total = answer.ContentLength
	case http.StatusPartialContent:
		start, size, ok := contentRange(answer.Header.Get("Content-Range"))
		version := validator(answer.Header)
		changed := version != "" && version != to.label.Validator
		if !ok || start != to.received || to.received == 0 || changed {
			return 0, restartDownload(to, "it has other bytes than those asked for")
		}
		total = size
	case http.StatusRequestedRangeNotSatisfiable:
		if answer.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", to.received) {
			return 0, restartDownload(to, "there is less of it than came before")
		}
		total = to.received
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return 0, retryLater(answer)
	default:
		if answer.StatusCode >= 500 {
			return 0, retryLater(answer)
		}
		return 0, permanentError{fmt.Errorf("the server says %q", answer.Status)}
	}
	if total > from.maxSize() {
		return 0, permanentError{fmt.Errorf("it has %d MiB, which is more than its table can need (%d)", total>>20, from.maxSize()>>20)}
	}
	return total, nil
}

// restartDownload discards the received bytes, so that the next try asks for the whole file. It
// returns the reason as an error.
func restartDownload(to *partial, why string) error {
	if err := to.restart(label{URL: to.label.URL}); err != nil {
		return permanentError{err}
	}
	return errors.New(why)
}

// retryLater returns the error for a server that may answer a later request, with the wait that it
// asks for. The error is permanent if the wait is too long.
func retryLater(answer *http.Response) error {
	err := fmt.Errorf("the server says %q", answer.Status)
	seconds, ok := retryAfter(answer.Header)
	switch {
	case !ok:
		return err
	case seconds > int(maxServerWait/time.Second):
		return permanentError{fmt.Errorf("%w, and to come back in %v", err, time.Duration(seconds)*time.Second)}
	}
	return backoff.RetryAfter(seconds)
}

// retryAfter returns the seconds of a Retry-After header, which has a number of seconds or a time. ok
// is false if the header is missing or invalid.
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
	seconds = int(time.Until(t)/time.Second) + 1
	return seconds, seconds >= 0
}

// validator returns a text that the server changes whenever it changes the file: a strong ETag, or
// else the time of the last change. It returns "" if the server sends neither.
func validator(h http.Header) string {
	const (
		maxTagLength  = 1000
		maxTimeLength = 100
	)
	tag := h.Get("ETag")
	isWeak := strings.HasPrefix(tag, "W/") // equal for files that differ in some bytes
	if tag != "" && !isWeak && len(tag) < maxTagLength {
		return tag
	}
	if modified := h.Get("Last-Modified"); len(modified) < maxTimeLength {
		return modified
	}
	return ""
}

// contentRange parses a Content-Range header such as "bytes 100-199/200" into the first byte, 100,
// and the size of the file, 200. The size is −1 if the header has "*" for it.
func contentRange(text string) (start, size int64, ok bool) {
	text, ok = strings.CutPrefix(text, "bytes ")
	part, whole, cut := strings.Cut(text, "/")
	first, _, dash := strings.Cut(part, "-")
	start, err := strconv.ParseInt(first, 10, 64)
	if !ok || !cut || !dash || err != nil || start < 0 {
		return 0, 0, false
	}
	if whole == "*" {
		return start, -1, true
	}
	size, err = strconv.ParseInt(whole, 10, 64)
	return start, size, err == nil && size > start
}

// maxTries, firstWait, stallTimeout and timeout return the settings of the Fetcher or their defaults.
func (f *Fetcher) maxTries() int               { return cmp.Or(f.Tries, 5) }
func (f *Fetcher) firstWait() time.Duration    { return cmp.Or(f.Wait, time.Second) }
func (f *Fetcher) stallTimeout() time.Duration { return cmp.Or(f.StallTimeout, time.Minute) }
func (f *Fetcher) timeout() time.Duration      { return cmp.Or(f.Timeout, 2*time.Hour) }

// report passes an event to Fetcher.Tell.
func (f *Fetcher) report(e Event) {
	if f.Tell != nil {
		f.Tell(e)
	}
}
