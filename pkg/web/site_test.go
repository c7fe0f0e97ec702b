package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/web"
	"github.com/skaldrpg/skald/pkg/web/webtest"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

var script = strings.Repeat("export const words = 'many';\n", 100)

func built() fstest.MapFS {
	return fstest.MapFS{
		"index.html":                 {Data: []byte("<!doctype html><html><head><title>t</title></head><body>the page</body></html>")},
		"assets/main-B4x9_kQz.js":    {Data: []byte(script)},
		"assets/pre-AAAAAAAA.css":    {Data: []byte(strings.Repeat("a{} ", 400))},
		"assets/pre-AAAAAAAA.css.br": {Data: []byte("as it was built")},
		"icon.svg":                   {Data: []byte("<svg/>")},
		".secret":                    {Data: []byte("no")},
	}
}

// serve serves until the test ends.
func serve(t *testing.T, o web.Options) (address string, server *rpc.Server) {
	t.Helper()
	if o.Server == nil {
		o.Server = rpc.NewServer(rpc.Options{Logger: quiet()})
	}
	o.Logger = quiet()
	if o.Page == nil {
		o.Page = built()
	}
	site, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- site.Serve(ctx, l) }() // ends with stop
	t.Cleanup(func() {
		o.Server.Health.Shutdown()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), o.Server
}

// ask sends a request as it stands, and returns the answer with its body.
func ask(t *testing.T, method, url, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Add(header[i], header[i+1])
	}
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer resp.Body.Close() //nolint:errcheck // the test is over
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

const check = "/grpc.health.v1.Health/Check"

// TestWhoMayCall: which pages may call, and by which names an open server answers.
func TestWhoMayCall(t *testing.T) {
	open, _ := serve(t, web.Options{Open: true, Origins: []string{"https://table.example"}})
	keys, _ := serve(t, web.Options{Origins: []string{"https://table.example:443/", "http://lan:8080"}})
	_, port, _ := net.SplitHostPort(open)
	for _, c := range []struct {
		name, at string
		header   []string
		want     int
	}{
		{"a program", open, nil, 200},
		{"the server's own page", open, []string{"Origin", "http://" + open}, 200},
		{"a page of this machine", open, []string{"Origin", "http://localhost:5173"}, 200},
		{"a page of this machine by a name of its own", open, []string{"Origin", "http://app.localhost"}, 200},
		{"a page of this machine by IPv6", open, []string{"Origin", "http://[::1]:3000"}, 200},
		{"a named page", open, []string{"Origin", "https://table.example"}, 200},
		{"a named page by its usual port", keys, []string{"Origin", "https://table.example"}, 200},
		{"a named page in capitals", keys, []string{"Origin", "https://Table.Example"}, 200},
		{"a named page with a port", keys, []string{"Origin", "http://lan:8080"}, 200},
		{"the same name without TLS", open, []string{"Origin", "http://table.example"}, 403},
		{"another port of a named page", keys, []string{"Origin", "http://lan:8081"}, 403},
		{"a page of the internet", open, []string{"Origin", "https://evil.example"}, 403},
		{"a page of the internet, at a server with keys", keys, []string{"Origin", "https://evil.example"}, 403},
		{"a page of nobody", open, []string{"Origin", "null"}, 403},
		{"a file", open, []string{"Origin", "file://"}, 403},
		{"a name that begins like this machine's", open, []string{"Origin", "http://localhost.evil.example"}, 403},
		{"a name that ends like a named one", open, []string{"Origin", "https://not-table.example"}, 403},
		{"a user in front of this machine", open, []string{"Origin", "http://127.0.0.1@evil.example"}, 403},
		{"two origins", open, []string{"Origin", "http://" + open, "Origin", "https://evil.example"}, 403},
		{"a page without an origin, by what the browser says", open, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"rebound: its name leads to this machine", open, []string{"Origin", "http://evil.example:" + port, "Host", "evil.example:" + port}, 421},
		{"rebound, no origin", open, []string{"Host", "evil.example"}, 421},
		{"a rebound name that looks like an address", open, []string{"Host", "127.0.0.1.evil.example"}, 421},
		{"localhost", open, []string{"Host", "localhost:" + port}, 200},
		{"an address of the network", open, []string{"Host", "192.168.1.20:7780"}, 200},
		{"IPv6", open, []string{"Host", "[::1]:7780"}, 200},
		{"the name of a named page", open, []string{"Host", "table.example"}, 200},
		{"any name, at a server with keys", keys, []string{"Host", "skald.internal"}, 200},
		{"any name and its own page, at a server with keys", keys, []string{"Host", "play.example", "Origin", "https://play.example"}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := ask(t, "POST", "http://"+c.at+check, "{}", append([]string{"Content-Type", "application/json"}, c.header...)...)
			if resp.StatusCode != c.want {
				t.Errorf("%d %s, want %d", resp.StatusCode, body, c.want)
			}
			if served := strings.Contains(body, "SERVING"); served != (c.want == 200) {
				t.Errorf("answered: %v", served)
			}
		})
	}
	for _, host := range []string{"evil.example", "evil.example:80"} {
		if resp, _ := ask(t, "GET", "http://"+open+"/", "", "Host", host); resp.StatusCode != 421 {
			t.Errorf("the page by the name %s: %d", host, resp.StatusCode)
		}
	}
}

