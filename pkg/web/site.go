package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// Options configures a Site.
type Options struct {
	// Server answers. All its services are registered.
	Server *rpc.Server
	// Open says that the server asks for no tokens: see origins.
	Open bool
	// Origins are pages that may call, such as https://table.example, beside those of
	// the server itself and of this machine.
	Origins []string
	// Base is the path below which browsers find everything; empty means "/".
	Base string
	// Frames are those that may show the page in a frame, as in a
	// Content-Security-Policy; nobody when empty.
	Frames []string
	// Page are the files of the page; nil serves none.
	Page fs.FS
	// GRPC answers gRPC on the same listener as well.
	GRPC bool
	// TLS is the server's TLS configuration; nil is plain text.
	TLS *tls.Config
	// MaxMessage bounds a message in either direction, bytes; 0 is
	// rpc.DefaultMaxMessage.
	MaxMessage int
	// Connections bounds how many stand open; 0 is limits.WebConnections.
	Connections int
	// StopTimeout bounds how long Serve waits for calls in flight; 0 is
	// rpc.DefaultStopTimeout.
	StopTimeout time.Duration
	// Logger takes what goes wrong beneath the calls; nil means slog.Default.
	Logger *slog.Logger
}

// Site answers HTTP.
type Site struct {
	options  Options
	origins  *origins
	base     string
	handlers map[string]http.Handler
	services map[string]bool
	page     http.Handler // nil when there is none
	policy   string
	errors   *connect.ErrorWriter
	handler  http.Handler
}

// New makes a site; its server's services are all registered.
func New(o Options) (*Site, error) {
	if o.MaxMessage <= 0 {
		o.MaxMessage = rpc.DefaultMaxMessage
	}
	if o.Connections <= 0 {
		o.Connections = limits.WebConnections
	}
	if o.StopTimeout <= 0 {
		o.StopTimeout = rpc.DefaultStopTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	s := &Site{options: o, handlers: handlers(o.Server, o.MaxMessage), services: map[string]bool{}, errors: connect.NewErrorWriter()}
	for name := range s.handlers { // order-free: a set
		service, _, _ := strings.Cut(name[1:], "/")
		s.services[service] = true
	}
	var err error
	if s.origins, err = newOrigins(o.Origins, o.Open); err != nil {
		return nil, err
	}
	if s.base, err = cleanBase(o.Base); err != nil {
		return nil, err
	}
	if s.policy, err = policy(o.Frames); err != nil {
		return nil, err
	}
	if o.Page != nil {
		if s.page, err = NewPage(o.Page, s.base); err != nil {
			return nil, err
		}
	}
	s.handler = s.origins.share(http.HandlerFunc(s.route))
	return s, nil
}

// cleanBase is a base path with a slash at both ends.
func cleanBase(base string) (string, error) {
	clean := path.Clean("/" + base)
	if u, err := url.Parse(clean); err != nil || u.Path != clean || u.RawQuery != "" || strings.ContainsAny(clean, "\"'<>\\ ") {
		return "", fmt.Errorf("web: base path %q: want one such as /skald/", base)
	}
	if clean == "/" {
		return clean, nil
	}
	return clean + "/", nil
}

// policy is what a page may load and who may show it: what the server itself sends,
// and no script that stands in a page.
func policy(frames []string) (string, error) {
	ancestors := "'none'"
	if len(frames) > 0 {
		ancestors = strings.Join(frames, " ")
	}
	if strings.ContainsAny(ancestors, ";,\r\n") {
		return "", fmt.Errorf("web: frames %q: want origins such as https://table.example", ancestors)
	}
	return "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; " +
		"connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors " + ancestors, nil
}

// Base is the path below which browsers find everything, with a slash at both ends.
func (s *Site) Base() string { return s.base }

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	bare := isGRPC(r)
	w = newSlow(w)
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	if s.origins.refuse(w, r, bare) {
		return
	}
	if bare && s.options.GRPC {
		s.options.Server.ServeHTTP(w, r)
		return
	}
	s.handler.ServeHTTP(w, r)
}

