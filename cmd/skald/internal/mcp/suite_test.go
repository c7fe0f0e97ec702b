package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fighters are two shipped creatures of each rule system.
var fighters = map[string][]string{
	"rcr":      {"fighter", "orc"},
	"spark":    {"blade", "reaver"},
	"basic":    {"sellsword", "marsh-orc"},
	"celesia":  {"sellsword", "marauder"},
	"original": {"swordsman", "orc-spearman"},
}

var master = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}

// suite is the suite behind a server with keys.
type suite struct {
	t      *testing.T
	open   encounterv1.EncounterServiceClient // for setting up: as the game master
	pipe   *rpc.InProcess
	signer *auth.Signer
	asked  int
}

func start(t *testing.T) *suite {
	t.Helper()
	dir, quiet := t.TempDir(), slog.New(slog.NewTextHandler(io.Discard, nil))
	_, err := auth.NewKey(filepath.Join(dir, "key"), auth.EdDSA)
	fatal(t, err)
	signer, err := auth.ReadSigner(filepath.Join(dir, "key"))
	fatal(t, err)
	fatal(t, signer.AddToKeySet(filepath.Join(dir, "keys.json")))
	guard, err := auth.NewGuard(t.Context(), auth.Options{JWKS: filepath.Join(dir, "keys.json")}, &net.TCPAddr{IP: net.IPv4zero}, quiet)
	fatal(t, err)
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: quiet})
	fatal(t, err)
	s := &suite{t: t, pipe: rpc.NewInProcess(), signer: signer, open: encounterv1.NewEncounterServiceClient(stack.Conn())}
	server := rpc.NewServer(rpc.Options{Logger: quiet, Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	stack.Register(server)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, server, s.pipe.Listener()) }() // ends with stop
	t.Cleanup(func() {
		stack.StopWatches()
		stop()
		if err := errors.Join(<-done, stack.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// token is a token of the table "main".
func (s *suite) token(role auth.Role, sub string, narrow func(*auth.Table)) string {
	s.t.Helper()
	claims := auth.Table{Table: "main", Role: role}
	if narrow != nil {
		narrow(&claims)
	}
	token, err := s.signer.Sign(auth.Claims{Skald: claims, RegisteredClaims: jwt.RegisteredClaims{Subject: sub, ExpiresAt: jwt.NewNumericDate(time.Now().Add(10 * time.Minute))}})
	fatal(s.t, err)
	return token
}

// config is what the tools are served over under a token.
func (s *suite) config(token string) Config {
	s.t.Helper()
	conn, err := s.pipe.Dial(grpc.WithPerRPCCredentials(auth.Bearer(token)))
	fatal(s.t, err)
	s.t.Cleanup(func() { conn.Close() }) //nolint:errcheck // the test is over
	return Config{Conn: conn, Timeout: 30 * time.Second, As: func() (*eventv1.Principal, error) { return Bearer(token) }}
}

// client is a client of the tools under a token, by way of the protocol.
func (s *suite) client(token string) *client {
	s.t.Helper()
	here, there := sdk.NewInMemoryTransports()
	serving, err := newService(s.config(token)).server().Connect(s.t.Context(), there, nil)
	fatal(s.t, err)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(s.t.Context(), here, nil)
	fatal(s.t, err)
	s.t.Cleanup(func() {
		session.Close() //nolint:errcheck // the test is over
		serving.Wait()  //nolint:errcheck // as above
	})
	return &client{t: s.t, session: session}
}

// do carries out a command of the game master's, past the tools.
func (s *suite) do(encounter string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	s.t.Helper()
	s.asked++
	resp, err := s.open.Execute(s.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("setup-%d", s.asked), As: master, Encounter: encounter, Command: cmd})
	fatal(s.t, err)
	return resp
}

func (s *suite) create(encounter, system string) {
	s.t.Helper()
	s.do(encounter, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: system, Title: "A duel"}}})
}

// add puts a shipped creature on the field.
func (s *suite) add(encounter, system, sheet, id string, x int32, change func(*eventv1.AddCreature)) {
	s.t.Helper()
	what, err := sheets.Get(system, sheet)
	fatal(s.t, err)
	what.Id, what.Controllers = id, nil
	add := &eventv1.AddCreature{Sheet: what, Position: &eventv1.Position{X: x}}
	if change != nil {
		change(add)
	}
	s.do(encounter, &eventv1.Command{What: &eventv1.Command_Add{Add: add}})
}

func (s *suite) begin(encounter string) {
	s.t.Helper()
	s.do(encounter, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

// duel is a fight of Ann's creature, one, against the game master's, two.
func (s *suite) duel(encounter, system string) {
	s.t.Helper()
	s.create(encounter, system)
	s.add(encounter, system, fighters[system][0], "one", 0, func(a *eventv1.AddCreature) { a.Sheet.Controllers = []string{"ann"} })
	s.add(encounter, system, fighters[system][1], "two", 5, nil)
}

// client calls tools.
type client struct {
	t       *testing.T
	session *sdk.ClientSession
	calls   int
	longest int // bytes of the longest result
}

// answered is a result, as a client gets it.
type answered struct {
	text   string
	failed bool
	raw    []byte // all of it
	data   map[string]any
}

// call calls a tool; nothing but the protocol itself may fail.
func (c *client) call(tool string, args any) answered {
	c.t.Helper()
	c.calls++
	res, err := c.session.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, args, err)
	}
	raw, err := json.Marshal(res)
	fatal(c.t, err)
	c.longest = max(c.longest, len(raw))
	out := answered{failed: res.IsError, raw: raw}
	out.data, _ = res.StructuredContent.(map[string]any)
	for _, x := range res.Content {
		out.text += x.(*sdk.TextContent).Text
	}
	return out
}

// good calls a tool that must not refuse, and reads its result.
func (c *client) good(tool string, args, into any) answered {
	c.t.Helper()
	a := c.call(tool, args)
	if a.failed {
		c.t.Fatalf("%s %v: %s", tool, args, a.text)
	}
	if into != nil {
		a.read(c.t, into)
	}
	return a
}

func (a answered) read(t *testing.T, into any) {
	t.Helper()
	data, err := json.Marshal(a.data)
	fatal(t, err)
	fatal(t, json.Unmarshal(data, into))
}

// refusedWith holds that a tool refuses with a reason.
func (c *client) refusedWith(reason, tool string, args any) answered {
	c.t.Helper()
	a := c.call(tool, args)
	got, _ := a.data["refused"].(map[string]any)
	if !a.failed || got["reason"] != reason || !strings.Contains(a.text, reason) {
		c.t.Errorf("%s %.200v: want a refusal for %s, got failed %v: %.600s", tool, args, reason, a.failed, a.text)
	}
	return a
}

type args = map[string]any
