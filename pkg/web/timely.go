package web

import (
	"io"
	"net/http"
	"time"

	"github.com/skaldrpg/skald/pkg/limits"
)

// How long a caller may take. A stream may stand open for days; what must not is a
// connection on which somebody owes something.
const (
	headerTimeout = limits.WebHeaderSeconds * time.Second // for the header of a request
	bodyTimeout   = limits.WebBodySeconds * time.Second   // for its body
	writeTimeout  = limits.WebWriteSeconds * time.Second  // for taking the next writeChunk bytes
	idleTimeout   = limits.WebIdleSeconds * time.Second   // between two requests
	pingAfter     = 30 * time.Second                      // of silence, HTTP/2 asks whether the other side is there
	pingTimeout   = 15 * time.Second
	writeChunk    = 32 << 10
)

// timely holds a request's body to its time.
func timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if c.SetReadDeadline(time.Now().Add(bodyTimeout)) == nil {
			r.Body = &body{r.Body, c}
		}
		next.ServeHTTP(w, r)
	})
}

// body lets go of the deadline when it has been read: from then on the server reads
// only to learn that the caller went away.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF { //nolint:errorlint // a reader's own
		b.control.SetReadDeadline(time.Time{}) //nolint:errcheck // it was set before
	}
	return n, err
}

// slow holds whoever takes an answer to its time, piece by piece.
type slow struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newSlow(w http.ResponseWriter) *slow { return &slow{w, http.NewResponseController(w)} }

// Unwrap is for http.ResponseController.
func (s *slow) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Write implements http.ResponseWriter.
func (s *slow) Write(p []byte) (n int, err error) {
	for {
		piece := p[n:min(len(p), n+writeChunk)]
		s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) //nolint:errcheck // without it the connection's own checks are left
		m, err := s.ResponseWriter.Write(piece)
		if n += m; err != nil || n >= len(p) {
			return n, err
		}
	}
}

// Flush implements http.Flusher.
func (s *slow) Flush() { s.FlushError() } //nolint:errcheck // the next write says it

// FlushError is for http.ResponseController. Afterwards nothing is owed: a stream of
// HTTP/2 would be ended by a deadline that passes while nothing is to be sent.
func (s *slow) FlushError() error {
	s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) //nolint:errcheck // as above
	err := s.control.Flush()
	s.control.SetWriteDeadline(time.Time{}) //nolint:errcheck // as above
	return err
}
