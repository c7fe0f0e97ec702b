package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/web"
)

// byCurl is how docs/API.md makes the calls by curl.
var byCurl = regexp.MustCompile(`(?m)^call\(\) \{ curl -sS -H '([^:]+): ([^']+)' -d @- "http://127\.0\.0\.1:7780/\$1"; echo; \}$`)

// The calls of docs/API.md are carried out as JSON over HTTP as well, up to the first
// attack. Where curl is at hand, it makes them, by the line of the document.
func TestCallsByCurl(t *testing.T) {
	data, err := os.ReadFile("../../../../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	line := byCurl.FindStringSubmatch(page)
	calls := call.FindAllStringSubmatch(page, -1)
	if line == nil || len(calls) != 8 {
		t.Fatalf("docs/API.md has %d calls, and this for curl: %q", len(calls), line)
	}
	address := serveWeb(t)
	_, errShell := exec.LookPath("bash")
	_, errCurl := exec.LookPath("curl")
	post := func(method, body string) string {
		path := "skald.encounter.v1.EncounterService/" + method
		if errShell == nil && errCurl == nil {
			script := strings.Replace(line[0], "127.0.0.1:7780", address, 1) + "\ncall " + path + " <<< '" + body + "'\n"
			out, err := exec.CommandContext(t.Context(), "bash", "-c", script).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			return string(out)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(line[1], line[2])
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close() //nolint:errcheck // it was read
		out, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	decision := ""
	for _, c := range calls {
		var got struct {
			Code, Message string
			Decisions     []struct{ ID string }
		}
		text := post(c[1], strings.Replace(c[2], "DECISION", decision, 1))
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		turn := strings.Contains(c[2], `"take"`) || strings.Contains(c[2], `"end_turn"`) // whose it is is up to the dice
		if got.Code != "" && (!turn || got.Code != "failed_precondition") {
			t.Errorf("%s %s: %s %s", c[1], c[2], got.Code, got.Message)
		}
		if len(got.Decisions) > 0 {
			decision = got.Decisions[0].ID
		}
	}
	if got := post("Execute", `{"request_id": "x", "encounter": "bridge", "as": {"role": "ROLE_GM"}, "command": {"take": {"wepon": "axe"}}}`); !strings.Contains(got, `"field":"command.take.wepon"`) {
		t.Errorf("a field that there is not: %s", got)
	}
}

// serveWeb serves the suite to browsers until the test ends.
func serveWeb(t *testing.T) string {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: log})
	s.Register(server)
	site, err := web.New(web.Options{Server: server, Open: true, Logger: log})
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
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		s.Close() //nolint:errcheck // the test is over
	})
	return l.Addr().String()
}
