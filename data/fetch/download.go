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

	maxRedirects = 10      // as in browsers and in package http
	bufferSize   = 1 << 16 // maximum number of bytes read from the server at a time
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

// isPermanent reports whether another try would end in the same error: a permanentError, an invalid
// certificate, or a host that does not exist.
func isPermanent(err error) bool {
	var permanent permanentError
	var certificate *tls.CertificateVerificationError
	var lookup *net.DNSError
	isUnknownHost := errors.As(err, &lookup) && lookup.IsNotFound
	return errors.As(err, &permanent) || errors.As(err, &certificate) || isUnknownHost
}

// download receives the bytes of a file that the partial file lacks, in several tries if necessary, with
// longer and longer waits between them. It reports each failed try and the complete file. set is the
// name of the data set. It returns an error if the last try fails, if a try shows that others would
// fail as well, or if the time is over.
func (f *Fetcher) download(ctx context.Context, set string, source File, partial *partialFile) error {
	ctx, cancel := context.WithTimeoutCause(ctx, f.timeout(), fmt.Errorf("the download took more than %v", f.timeout()))
	defer cancel()
	client := f.client()
	try := func() (struct{}, error) { // backoff.Retry requires a result
		err := f.tryDownload(ctx, client, set, source, partial)
		switch {
		case err != nil && ctx.Err() != nil:
			err = backoff.Permanent(context.Cause(ctx))
		case err != nil && isPermanent(err):
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}
	reportFailure := func(err error, wait time.Duration) {
		f.report(Event{Name: set, URL: source.URL, Done: partial.received, Total: -1, Err: cause(err), Wait: wait})
	}
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = f.firstWait()
	const noLimit = 0 // ctx limits the time
	_, err := backoff.Retry(ctx, try,
		backoff.WithBackOff(waits),
		backoff.WithMaxTries(uint(f.maxTries())),
		backoff.WithMaxElapsedTime(noLimit),
		backoff.WithNotify(reportFailure))
	if err != nil {
		return cause(err)
	}
	f.report(Event{Name: set, URL: source.URL, Done: partial.received, Total: partial.received})
	return nil
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

// tryDownload sends one request for the bytes of a file that the partial file lacks, appends the answer
// to the partial file and reports the progress. It returns an error if no byte arrives for the stall
// timeout: a watchdog, which each byte resets, then cancels the request.
func (f *Fetcher) tryDownload(ctx context.Context, client *http.Client, set string, source File, partial *partialFile) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := fmt.Errorf("no data arrived for %v", f.stallTimeout())
	watchdog := time.AfterFunc(f.stallTimeout(), func() { cancel(stalled) })
	defer watchdog.Stop()

	request, err := newRequest(ctx, source.URL, partial)
	if err != nil {
		return permanentError{err}
	}
	answer, err := client.Do(request)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer answer.Body.Close()
	total, err := beginDownload(answer, source, partial)
	isComplete := answer.StatusCode == http.StatusRequestedRangeNotSatisfiable // no byte is missing
	if err != nil || isComplete {
		return err
	}
	watchdog.Reset(f.stallTimeout())
	err = copyBody(partial, answer.Body, source.maxSize(), func() {
		watchdog.Reset(f.stallTimeout())
		f.report(Event{Name: set, URL: source.URL, Done: partial.received, Total: total})
	})
	if _, isPermanent := err.(permanentError); isPermanent {
		return err
	}
	// If the request was cancelled, the body may end without an error, and its error says less.
	if err := cmp.Or(context.Cause(ctx), err); err != nil {
		return err
	}
	if total >= 0 && partial.received != total {
		return fmt.Errorf("received %d of %d bytes: %w", partial.received, total, io.ErrUnexpectedEOF)
	}
	return nil
}

// newRequest returns a request for the bytes of the file at address that the partial file lacks. If-Range
// makes the server send the whole file if it has changed since the first bytes came.
func newRequest(ctx context.Context, address string, partial *partialFile) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "sml data fetch")
	request.Header.Set("Accept-Encoding", "identity") // ranges of a compressed answer are not ranges of the file
	if partial.received > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", partial.received))
		request.Header.Set("If-Range", partial.label.Validator)
	}
	return request, nil
}