// TestBrowsersMayAskFirst: preflights.
func TestBrowsersMayAskFirst(t *testing.T) {
	at, _ := serve(t, web.Options{Open: true, Origins: []string{"https://table.example"}})
	preflight := []string{"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,connect-protocol-version,connect-timeout-ms,content-type"}
	resp, _ := ask(t, "OPTIONS", "http://"+at+check, "", append(preflight, "Origin", "https://table.example", "Access-Control-Request-Private-Network", "true")...)
	h := resp.Header
	if resp.StatusCode != 204 || h.Get("Access-Control-Allow-Origin") != "https://table.example" || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") ||
		!strings.Contains(strings.ToLower(h.Get("Access-Control-Allow-Headers")), "authorization") || h.Get("Access-Control-Allow-Private-Network") != "true" {
		t.Errorf("allowed: %d %v", resp.StatusCode, h)
	}
	if h.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("cookies are let through")
	}
	resp, _ = ask(t, "OPTIONS", "http://"+at+check, "", append(preflight, "Origin", "https://evil.example")...)
	if resp.StatusCode != 403 || resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("refused: %d %v", resp.StatusCode, resp.Header)
	}
	resp, _ = ask(t, "POST", "http://"+at+check, "{}", "Content-Type", "application/json", "Origin", "https://table.example")
	if resp.Header.Get("Access-Control-Allow-Origin") != "https://table.example" || !strings.Contains(strings.ToLower(resp.Header.Get("Access-Control-Expose-Headers")), "grpc-status") {
		t.Errorf("the answer itself: %v", resp.Header)
	}
}

// TestWhatIsNoCall: what does not come as a call is not taken for one.
func TestWhatIsNoCall(t *testing.T) {
	at, _ := serve(t, web.Options{Open: true})
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		want                     int
	}{
		{"GET of a method", "GET", check, "", []string{"Accept", "text/html"}, 405},
		{"GET of a method as Connect has it", "GET", check + "?connect=v1&encoding=json&message=%7B%7D", "", nil, 405},
		{"a form", "POST", check, "a=b", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{"plain text", "POST", check, "{}", []string{"Content-Type", "text/plain"}, 415},
		{"no type", "POST", check, "{}", nil, 415},
		{"an unknown method", "POST", "/grpc.health.v1.Health/Nothing", "{}", []string{"Content-Type", "application/json"}, 501},
		{"an unknown service", "POST", "/a.b.C/D", "{}", []string{"Content-Type", "application/json"}, 501},
		{"GET of an unknown method", "GET", "/skald.encounter.v1.Nothing/At", "", []string{"Accept", "text/html"}, 404},
		{"POST to the page", "POST", "/", "x", nil, 405},
		{"an unknown compression", "POST", check, "{}", []string{"Content-Type", "application/json", "Content-Encoding", "zip"}, 501},
		{"a broken time", "POST", check, "{}", []string{"Content-Type", "application/json", "Connect-Timeout-Ms", "soon"}, 400},
		{"another protocol version", "POST", check, "{}", []string{"Content-Type", "application/json", "Connect-Protocol-Version", "9"}, 400},
	} {
		if resp, body := ask(t, c.method, "http://"+at+c.path, c.body, c.header...); resp.StatusCode != c.want || strings.Contains(body, "the page") {
			t.Errorf("%s: %d %s, want %d", c.name, resp.StatusCode, body, c.want)
		}
	}
}

