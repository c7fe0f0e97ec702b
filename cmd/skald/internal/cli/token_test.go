package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/auth"
)

// buffer is a log that is read while it is written.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// up runs `skald up` until the test ends and returns its address and its log.
func up(t *testing.T, args ...string) (address string, log *buffer) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	log = &buffer{}
	done := make(chan int, 1)
	args = append([]string{"up", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, args...)
	go func() { done <- Run(ctx, args, strings.NewReader(""), log, log) }() // ends with stop
	t.Cleanup(func() {
		stop()
		if code := <-done; code != exitOK {
			t.Errorf("up ended with %d:\n%s", code, log)
		}
	})
	re := regexp.MustCompile(`skald is up" grpc=(\S+)`)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); ; <-tick.C {
		if m := re.FindStringSubmatch(log.String()); m != nil {
			return m[1], log
		}
		if time.Now().After(end) {
			t.Fatalf("up does not come up:\n%s", log)
		}
	}
}

// skald runs a command and returns its output and its exit code.
func skald(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return strings.TrimSpace(out.String() + errs.String()), code
}

// must runs a command that has to succeed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	text, code := skald(t, args...)
	if code != exitOK {
		t.Fatalf("skald %s: exit code %d\n%s", strings.Join(args, " "), code, text)
	}
	return text
}

