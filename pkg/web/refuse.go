package web

import (
	"net/http"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// Reasons of what is refused before the server is asked.
const (
	// ReasonMethod: a call is a POST.
	ReasonMethod = "HTTP_METHOD"
	// ReasonType: no message comes in this type.
	ReasonType = "CONTENT_TYPE"
)

// envelope is the head of a message in a stream, bytes.
const envelope = 5

// call lets a method answer; what Connect would refuse without a word, or without our
// details, is refused with them.
func (s *Site) call(method http.Handler, w http.ResponseWriter, r *http.Request) {
	if most := int64(s.options.MaxMessage); r.ContentLength > most+envelope {
		s.refuse(w, r, 0, fault.Limit("message", most, r.ContentLength))
		return
	}
	held := &wordless{ResponseWriter: w}
	method.ServeHTTP(held, r)
	switch held.code {
	case http.StatusMethodNotAllowed:
		s.refuse(w, r, held.code, fault.New(fault.Invalid, ReasonMethod, "a call is a POST, not a %.20s", r.Method))
	case http.StatusUnsupportedMediaType:
		s.refuse(w, r, held.code, fault.New(fault.Invalid, ReasonType, "there is no message of the type %.100q: want application/json or application/proto; streams are application/connect+json and so on",
			r.Header.Get("Content-Type")))
	}
}

// refuse answers with a fault, in the form that the caller reads; code is the status of
// HTTP where there is no such form, and the answer is JSON.
func (s *Site) refuse(w http.ResponseWriter, r *http.Request, code int, f *fault.Fault) {
	if code != 0 {
		w, r = &coded{w, code}, r.Clone(r.Context())
		r.Header.Del("Content-Type")
	}
	if err := s.errors.Write(w, r, asConnect(rpc.Status(f))); err != nil {
		s.options.Logger.DebugContext(r.Context(), "web: answering", "error", err)
	}
}

// wordless keeps back the two answers that Connect gives without a body.
type wordless struct {
	http.ResponseWriter
	code int
}

// Unwrap is for http.ResponseController.
func (w *wordless) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *wordless) WriteHeader(code int) {
	if code == http.StatusMethodNotAllowed || code == http.StatusUnsupportedMediaType {
		w.code = code
		return
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter.
func (w *wordless) Write(p []byte) (int, error) {
	if w.code != 0 {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (w *wordless) Flush() { http.NewResponseController(w.ResponseWriter).Flush() } //nolint:errcheck // the next write says it

// coded answers with a status of its own.
type coded struct {
	http.ResponseWriter
	code int
}

// WriteHeader implements http.ResponseWriter.
func (c *coded) WriteHeader(int) { c.ResponseWriter.WriteHeader(c.code) }