// TestRefusalsSayWhy: what is refused before the server is asked carries our details,
// over every way.
func TestRefusalsSayWhy(t *testing.T) {
	at, _ := serve(t, web.Options{Open: true, MaxMessage: 1000})
	for _, c := range []struct {
		name, method, path, body, kind string
		status                         int
		reason                         string
	}{
		{"GET", "GET", check, "", "", 405, web.ReasonMethod},
		{"a type that is none", "POST", check, "{}", "text/plain", 415, web.ReasonType},
		{"an encoding that is none", "POST", check, "{}", "application/xml", 415, web.ReasonType},
		{"a stream's encoding that is none", "POST", check, "{}", "application/connect+xml", 415, web.ReasonType},
		{"a method that is none", "POST", "/grpc.health.v1.Health/Nothing", "{}", "application/json", 501, rpc.ReasonUnimplemented},
		{"JSON that is none", "POST", check, "{", "application/json", 400, "UNREADABLE"},
		{"a field that is none", "POST", check, `{"x": 1}`, "application/json", 400, "UNREADABLE"},
		{"too large", "POST", check, `{"service": "` + strings.Repeat("x", 2000) + `"}`, "application/json", 429, "LIMIT"},
	} {
		resp, body := ask(t, c.method, "http://"+at+c.path, c.body, "Content-Type", c.kind)
		var said struct {
			Code, Message string
			Details       []struct {
				Type  string
				Debug struct{ Reason, Domain string }
			}
		}
		err := json.Unmarshal([]byte(body), &said)
		if err != nil || resp.StatusCode != c.status || said.Message == "" || len(said.Details) == 0 || said.Details[0].Debug.Domain != rpc.Domain || said.Details[0].Debug.Reason != c.reason {
			t.Errorf("%s: %d %s, %v", c.name, resp.StatusCode, body, err)
		}
	}
	for _, way := range []*webtest.Conn{{}, {Web: true}} {
		way.Client, way.URL = http.DefaultClient, "http://"+at
		err := way.Invoke(t.Context(), check, &healthv1.HealthCheckRequest{Service: strings.Repeat("x", 2000)}, &healthv1.HealthCheckResponse{})
		if f := rpc.FromStatus(err); status.Code(err) != codes.ResourceExhausted || f.Reason != "LIMIT" || f.Meta["max"] != "1000" {
			t.Errorf("%s: %v", way, err)
		}
	}
}

// TestPage: what is sent for what path, how it is packed and how long it is kept.
func TestPage(t *testing.T) {
	at, _ := serve(t, web.Options{Open: true, Base: "skald", Frames: []string{"https://discord.com"}})
	get := func(path string, header ...string) (*http.Response, string) {
		return ask(t, "GET", "http://"+at+path, "", header...)
	}
	for path, want := range map[string]int{"/": 200, "/skald/": 200, "/skald": 302, "/skald/encounters/bridge": 200, "/encounters/bridge": 200,
		"/skald/assets/main-B4x9_kQz.js": 200, "/assets/main-B4x9_kQz.js": 200, "/assets/gone-B4x9_kQz.js": 404, "/.secret": 200, "/../index.html": 200} {
		resp, body := get(path, "Accept", "text/html,*/*")
		if resp.StatusCode != want || want == 200 && !strings.HasSuffix(path, ".js") && !strings.Contains(body, `<head><base href="/skald/">`) || strings.Contains(body, "no\n") {
			t.Errorf("%s: %d, want %d: %s", path, resp.StatusCode, want, body)
		}
	}
	if resp, body := get("/skald/encounters/bridge", "Accept", "*/*"); resp.StatusCode != 404 || strings.Contains(body, "the page") {
		t.Errorf("a place, not asked for by a person: %d %s", resp.StatusCode, body)
	}
	page, _ := get("/", "Accept", "text/html")
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || !strings.HasSuffix(policy, "frame-ancestors https://discord.com") || page.Header.Get("X-Content-Type-Options") != "nosniff" ||
		page.Header.Get("Cache-Control") != "no-cache" || page.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("headers of the page: %v", page.Header)
	}
	if again, body := get("/", "If-None-Match", page.Header.Get("ETag")); again.StatusCode != 304 || body != "" {
		t.Errorf("the same page: %d", again.StatusCode)
	}
	plain, text := get("/assets/main-B4x9_kQz.js")
	packed, zipped := get("/assets/main-B4x9_kQz.js", "Accept-Encoding", "br;q=1, gzip")
	if text != script || plain.Header.Get("Content-Encoding") != "" || !strings.Contains(plain.Header.Get("Cache-Control"), "immutable") || plain.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("a file: %v", plain.Header)
	}
	r, err := gzip.NewReader(strings.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(r)
	if err != nil || string(unzipped) != script || packed.Header.Get("ETag") == plain.Header.Get("ETag") || len(zipped) > len(script)/4 {
		t.Errorf("packed: %v, %d bytes, %v", err, len(zipped), packed.Header)
	}
	if resp, body := get("/assets/pre-AAAAAAAA.css", "Accept-Encoding", "gzip, br"); resp.Header.Get("Content-Encoding") != "br" || body != "as it was built" || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/css") {
		t.Errorf("packed before: %v", resp.Header)
	}
	if resp, _ := get("/assets/pre-AAAAAAAA.css", "Accept-Encoding", "gzip;q=0, br;q=0"); resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("packed for who does not want it: %v", resp.Header)
	}
	resp, body := ask(t, "POST", "http://"+at+"/skald"+check, "{}", "Content-Type", "application/json")
	if !strings.Contains(body, "SERVING") || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a call below the base: %d %s", resp.StatusCode, body)
	}
}