// From a key to a fight under tokens, on the command line alone.
func TestTokensOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	key, jwks := filepath.Join(dir, "table.key"), filepath.Join(dir, "keys.json")
	must(t, "token", "keygen", key, "--jwks", jwks, "--alg", auth.ES256)
	sign := func(args ...string) string {
		return must(t, append([]string{"token", "sign", "--key", key}, args...)...)
	}
	gm, ann := sign("--role", "gm", "--sub", "kim"), filepath.Join(dir, "ann.token")
	if err := os.WriteFile(ann, []byte(sign("--sub", "ann", "--encounters", "bridge")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, log := up(t, "--auth-jwks", jwks)
	if strings.Contains(log.String(), "open:") {
		t.Errorf("a server with keys says that it is open:\n%s", log)
	}
	at := func(args ...string) []string { return append(args, "--server", address) }
	must(t, at("encounter", "create", "--system", "rcr", "--id", "bridge", "--token", gm)...)
	must(t, at("encounter", "create", "--system", "rcr", "--id", "cellar", "--token", gm)...)
	must(t, at("encounter", "add", "bridge", "fighter", "--controller", "ann", "--token", gm)...)
	if text := must(t, at("watch", "bridge", "--once", "--token-file", ann)...); !strings.Contains(text, "#1") {
		t.Errorf("ann watches:\n%s", text)
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		text string
	}{
		"without a token":        {[]string{"encounter", "state", "bridge"}, exitDenied, auth.ReasonMissing},
		"a token that is none":   {[]string{"roll", "1d6", "--token", "x.y.z"}, exitDenied, auth.ReasonInvalid},
		"ann as the game master": {[]string{"encounter", "state", "bridge", "--token-file", ann, "--as", "gm"}, exitDenied, auth.ReasonWider},
		"ann as bob":             {[]string{"encounter", "state", "bridge", "--token-file", ann, "--as", "player:bob"}, exitDenied, auth.ReasonWider},
		"ann as a spectator":     {[]string{"encounter", "state", "bridge", "--token-file", ann, "--as", "spectator"}, exitOK, ""},
		"ann elsewhere":          {[]string{"encounter", "state", "cellar", "--token-file", ann}, exitNotFound, "UNKNOWN_ENCOUNTER"},
		"ann at another table":   {[]string{"encounter", "state", "bridge", "--token-file", ann, "--table", "other"}, exitNotFound, "UNKNOWN_ENCOUNTER"},
		"the gm as ann, to look": {[]string{"encounter", "state", "bridge", "--token", gm, "--as", "player:ann"}, exitOK, ""},
		"the gm as ann, to act":  {[]string{"encounter", "end-turn", "bridge", "fighter", "--token", gm, "--as", "player:ann"}, exitDenied, auth.ReasonWider},
		"two tokens":             {[]string{"roll", "1d6", "--token", gm, "--token-file", ann}, exitUsage, "one of them"},
	} {
		if text, code := skald(t, at(tt.args...)...); code != tt.code || !strings.Contains(text, tt.text) {
			t.Errorf("%s: exit code %d, want %d with %q\n%s", name, code, tt.code, tt.text, text)
		}
	}
}

func TestSignRefuses(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	must(t, "token", "keygen", key)
	for name, tt := range map[string]struct {
		args []string
		text string // of the refusal; empty: none
	}{
		"an hour":             {[]string{"--sub", "ann", "--for", "1h"}, ""},
		"more than an hour":   {[]string{"--sub", "ann", "--for", "61m"}, "--long"},
		"a day, said so":      {[]string{"--sub", "ann", "--for", "24h", "--long"}, ""},
		"the past":            {[]string{"--sub", "ann", "--for", "-1m"}, "--for"},
		"nobody":              {nil, "sub"},
		"an unknown role":     {[]string{"--sub", "ann", "--role", "owner"}, "gm, player, spectator, service"},
		"an unknown scope":    {[]string{"--sub", "ann", "--scope", "fly"}, "watch, execute"},
		"a gm with creatures": {[]string{"--sub", "kim", "--role", "gm", "--creatures", "orc"}, "creatures"},
	} {
		text, code := skald(t, append([]string{"token", "sign", "--key", key}, tt.args...)...)
		if want := exitOK; tt.text == "" && code != want || tt.text != "" && (code != exitUsage || !strings.Contains(text, tt.text)) {
			t.Errorf("%s: exit code %d\n%s", name, code, text)
		}
	}
	if text, code := skald(t, "token", "sign", "--sub", "ann"); code != exitUsage || !strings.Contains(text, "--key") {
		t.Errorf("without a key: %d\n%s", code, text)
	}
	if text, code := skald(t, "token", "keygen", key); code != exitUsage || !strings.Contains(text, "exists") {
		t.Errorf("over a key: %d\n%s", code, text)
	}
	token := must(t, "token", "sign", "--key", key, "--sub", "ann", "--scope", "watch", "--table", "attic")
	if text := must(t, "token", "show", token); !strings.Contains(text, "player ann") || !strings.Contains(text, "attic") || !strings.Contains(text, "scope      watch\n") {
		t.Errorf("shown:\n%s", text)
	}
}

// An invitation is read as the page reads it: by what stands behind the #.
func TestInvitation(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	must(t, "token", "keygen", key)
	for name, tt := range map[string]struct {
		args                 []string
		page, fight, refused string
	}{
		"a player":           {[]string{"--link", "https://table.example"}, "https://table.example/", "", ""},
		"one fight":          {[]string{"--link", "https://table.example/skald/", "--encounters", "bridge", "--fight", "bridge"}, "https://table.example/skald/", "bridge", ""},
		"an overlay":         {[]string{"--link", "http://127.0.0.1:7780/?view=overlay", "--role", "spectator", "--fight", "bridge"}, "http://127.0.0.1:7780/?view=overlay", "bridge", ""},
		"a strange id":       {[]string{"--link", "https://table.example/", "--fight", "a&token=b c"}, "https://table.example/", "a&token=b c", ""},
		"no address":         {[]string{"--link", "table.example"}, "", "", "--link"},
		"a script":           {[]string{"--link", "javascript:alert(1)"}, "", "", "--link"},
		"somebody's name":    {[]string{"--link", "https://table.example@evil.example/"}, "", "", "--link"},
		"a place already":    {[]string{"--link", "https://table.example/#/fight/bridge"}, "", "", "--link"},
		"a program":          {[]string{"--link", "https://table.example/", "--role", "service"}, "", "", "service"},
		"a fight not its":    {[]string{"--link", "https://table.example/", "--encounters", "bridge", "--fight", "cellar"}, "", "", "--fight"},
		"a fight, no link":   {[]string{"--fight", "bridge"}, "", "", "--link"},
		"an unsafe lifetime": {[]string{"--link", "https://table.example/", "--for", "25h"}, "", "", "--long"},
	} {
		text, code := skald(t, append([]string{"token", "sign", "--key", key, "--sub", "ann"}, tt.args...)...)
		if tt.refused != "" {
			if code != exitUsage || !strings.Contains(text, tt.refused) || strings.Contains(text, "eyJ") {
				t.Errorf("%s: exit code %d\n%s", name, code, text)
			}
			continue
		}
		page, behind, _ := strings.Cut(text, "#")
		said, err := url.ParseQuery(behind)
		if code != exitOK || err != nil || page != tt.page || said.Get("encounter") != tt.fight || len(said["token"]) != 1 {
			t.Errorf("%s: exit code %d, %v\n%s", name, code, err, text)
			continue
		}
		if shown := must(t, "token", "show", said.Get("token")); !strings.Contains(shown, " ann\n") {
			t.Errorf("%s: shown\n%s", name, shown)
		}
	}
	var out struct{ Token, Link string }
	text := must(t, "token", "sign", "--key", key, "--sub", "ann", "--link", "https://table.example", "--json")
	if err := json.Unmarshal([]byte(text), &out); err != nil || out.Token == "" || out.Link != "https://table.example/#token="+out.Token {
		t.Errorf("as JSON: %v\n%s", err, text)
	}
}

// Without keys the server says that it is open, takes the commands of the README
// as they are, and does not listen where others are.
func TestOpenMode(t *testing.T) {
	address, log := up(t)
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "open: no keys") {
		t.Errorf("an open server says:\n%s", log)
	}
	must(t, "encounter", "create", "--system", "rcr", "--id", "bridge", "--server", address)
	must(t, "encounter", "state", "bridge", "--as", "player:ann", "--server", address)
	text, code := skald(t, "up", "--data", t.TempDir(), "--listen", "0.0.0.0:0")
	if code != exitUsage || !strings.Contains(text, "--open") {
		t.Errorf("an open server in the network: exit code %d\n%s", code, text)
	}
}
