package auth

import (
	"context"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

func principal(role eventv1.Principal_Role, name string) *eventv1.Principal {
	return &eventv1.Principal{Role: role, Name: name}
}

const (
	roleGM        = eventv1.Principal_ROLE_GM
	rolePlayer    = eventv1.Principal_ROLE_PLAYER
	roleSpectator = eventv1.Principal_ROLE_SPECTATOR
)

// What a request says may narrow what the token says, and never widens it.
func TestWhoSpeaks(t *testing.T) {
	tokens := map[Role]*Grant{
		GM:        {Role: GM, Subject: "kim", ID: "j"},
		Player:    {Role: Player, Subject: "ann", ID: "j", Creatures: []string{"jeera"}},
		Spectator: {Role: Spectator, Subject: "zoe", ID: "j"},
		Service:   {Role: Service, Subject: "vtt", ID: "j"},
	}
	forged := &eventv1.Principal{Role: rolePlayer, Name: "ann", Creatures: []string{"orc"}, Token: "other", Subject: "other"}
	for name, tt := range map[string]struct {
		token Role
		asked *eventv1.Principal
		want  *eventv1.Principal // nil: refused
	}{
		"gm, nothing said":         {GM, nil, &eventv1.Principal{Role: roleGM, Name: "kim", Token: "j"}},
		"gm as gm":                 {GM, principal(roleGM, "gm"), &eventv1.Principal{Role: roleGM, Name: "kim", Token: "j"}},
		"gm as a player":           {GM, principal(rolePlayer, "ann"), &eventv1.Principal{Role: rolePlayer, Name: "ann", Token: "j", Subject: "kim"}},
		"gm as a spectator":        {GM, principal(roleSpectator, ""), &eventv1.Principal{Role: roleSpectator, Token: "j", Subject: "kim"}},
		"gm as nobody known":       {GM, principal(99, ""), nil},
		"player, nothing said":     {Player, nil, &eventv1.Principal{Role: rolePlayer, Name: "ann", Token: "j", Creatures: []string{"jeera"}}},
		"player as itself":         {Player, principal(rolePlayer, "ann"), &eventv1.Principal{Role: rolePlayer, Name: "ann", Token: "j", Creatures: []string{"jeera"}}},
		"player, forged fields":    {Player, forged, &eventv1.Principal{Role: rolePlayer, Name: "ann", Token: "j", Creatures: []string{"jeera"}}},
		"player as another":        {Player, principal(rolePlayer, "bob"), nil},
		"player as gm":             {Player, principal(roleGM, ""), nil},
		"player as gm of its name": {Player, principal(roleGM, "ann"), nil},
		"player as a spectator":    {Player, principal(roleSpectator, ""), &eventv1.Principal{Role: roleSpectator, Token: "j", Subject: "ann"}},
		"a name without a role":    {Player, principal(0, "ann"), nil},
		"spectator, nothing said":  {Spectator, nil, &eventv1.Principal{Role: roleSpectator, Name: "zoe", Token: "j"}},
		"spectator as a player":    {Spectator, principal(rolePlayer, "zoe"), nil},
		"spectator as gm":          {Spectator, principal(roleGM, "zoe"), nil},
		"service as gm":            {Service, principal(roleGM, "gm"), &eventv1.Principal{Role: roleGM, Name: "gm", Token: "j", Subject: "vtt"}},
		"service as a player":      {Service, principal(rolePlayer, "ann"), &eventv1.Principal{Role: rolePlayer, Name: "ann", Token: "j", Subject: "vtt"}},
		"service, forged fields":   {Service, forged, &eventv1.Principal{Role: rolePlayer, Name: "ann", Token: "j", Subject: "vtt"}},
		"service, nothing said":    {Service, nil, nil},
	} {
		g := *tokens[tt.token]
		g.Scope, g.Table = Scopes(), "main"
		req := &encounterv1.GetStateRequest{As: tt.asked, Encounter: "e"}
		_, err := g.apply(permissions[encounterv1.EncounterService_GetState_FullMethodName], req)
		if tt.want == nil {
			if err == nil {
				t.Errorf("%s: speaks as %v", name, req.As)
			}
			continue
		}
		if err != nil || !proto.Equal(req.As, tt.want) || req.Table != "main" || g.Principal != req.As {
			t.Errorf("%s: as %v at %q, %v; want %v", name, req.As, req.Table, err, tt.want)
		}
	}
}

// Who looks as somebody else acts as nobody else.
func TestLooksOnly(t *testing.T) {
	g := &Grant{Role: GM, Subject: "kim", Table: "main", Scope: Scopes()}
	for _, req := range []proto.Message{
		&encounterv1.ExecuteRequest{As: principal(rolePlayer, "ann"), Encounter: "e"},
		&injuryv1.TendRequest{As: principal(rolePlayer, "ann")},
	} {
		method := encounterv1.EncounterService_Execute_FullMethodName
		if _, ok := req.(*injuryv1.TendRequest); ok {
			method = injuryv1.InjuryService_Tend_FullMethodName
		}
		if _, err := g.apply(permissions[method], req); !isReason(err, ReasonWider) {
			t.Errorf("%T: %v", req, err)
		}
	}
}

func isReason(err error, reason string) bool {
	f, ok := fault.As(err)
	return ok && f.Reason == reason
}

// An open server believes what a caller says of itself, but for what only a token
// can say.
func TestOpenDropsWhatOnlyAServerSays(t *testing.T) {
	g := &Grant{Open: true}
	req := &encounterv1.GetStateRequest{Encounter: "e", Table: "any",
		As: &eventv1.Principal{Role: rolePlayer, Name: "ann", Creatures: []string{"a"}, Token: "j", Subject: "s"}}
	if _, err := g.apply(permissions[encounterv1.EncounterService_GetState_FullMethodName], req); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(req.As, principal(rolePlayer, "ann")) || req.Table != "any" {
		t.Errorf("request %v", req)
	}
}

// A new command needs a line in the table of scopes.
func TestEveryCommandHasAScope(t *testing.T) {
	fields := (&eventv1.Command{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range fields.Len() {
		name := fields.Get(i).Name()
		if commandScopes[name] == "" {
			t.Errorf("command %s has no scope", name)
		}
	}
	if len(commandScopes) != fields.Len() {
		t.Errorf("%d scopes of %d commands", len(commandScopes), fields.Len())
	}
}

// What a create names, in the request or in the command, is the token's.
func TestCreateElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		encounters []string
		table, id  string
		inTable    string
		inID       string
		ok         bool
	}{
		"all of the table":          {nil, "", "new", "", "", true},
		"an id by the server":       {nil, "", "", "", "", true},
		"named twice":               {nil, "main", "new", "main", "new", true},
		"another table":             {nil, "other", "new", "", "", false},
		"another in the command":    {nil, "main", "new", "other", "", false},
		"one of the token's":        {[]string{"new"}, "", "new", "", "", true},
		"none of the token's":       {[]string{"new"}, "", "old", "", "", false},
		"another in the command id": {[]string{"new"}, "", "new", "", "old", false},
		"an id nobody has named":    {[]string{"new"}, "", "", "", "", false},
	} {
		g := &Grant{Role: GM, Subject: "kim", Table: "main", Scope: DefaultScopes(GM), Encounters: tt.encounters}
		req := &encounterv1.ExecuteRequest{Table: tt.table, Encounter: tt.id, Command: &eventv1.Command{
			What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Table: tt.inTable, Encounter: tt.inID}}}}
		_, err := g.apply(permissions[encounterv1.EncounterService_Execute_FullMethodName], req)
		if (err == nil) != tt.ok || err != nil && !isReason(err, ReasonElsewhere) {
			t.Errorf("%s: %v", name, err)
		}
		if tt.ok && (req.Table != "main" || req.Command.GetCreate().Table != "main") {
			t.Errorf("%s: at %q and %q", name, req.Table, req.Command.GetCreate().Table)
		}
	}
}