// TestOptionsThatAreNone: what can not be meant is refused at the start.
func TestOptionsThatAreNone(t *testing.T) {
	for name, o := range map[string]web.Options{
		"an origin with a path":   {Origins: []string{"https://table.example/play"}},
		"an origin of any":        {Origins: []string{"*"}},
		"an origin without a web": {Origins: []string{"ftp://table.example"}},
		"a base that is markup":   {Base: `/"><script>`},
		"a frame that is more":    {Frames: []string{"'none'; script-src *"}},
		"a page without an index": {Page: fstest.MapFS{"a.txt": {}}},
	} {
		o.Server = rpc.NewServer(rpc.Options{Logger: quiet()})
		if _, err := web.New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestStreamsGoThroughProxies: a stream over HTTP/1.1 begins at once, is not kept back
// or kept at all, and ends when the server stops.
func TestStreamsGoThroughProxies(t *testing.T) {
	at, server := serve(t, web.Options{Open: true})
	conn, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the test is over
	message := "\x00\x00\x00\x00\x02{}"
	_, err = io.WriteString(conn, "POST /grpc.health.v1.Health/Watch HTTP/1.1\r\nHost: "+at+"\r\nContent-Type: application/connect+json\r\nContent-Length: 7\r\n\r\n"+message)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil) // its body is closed with the connection
	if err != nil {
		t.Fatal(err)
	}
	if h := resp.Header; resp.StatusCode != 200 || h.Get("X-Accel-Buffering") != "no" || h.Get("Cache-Control") != "no-store" || h.Get("Content-Length") != "" {
		t.Errorf("%d %v", resp.StatusCode, h)
	}
	read := func() string {
		head := make([]byte, 5)
		if _, err := io.ReadFull(resp.Body, head); err != nil {
			t.Fatal(err)
		}
		body := make([]byte, int(head[3])<<8|int(head[4]))
		if _, err := io.ReadFull(resp.Body, body); err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if got := read(); got != `{"status":"SERVING"}` {
		t.Errorf("first: %s", got)
	}
	server.Health.SetServingStatus("", healthv1.HealthCheckResponse_NOT_SERVING)
	if got := read(); got != `{"status":"NOT_SERVING"}` {
		t.Errorf("then: %s", got)
	}
}

// TestHalfARequest: who begins to ask and goes on too slowly is let go; a test has not
// the time, so that it holds what is set.
func TestHalfARequest(t *testing.T) {
	site, err := web.New(web.Options{Server: rpc.NewServer(rpc.Options{Logger: quiet()})})
	if err != nil {
		t.Fatal(err)
	}
	s := web.ServerOf(site)
	if s.ReadHeaderTimeout <= 0 || s.ReadHeaderTimeout > 15*time.Second || s.IdleTimeout <= 0 || s.MaxHeaderBytes > 64<<10 {
		t.Errorf("headers may take %s, silence %s, %d bytes", s.ReadHeaderTimeout, s.IdleTimeout, s.MaxHeaderBytes)
	}
	if s.WriteTimeout != 0 || s.ReadTimeout != 0 {
		t.Error("a stream would end by the clock")
	}
	if s.HTTP2.PingTimeout <= 0 || s.HTTP2.SendPingTimeout <= 0 || s.HTTP2.MaxConcurrentStreams <= 250 {
		t.Errorf("HTTP/2: %+v", s.HTTP2)
	}
}

// TestOnePort: gRPC, Connect and the page at one address, with TLS and without.
func TestOnePort(t *testing.T) {
	at, _ := serve(t, web.Options{Open: true, GRPC: true})
	conn, err := rpc.Dial(at, rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the test is over
	if got, err := healthv1.NewHealthClient(conn).Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil || got.Status != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("gRPC: %v, %v", got, err)
	}
	stream, err := healthv1.NewHealthClient(conn).Watch(t.Context(), &healthv1.HealthCheckRequest{})
	if err == nil {
		_, err = stream.Recv()
	}
	if err != nil {
		t.Errorf("a stream of gRPC: %v", err)
	}
	if err := conn.Invoke(t.Context(), "/grpc.health.v1.Health/Nothing", &healthv1.HealthCheckRequest{}, &healthv1.HealthCheckResponse{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("an unknown method of gRPC: %v", err)
	}
	for _, c := range []*webtest.Conn{{}, {JSON: true}, {Web: true}} {
		c.Client, c.URL = &http.Client{Transport: &http.Transport{}}, "http://"+at
		if got, err := healthv1.NewHealthClient(c).Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil || got.Status != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("%s: %v, %v", c, got, err)
		}
		c.Client.CloseIdleConnections()
	}
	if resp, body := ask(t, "GET", "http://"+at+"/", ""); resp.StatusCode != 200 || !strings.Contains(body, "the page") {
		t.Errorf("the page: %d", resp.StatusCode)
	}
	if resp, _ := ask(t, "POST", "http://"+at+check, "{}", "Content-Type", "application/json", "Host", "evil.example"); resp.StatusCode != 421 {
		t.Errorf("rebound: %d", resp.StatusCode)
	}
}

// TestManyStreamsOfOneConnection: more than HTTP/2 servers of Go allow by themselves.
func TestManyStreamsOfOneConnection(t *testing.T) {
	const many = 300
	at, _ := serve(t, web.Options{Open: true, GRPC: true})
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: p, MaxConnsPerHost: 1}
	defer transport.CloseIdleConnections()
	conn, err := rpc.Dial(at, rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the test is over
	for name, c := range map[string]grpc.ClientConnInterface{"gRPC": conn, "Connect": &webtest.Conn{Client: &http.Client{Transport: transport}, URL: "http://" + at}} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		for i := range many {
			s, err := healthv1.NewHealthClient(c).Watch(ctx, &healthv1.HealthCheckRequest{})
			if err == nil {
				_, err = s.Recv()
			}
			if err != nil {
				t.Errorf("%s, stream %d: %v", name, i, err)
				break
			}
		}
		cancel()
	}
}

// TestTooMuch: a message beyond the limit is refused by name, packed or not.
func TestTooMuch(t *testing.T) {
	at, _ := serve(t, web.Options{Open: true, MaxMessage: 4 << 10})
	long := `{"service": "` + strings.Repeat("x", 8<<10) + `"}`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, long) //nolint:errcheck // a buffer takes everything
	w.Close()               //nolint:errcheck // as above
	for name, c := range map[string]struct {
		body   string
		header []string
	}{
		"plain":  {long, nil},
		"packed": {packed.String(), []string{"Content-Encoding", "gzip"}},
	} {
		resp, body := ask(t, "POST", "http://"+at+check, c.body, append(c.header, "Content-Type", "application/json")...)
		var e struct{ Code string }
		if err := json.Unmarshal([]byte(body), &e); err != nil || resp.StatusCode != 429 || e.Code != "resource_exhausted" {
			t.Errorf("%s: %d %s", name, resp.StatusCode, body)
		}
	}
}