// copyBody appends the body of an answer to the partial file, and calls afterRead after each read.
// It returns a permanentError if the partial file would have more than maxSize bytes or cannot be
// written, and otherwise the error of the body, nil at its end.
func copyBody(partial *partialFile, body io.Reader, maxSize int64, afterRead func()) error {
	buffer := make([]byte, bufferSize)
	for {
		n, readErr := body.Read(buffer)
		if partial.received+int64(n) > maxSize {
			return permanentError{fmt.Errorf("it has more than %d MiB, which is more than its table can need", maxSize>>20)}
		}
		if _, err := partial.Write(buffer[:n]); err != nil {
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

// beginDownload prepares the partial file for the body of an answer, which is the whole file or the
// requested rest. It returns the size of the file in bytes, −1 if the answer does not say it. It
// returns an error, permanent or not, for any other answer. See RFC 9110, section 14, on ranges.
func beginDownload(answer *http.Response, source File, partial *partialFile) (total int64, err error) {
	encoding := answer.Header.Get("Content-Encoding")
	switch answer.StatusCode {
	case http.StatusOK:
		if encoding != "" && encoding != "identity" {
			return 0, permanentError{fmt.Errorf("the server sends it encoded as %.20q; want it as it is", encoding)}
		}
		if err := partial.restart(label{URL: source.URL, Validator: validator(answer.Header)}); err != nil {
			return 0, permanentError{err}
		}
		total = answer.ContentLength
	case http.StatusPartialContent:
		start, size, ok := contentRange(answer.Header.Get("Content-Range"))
		version := validator(answer.Header)
		hasChanged := version != "" && version != partial.label.Validator
		isRequestedRange := ok && start == partial.received && partial.received > 0
		if !isRequestedRange || hasChanged {
			return 0, restartDownload(partial, "the server sends other bytes than the requested ones")
		}
		total = size
	case http.StatusRequestedRangeNotSatisfiable:
		if answer.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", partial.received) {
			return 0, restartDownload(partial, "the file on the server is shorter than the bytes received before")
		}
		total = partial.received
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return 0, retryLater(answer)
	default:
		if answer.StatusCode >= 500 {
			return 0, retryLater(answer)
		}
		return 0, permanentError{fmt.Errorf("the server says %q", answer.Status)}
	}
	if total > source.maxSize() {
		return 0, permanentError{fmt.Errorf("it has %d MiB, which is more than its table can need (%d)", total>>20, source.maxSize()>>20)}
	}
	return total, nil
}

// restartDownload discards the received bytes, so that the next try asks for the whole file. It
// returns the reason as an error.
func restartDownload(partial *partialFile, why string) error {
	if err := partial.restart(label{URL: partial.label.URL}); err != nil {
		return permanentError{err}
	}
	return errors.New(why)
}

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

// validator returns a text that the server changes whenever it changes the file: a strong ETag, or
// else the time of the last change. It returns "" if the server sends neither.
func validator(h http.Header) string {
	const ( // bytes; longer texts would not fit into a partial file's first line
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
// and the size of the file, 200. The size is −1 if the header has "*" for it. ok is false if the
// header is missing or invalid.
func contentRange(text string) (start, size int64, ok bool) {
	text, countsBytes := strings.CutPrefix(text, "bytes ")
	byteRange, sizeText, hasSize := strings.Cut(text, "/")
	startText, _, hasEnd := strings.Cut(byteRange, "-")
	start, err := strconv.ParseInt(startText, 10, 64)
	if !countsBytes || !hasSize || !hasEnd || err != nil || start < 0 {
		return 0, 0, false
	}
	if sizeText == "*" {
		return start, -1, true
	}
	size, err = strconv.ParseInt(sizeText, 10, 64)
	return start, size, err == nil && size > start
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
