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

// longestWait is how long a server may ask to be left alone before it is given up.
const longestWait = 2 * time.Minute

// Event is what a download is at. The last of a file that came has Done and Total
// alike: then it is converted.
type Event struct {
	Name, URL   string // of the data set, of the file
	Done, Total int64  // bytes; Total is −1 where the server does not say

	Failed error         // of a try that is followed by another; nil: it goes on
	Wait   time.Duration // before that
}

// client is an HTTP client that follows redirects to HTTPS alone.
func (f *Fetcher) client() *http.Client {
	return &http.Client{
		Transport: f.Transport,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			switch {
			case r.URL.Scheme != "https":
				return final{fmt.Errorf("it redirects to %s, and only HTTPS is followed", r.URL.Redacted())}
			case len(via) == 10:
				return final{errors.New("it redirects more than 10 times")}
			}
			return nil
		},
	}
}

// final is an error that trying again does not help.
type final struct{ error }

func (e final) Unwrap() error { return e.error }

// isFinal tells errors that trying again does not help.
func isFinal(err error) bool {
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	var mark final
	return errors.As(err, &mark) || errors.As(err, &certificate) || errors.As(err, &name) && name.IsNotFound
}

// download brings the rest of a file, in several tries if need be.
func (f *Fetcher) download(ctx context.Context, set string, from File, to *partial) error {
	ctx, cancel := context.WithTimeoutCause(ctx, f.time(), fmt.Errorf("it took more than %v", f.time()))
	defer cancel()
	client := f.client()
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = f.wait()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := f.try(ctx, client, set, from, to)
		if err != nil && ctx.Err() != nil {
			err = backoff.Permanent(context.Cause(ctx))
		} else if err != nil && isFinal(err) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(uint(f.tries())), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			f.report(Event{Name: set, URL: from.URL, Done: to.have, Total: -1, Failed: cause(err), Wait: wait})
		}))
	if err != nil {
		return cause(err)
	}
	f.report(Event{Name: set, URL: from.URL, Done: to.have, Total: to.have})
	return nil
}

// cause returns the error behind err without the address and the retries, which the caller reports.
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

// try asks once for what is not there yet.
func (f *Fetcher) try(ctx context.Context, client *http.Client, set string, from File, to *partial) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := fmt.Errorf("nothing came for %v", f.stall())
	watch := time.AfterFunc(f.stall(), func() { cancel(stalled) })
	defer watch.Stop()
	cause := func(err error) error { return cmp.Or(context.Cause(ctx), err) }
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from.URL, nil)
	if err != nil {
		return final{err}
	}
	request.Header.Set("User-Agent", "sml data fetch")
	request.Header.Set("Accept-Encoding", "identity") // of which a part can be asked for
	if to.have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", to.have))
		request.Header.Set("If-Range", to.label.Validator)
	}
	answer, err := client.Do(request)
	if err != nil {
		return cause(err)
	}
	defer answer.Body.Close()
	total, err := beginDownload(answer, from, to)
	if err != nil || answer.StatusCode == http.StatusRequestedRangeNotSatisfiable { // all of it is there
		return err
	}
	buffer := make([]byte, 1<<16)
	for {
		watch.Reset(f.stall())
		n, err := answer.Body.Read(buffer)
		if to.have+int64(n) > from.maxSize() {
			return final{fmt.Errorf("it has more than %d MiB, which is more than its table can need", from.maxSize()>>20)}
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return final{err}
		}
		f.report(Event{Name: set, URL: from.URL, Done: to.have, Total: total})
		if err == io.EOF {
			break
		} else if err != nil {
			return cause(err)
		}
	}
	if ctx.Err() != nil { // a server may end its answer in order when it sees us go
		return cause(nil)
	}
	if total >= 0 && to.have != total {
		return fmt.Errorf("%d bytes came, of %d: %w", to.have, total, io.ErrUnexpectedEOF)
	}
	return nil
}

// beginDownload prepares the partial file for the body of an answer, which is the whole file or its
// missing rest. It returns the size of the file, −1 if the answer does not say it.
func beginDownload(answer *http.Response, from File, to *partial) (total int64, err error) {
	encoding := answer.Header.Get("Content-Encoding")
	switch answer.StatusCode {
	case http.StatusOK:
		if encoding != "" && encoding != "identity" {
			return 0, final{fmt.Errorf("it comes encoded as %.20q, which was not asked for", encoding)}
		}
		if err := to.restart(label{URL: from.URL, Validator: validator(answer.Header)}); err != nil {
			return 0, final{err}
		}
		total = answer.ContentLength
	case http.StatusPartialContent:
		start, size, ok := contentRange(answer.Header.Get("Content-Range"))
		if now := validator(answer.Header); !ok || start != to.have || to.have == 0 || now != "" && now != to.label.Validator {
			return 0, restartDownload(to, "it has other bytes than those asked for")
		}
		total = size
	case http.StatusRequestedRangeNotSatisfiable:
		if answer.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", to.have) {
			return 0, restartDownload(to, "there is less of it than came before")
		}
		total = to.have
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return 0, retryLater(answer)
	default:
		if answer.StatusCode >= 500 {
			return 0, retryLater(answer)
		}
		return 0, final{fmt.Errorf("the server says %q", answer.Status)}
	}
	if total > from.maxSize() {
		return 0, final{fmt.Errorf("it has %d MiB, which is more than its table can need (%d)", total>>20, from.maxSize()>>20)}
	}
	return total, nil
}

// restartDownload discards the received part, so that the next try asks for the whole file. It returns
// the reason as an error.
func restartDownload(to *partial, why string) error {
	if err := to.restart(label{URL: to.label.URL}); err != nil {
		return final{err}
	}
	return errors.New(why)
}

// retryLater returns the error for a server that may answer another time, with the wait that it asks
// for.
func retryLater(answer *http.Response) error {
	err := fmt.Errorf("the server says %q", answer.Status)
	after := answer.Header.Get("Retry-After")
	if after == "" {
		return err
	}
	seconds, failed := strconv.Atoi(after)
	if at, no := http.ParseTime(after); failed != nil && no == nil {
		seconds, failed = int(time.Until(at)/time.Second)+1, nil
	}
	switch {
	case failed != nil || seconds < 0:
		return err
	case seconds > int(longestWait/time.Second):
		return final{fmt.Errorf("%w, and to come back in %v", err, time.Duration(seconds)*time.Second)}
	}
	return backoff.RetryAfter(seconds)
}

// validator is what tells a later answer of the same file from one of another; ""
// where a server gives nothing that is certain to.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") && len(tag) < 1000 {
		return tag
	}
	if when := h.Get("Last-Modified"); len(when) < 100 {
		return when
	}
	return ""
}

// contentRange reads "bytes 100-199/200" as 100 and 200, and "*" as −1.
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

func (f *Fetcher) tries() int           { return cmp.Or(f.Tries, 5) }
func (f *Fetcher) wait() time.Duration  { return cmp.Or(f.Wait, time.Second) }
func (f *Fetcher) stall() time.Duration { return cmp.Or(f.Stall, time.Minute) }
func (f *Fetcher) time() time.Duration  { return cmp.Or(f.Time, 2*time.Hour) }

// report passes an event to the caller of Fetch.
func (f *Fetcher) report(e Event) {
	if f.Tell != nil {
		f.Tell(e)
	}
}
