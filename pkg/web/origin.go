package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	connectcors "connectrpc.com/cors"
	"github.com/rs/cors"
)

// origins decides which pages may call.
//
// A browser says in Origin which page a call comes from, and no page can say otherwise.
// Allowed are pages of the server itself, those of this machine, and those that the
// operator named. Where nobody needs a token (open), who can call can do everything:
// there the name by which the server is called counts as well. Otherwise a page of the
// internet could have its own name lead to this machine's address, and be a page of the
// server itself (DNS rebinding). An address is no name that others could lead anywhere.
type origins struct {
	named []string // as browsers write them
	open  bool
	hosts []string // names by which an open server may be called, without ports
}

// newOrigins reads the origins that the operator named.
func newOrigins(named []string, open bool) (*origins, error) {
	o := &origins{open: open}
	for _, text := range named {
		u, err := url.Parse(text)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return nil, fmt.Errorf("web: origin %q: want one such as https://table.example", text)
		}
		o.named = append(o.named, u.Scheme+"://"+hostOf(u.Scheme, u.Host))
		o.hosts = append(o.hosts, strings.ToLower(u.Hostname()))
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		o.hosts = append(o.hosts, strings.ToLower(name))
	}
	return o, nil
}

// hostOf is a host as browsers write it: small letters, without the usual port.
func hostOf(scheme, host string) string {
	host = strings.ToLower(host)
	if port := map[string]string{"http": ":80", "https": ":443"}[scheme]; port != "" {
		host = strings.TrimSuffix(host, port)
	}
	return host
}

// allows tells whether a page of an origin may make a request.
func (o *origins) allows(r *http.Request, origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return false // "null" among them: nobody knows whose page that is
	}
	switch {
	case hostOf(u.Scheme, u.Host) == hostOf(u.Scheme, r.Host), slices.Contains(o.named, u.Scheme+"://"+hostOf(u.Scheme, u.Host)):
		return true
	}
	return ofThisMachine(u.Hostname())
}

// ofThisMachine tells whether a host is this machine by its very name.
func ofThisMachine(host string) bool {
	host = strings.ToLower(host)
	a, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && a.IsLoopback()
}

// answers tells whether the server is to answer to the host of a request.
func (o *origins) answers(r *http.Request) bool {
	if !o.open {
		return true // a token is needed, and pages of other names have none
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return true
	}
	return ofThisMachine(host) || slices.Contains(o.hosts, host)
}

// refuse answers a request that must not come through; it tells whether it did. bare
// requests, those of programs that speak gRPC itself, are held to the origin alone: no
// page can make them.
func (o *origins) refuse(w http.ResponseWriter, r *http.Request, bare bool) bool {
	origin := r.Header.Get("Origin")
	switch {
	case !bare && !o.answers(r):
		http.Error(w, fmt.Sprintf("This server asks for no tokens and does not answer to the name %q: a page of the internet may have led it here. "+
			"If the name is yours, start the server with --web-origin http://%s (or https://).", r.Host, r.Host), http.StatusMisdirectedRequest)
	case len(r.Header.Values("Origin")) > 1, origin != "" && !o.allows(r, origin),
		origin == "" && r.Method != http.MethodGet && r.Method != http.MethodHead && r.Header.Get("Sec-Fetch-Site") == "cross-site":
		http.Error(w, fmt.Sprintf("Pages of %q may not call this server. If they are yours, start it with --web-origin and that origin.", origin), http.StatusForbidden)
	default:
		return false
	}
	return true
}

// corsMaxAge is how long a browser may remember what it may do, seconds.
const corsMaxAge = 7200

// share tells browsers what pages of other origins may do: what those may that were
// let through, without cookies.
func (o *origins) share(next http.Handler) http.Handler {
	return cors.New(cors.Options{
		AllowOriginVaryRequestFunc: func(r *http.Request, origin string) (bool, []string) { return o.allows(r, origin), []string{"Origin"} },
		AllowedMethods:             []string{http.MethodPost},
		AllowedHeaders:             append(connectcors.AllowedHeaders(), "Authorization", "X-User-Agent", "Traceparent", "Tracestate"),
		ExposedHeaders:             connectcors.ExposedHeaders(),
		MaxAge:                     corsMaxAge,
		AllowPrivateNetwork:        true,
	}).Handler(next)
}
