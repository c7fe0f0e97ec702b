package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/rpc"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	// byGrpcurl is how docs/API.md makes the calls by grpcurl.
	byGrpcurl = regexp.MustCompile(`(?m)^alias call='grpcurl (-plaintext -d @) 127\.0\.0\.1:7700'$`)
	// unbuilt is how docs/INTEGRATE.md runs it where it is not installed.
	unbuilt = regexp.MustCompile("`go run (github\\.com/fullstorydev/grpcurl/cmd/grpcurl@v[0-9.]+)`")
	// shown are the commands of docs/INTEGRATE.md.
	shown = regexp.MustCompile("(?s)```json\n(.*?)```")
)

// From the first call to the first attack by grpcurl, as docs/API.md shows it.
func TestCallsByGrpcurl(t *testing.T) {
	page, guide := document(t, "API.md"), document(t, "INTEGRATE.md")
	alias, version := byGrpcurl.FindStringSubmatch(page), unbuilt.FindStringSubmatch(guide)
	if alias == nil || version == nil {
		t.Fatalf("the documents do not say how to use grpcurl: %q, %q", alias, version)
	}
	program := grpcurl(t, version[1])
	address := serveGRPC(t)
	toTheFirstAttack(t, page, func(method, body string) string {
		args := append(strings.Fields(alias[1]), address, "skald.encounter.v1.EncounterService/"+method)
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Stdin = strings.NewReader(body)
		out, _ := cmd.CombinedOutput() // a refusal is in the words
		return string(out)
	})
}

// The same by curl, as JSON over HTTP, through to the attack.
func TestFirstAttackByCurl(t *testing.T) {
	line := byCurl.FindString(document(t, "API.md"))
	for _, needed := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("no %s here: the calls are made by TestCallsByCurl alone", needed)
		}
	}
	address := serveWeb(t)
	toTheFirstAttack(t, document(t, "API.md"), func(method, body string) string {
		script := strings.Replace(line, "127.0.0.1:7780", address, 1) + "\ncall skald.encounter.v1.EncounterService/" + method + " <<< '" + body + "'\n"
		out, err := exec.CommandContext(t.Context(), "bash", "-c", script).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	})
}

// toTheFirstAttack makes the calls of docs/API.md until somebody has attacked: where the
// turn is another's, it does what the page says of that.
func toTheFirstAttack(t *testing.T, page string, post func(method, body string) string) {
	t.Helper()
	asked := regexp.MustCompile(`"decisions":\s*\[\s*\{\s*"id":\s*"([0-9a-f]+)"`)
	tie := regexp.MustCompile(`"decision":\s*\{\s*"id":\s*"([0-9a-f]+)",\s*"name":\s*"tie-break"`)
	asGM := func(method, more string) string {
		return post(method, `{"encounter": "bridge", "as": {"role": "ROLE_GM"}`+more+`}`)
	}
	decision := ""
	for _, c := range call.FindAllStringSubmatch(page, -1) {
		body := strings.Replace(c[2], "DECISION", decision, 1)
		said := post(c[1], body)
		for n := 0; strings.Contains(body, `"attack"`) && n < 10; n++ {
			id := string(rune('a' + n))
			switch {
			case strings.Contains(said, "NOT_YOUR_TURN"):
				asGM("Execute", `, "request_id": "s`+id+`", "command": {"end_turn": {"creature": "snag"}}`)
			case strings.Contains(said, "DECISION_PENDING"):
				m := tie.FindStringSubmatch(asGM("GetNext", ""))
				if m == nil {
					t.Fatalf("something else than who goes first is waited for: %s", said)
				}
				asGM("Execute", `, "request_id": "t`+id+`", "command": {"answer": {"decision": "`+m[1]+`", "answer": {"option": "jeera"}}}`)
			case strings.Contains(said, `"attack":`):
				return
			}
			said = post(c[1], strings.Replace(body, `"r6"`, `"r6`+id+`"`, 1))
		}
		if strings.Contains(said, `"code"`) || strings.Contains(said, "ERROR:") {
			t.Fatalf("%s is answered with %s", body, said)
		}
		if m := asked.FindStringSubmatch(said); m != nil {
			decision = m[1]
		}
	}
	t.Error("nobody has attacked")
}

// The commands that docs/INTEGRATE.md shows are commands.
func TestCommandsOfTheGuide(t *testing.T) {
	all := shown.FindAllStringSubmatch(document(t, "INTEGRATE.md"), -1)
	if len(all) < 3 {
		t.Fatalf("%d commands are found", len(all))
	}
	for _, m := range all {
		var cmd eventv1.Command
		if !json.Valid([]byte(m[1])) {
			t.Errorf("no JSON: %s", m[1])
		} else if err := protojson.Unmarshal([]byte(m[1]), &cmd); err != nil || cmd.What == nil {
			t.Errorf("%v in %s", err, m[1])
		}
	}
}

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../../docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// grpcurl is the program: the one that is installed, or one built for the test.
func grpcurl(t *testing.T, version string) string {
	t.Helper()
	if path, err := exec.LookPath("grpcurl"); err == nil {
		return path
	}
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "install", version)
	build.Dir, build.Env = dir, append(os.Environ(), "GOBIN="+dir, "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("grpcurl is not installed and can not be had (%s): its calls are not made: %v\n%s", version, err, out)
	}
	return filepath.Join(dir, "grpcurl")
}

// serveGRPC serves the suite until the test ends.
func serveGRPC(t *testing.T) string {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: log})
	s.Register(server)
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }() // ends with Stop
	t.Cleanup(func() {
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		s.Close() //nolint:errcheck // the test is over
	})
	return l.Addr().String()
}