func TestOpenOnlyOnLoopback(t *testing.T) {
	w := newWorld(t)
	local, any4 := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, &net.TCPAddr{IP: net.IPv4zero, Port: 1}
	for name, tt := range map[string]struct {
		o      Options
		listen net.Addr
		opens  bool
		text   string // of the error; empty: none
	}{
		"here":               {Options{}, local, true, ""},
		"here, IPv6":         {Options{}, &net.TCPAddr{IP: net.IPv6loopback}, true, ""},
		"everywhere":         {Options{}, any4, false, "--open"},
		"everywhere, IPv6":   {Options{}, &net.TCPAddr{IP: net.IPv6zero}, false, "--open"},
		"in the network":     {Options{}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, false, "--open"},
		"told so":            {Options{Open: true}, any4, true, ""},
		"with keys":          {Options{JWKS: w.jwks}, any4, false, ""},
		"with a secret":      {Options{Secret: w.secret}, any4, false, ""},
		"both":               {Options{JWKS: w.jwks, Open: true}, local, false, "--open"},
		"issuer alone":       {Options{Issuer: "x"}, local, false, "--auth-jwks"},
		"revocations alone":  {Options{Revoked: "x"}, local, false, "--auth-jwks"},
		"keys not to be had": {Options{JWKS: w.path("none")}, local, false, "none"},
	} {
		var log strings.Builder
		g, err := NewGuard(t.Context(), tt.o, tt.listen, slog.New(slog.NewTextHandler(&log, nil)))
		if tt.text != "" {
			if err == nil || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || g.IsOpen() != tt.opens {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if said := strings.Contains(log.String(), "level=WARN"); said != tt.opens {
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}

// Only the services' secret opens what is for the services.
func TestServiceKey(t *testing.T) {
	w := newWorld(t)
	w.key("service", HS256, "")
	ours, err := ReadServiceKey(w.path("service"), "skald-encounter")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := ReadServiceKey(w.secret, "skald-encounter")
	if err != nil {
		t.Fatal(err)
	}
	call := func(k *ServiceKey, authorization ...string) error {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.MD{"authorization": authorization})
		_, err := k.Unary(ctx, nil, &grpc.UnaryServerInfo{FullMethod: "/skald.dice.v1.TapeService/Draw"},
			func(context.Context, any) (any, error) { return nil, nil })
		return err
	}
	header := func(k *ServiceKey) string {
		md, err := k.GetRequestMetadata(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return md["authorization"]
	}
	if err := call(ours, header(ours)); err != nil {
		t.Errorf("a service: %v", err)
	}
	secret, err := ReadSigner(w.path("service"))
	if err != nil {
		t.Fatal(err)
	}
	for name, authorization := range map[string][]string{
		"nothing":                      nil,
		"another secret":               {header(theirs)},
		"a caller's token":             {"Bearer " + w.raw(w.ed, good())},
		"a caller's token by a secret": {"Bearer " + w.raw(w.hs, good())},
		"a caller's token by ours":     {"Bearer " + w.raw(secret, good())},
		"two at once":                  {header(ours), header(ours)},
		"no bearer":                    {strings.TrimPrefix(header(ours), "Bearer ")},
	} {
		if err := call(ours, authorization...); !fault.Is(err, fault.Denied) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// And a service is nobody where callers are, even where its secret is known.
	v := w.verifier(Options{JWKS: w.jwks, Secret: w.path("service")})
	_, err = v.Verify(t.Context(), strings.TrimPrefix(header(ours), "Bearer "))
	refused(t, "a service among callers", err, ReasonInvalid, "aud")
}

func TestCovers(t *testing.T) {
	var none *Grant
	for g, want := range map[*Grant][]bool{none: {true, true}, {Open: true}: {true, true}, {}: {true, true}, {Encounters: []string{"a"}}: {true, false}} {
		if got := []bool{g.Covers("a"), g.Covers("b")}; !slices.Equal(got, want) {
			t.Errorf("%+v covers %v", g, got)
		}
	}
}