// isGRPC tells whether a request is gRPC itself, which programs speak. gRPC-Web has
// names that begin alike.
func isGRPC(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	kind = strings.TrimSpace(kind)
	return r.ProtoMajor == 2 && r.Method == http.MethodPost && (kind == "application/grpc" || strings.HasPrefix(kind, "application/grpc+"))
}

// route finds who answers. A proxy may have taken the base path away, or not.
func (s *Site) route(w http.ResponseWriter, r *http.Request) {
	if s.base != "/" {
		if r.URL.Path+"/" == s.base && r.Method == http.MethodGet {
			http.Redirect(w, r, s.base, http.StatusFound)
			return
		}
		if below := strings.TrimPrefix(r.URL.Path, s.base); below != r.URL.Path {
			r = pathed(r, "/"+below)
		}
	}
	if method := s.handlers[r.URL.Path]; method != nil {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no") // nginx would keep a stream back until there is much of it
		s.call(method, w, r)
		return
	}
	if s.isCall(r) {
		s.unknown(w, r)
		return
	}
	s.show(w, r)
}

// pathed is a request for another path.
func pathed(r *http.Request, path string) *http.Request {
	out := new(http.Request)
	*out = *r
	u := *r.URL
	u.Path, u.RawPath = path, ""
	out.URL = &u
	return out
}

// isCall tells whether a request means a method, though there is no such method.
func (s *Site) isCall(r *http.Request) bool {
	service, method, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return ok && method != "" && (s.services[service] || strings.HasPrefix(service, "skald.") || strings.HasPrefix(service, "grpc.")) ||
		r.Method == http.MethodPost && s.errors.IsSupported(r)
}

func (s *Site) unknown(w http.ResponseWriter, r *http.Request) {
	err := connect.NewError(connect.CodeUnimplemented, fmt.Errorf("there is no method %.200q here", r.URL.Path))
	if detail, bad := connect.NewErrorDetail(&errdetails.ErrorInfo{Reason: rpc.ReasonUnimplemented, Domain: rpc.Domain}); bad == nil {
		err.AddDetail(detail)
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost || !s.errors.IsSupported(r) {
		http.Error(w, err.Message(), http.StatusNotFound)
		return
	}
	if err := s.errors.Write(w, r, err); err != nil {
		s.options.Logger.DebugContext(r.Context(), "web: answering", "error", err)
	}
}

// show serves the page.
func (s *Site) show(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	if len(s.options.Frames) == 0 {
		h.Set("X-Frame-Options", "DENY")
	}
	if s.page == nil {
		http.Error(w, "There is no page here, only the API.", http.StatusNotFound)
		return
	}
	s.page.ServeHTTP(w, r)
}

// Serve serves on the listener until ctx ends, then waits for calls in flight as
// rpc.Serve does, and returns nil. Streams that never end by themselves must be ended
// by whoever ends ctx. The listener is closed either way.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	server := s.server()
	served := make(chan error, 1)
	go func() { // ends with Shutdown or Close, below
		if s.options.TLS != nil {
			served <- server.ServeTLS(l, "", "")
			return
		}
		served <- server.Serve(l)
	}()
	if s.options.GRPC {
		s.options.Server.Begin()
	}
	select {
	case err := <-served:
		return fmt.Errorf("web: serve on %s: %w", l.Addr(), errors.Join(err, server.Close()))
	case <-ctx.Done():
	}
	if s.options.GRPC {
		s.options.Server.Health.Shutdown()
		defer s.options.Server.Stop()
	}
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options.StopTimeout)
	defer cancel()
	err := server.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-served
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("web: end of serving: %w", err)
	}
	return nil
}

func (s *Site) server() *http.Server {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	if s.options.TLS != nil {
		p.SetHTTP2(true)
	} else {
		p.SetUnencryptedHTTP2(true)
	}
	return &http.Server{
		Handler: s, TLSConfig: s.options.TLS, Protocols: p,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: limits.TransportStreams, SendPingTimeout: pingAfter, PingTimeout: pingTimeout,
			WriteByteTimeout: writeTimeout},
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: limits.WebHeaderBytes, ConnState: newGate(s.options.Connections).state,
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context { return rpc.WithConnection(ctx) },
		ErrorLog:    slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
	}
}
