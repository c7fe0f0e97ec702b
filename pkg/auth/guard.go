package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
)

// Reasons of faults about what a valid token does not allow; all give the status
// PERMISSION_DENIED.
const (
	ReasonMethod    = "METHOD_REFUSED"
	ReasonScope     = "SCOPE_MISSING"
	ReasonRole      = "ROLE_REFUSED"
	ReasonWider     = "AS_WIDER"
	ReasonElsewhere = "NOT_YOUR_TABLE"
)

// Options says which tokens a server takes.
type Options struct {
	// JWKS is a file or an http(s) address with the public keys of tokens.
	JWKS string
	// Secret is a file with the secret of tokens that one process signs and checks.
	Secret string
	// Issuer is the only one whose tokens are good; empty means any.
	Issuer string
	// Revoked is a file of tokens that are no longer good.
	Revoked string
	// MaxAge is how far ahead a token's expiry may be; 0 means DefaultMaxAge.
	MaxAge time.Duration
	// Open lets a server without keys listen where others than this machine reach it.
	Open bool
	// Skew is how far apart the clocks of a table may be; 0 means 30 seconds, less
	// means none.
	Skew time.Duration
}

// Flags adds the flags of the options.
func (o *Options) Flags(f *pflag.FlagSet) {
	f.StringVar(&o.JWKS, "auth-jwks", "", "file or http(s) address of the key set (JWKS) that callers' tokens are checked with")
	f.StringVar(&o.Secret, "auth-secret", "", "file of the secret that callers' HS256 tokens are checked with, for a single process")
	f.StringVar(&o.Issuer, "auth-issuer", "", "the only issuer whose tokens are good; empty means any that has a key")
	f.StringVar(&o.Revoked, "auth-revoked", "", "file of revoked tokens: lines \"jti ID\" or \"sub NAME before TIME\"")
	f.DurationVar(&o.MaxAge, "auth-max-age", DefaultMaxAge, "how far ahead a token may expire")
	f.BoolVar(&o.Open, "open", false, "without keys, let anybody be anyone on an address that others reach")
}

// closed tells whether callers need tokens.
func (o Options) closed() bool { return o.JWKS != "" || o.Secret != "" }

func (o Options) check() error {
	switch {
	case o.closed() && o.Open:
		return errors.New("auth: --open goes without --auth-jwks and --auth-secret: a server has keys or is open")
	case !o.closed() && (o.Issuer != "" || o.Revoked != ""):
		return errors.New("auth: --auth-issuer and --auth-revoked need --auth-jwks or --auth-secret")
	}
	return nil
}

// Guard holds every call of a server against its token and the permissions. The
// zero value is that of an open server.
type Guard struct{ verifier *Verifier }

// NewGuard reads the keys. A server without keys is open; on an address that
// others than this machine reach, that is an error unless the options say so.
func NewGuard(ctx context.Context, o Options, listen net.Addr, log *slog.Logger) (*Guard, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.closed() {
		v, err := newVerifier(ctx, o, log)
		if err != nil {
			return nil, err
		}
		return &Guard{verifier: v}, nil
	}
	if err := o.Reachable(listen); err != nil {
		return nil, err
	}
	log.WarnContext(ctx, "open: no keys, so every caller is believed to be whom it says it is", "listen", listen.String())
	return &Guard{}, nil
}

// Reachable says whether a server with these options may listen on an address: without
// keys only where nobody but this machine reaches it, unless the options say so.
func (o Options) Reachable(listen net.Addr) error {
	if o.closed() || o.Open || loopback(listen) {
		return nil
	}
	return fmt.Errorf("auth: %s can be reached by others, and without keys anybody could be the game master there: "+
		"give --auth-jwks or --auth-secret (see `skald token`), listen on 127.0.0.1, or say --open", listen)
}

// loopback tells whether only this machine reaches an address.
func loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// IsOpen tells whether the server asks for no tokens.
func (g *Guard) IsOpen() bool { return g.verifier == nil }

// Run keeps keys and revocations up to date until the context ends.
func (g *Guard) Run(ctx context.Context) {
	if g.verifier != nil {
		g.verifier.Run(ctx)
	}
}

type grantKey struct{}

// From is what the call of a context may do; nil where no guard stands before the
// service, as in process among services.
func From(ctx context.Context) *Grant {
	g, _ := ctx.Value(grantKey{}).(*Grant)
	return g
}

// admit is the first half: who calls, and may such a one call the method.
func (g *Guard) admit(ctx context.Context, method string) (*Grant, permission, error) {
	p, ok := permissions[method]
	if !ok {
		return nil, p, denied(ReasonMethod, "no caller may call this method")
	}
	if p.free || g.verifier == nil {
		return &Grant{Open: true}, p, nil
	}
	token, err := bearer(ctx)
	if err != nil {
		return nil, p, err
	}
	grant, err := g.verifier.Verify(ctx, token)
	return grant, p, err
}

// bearer is the token of a call.
func bearer(ctx context.Context) (string, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	switch values := md.Get("authorization"); len(values) {
	case 0:
		return "", fault.New(fault.Denied, ReasonMissing, "a token is needed: authorization: Bearer TOKEN")
	case 1:
		kind, token, ok := strings.Cut(values[0], " ")
		if token = strings.TrimSpace(token); ok && strings.EqualFold(kind, "bearer") && token != "" {
			return token, nil
		}
	}
	return "", fault.New(fault.Denied, ReasonInvalid, "authorization: want one, of the form Bearer TOKEN")
}

// Unary is the interceptor of calls with one answer.
func (g *Guard) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	grant, p, err := g.admit(ctx, info.FullMethod)
	if err != nil {
		return nil, err
	}
	if m, ok := req.(proto.Message); ok && !p.free {
		if reply, err := grant.apply(p, m); reply != nil || err != nil {
			return reply, err
		}
	}
	return next(context.WithValue(ctx, grantKey{}, grant), req)
}

// Stream is the interceptor of streams.
func (g *Guard) Stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	grant, p, err := g.admit(ss.Context(), info.FullMethod)
	if err != nil {
		return err
	}
	if p.free {
		return next(srv, ss)
	}
	return next(srv, &guarded{ServerStream: ss, ctx: context.WithValue(ss.Context(), grantKey{}, grant), grant: grant, permission: p})
}

// guarded is a stream whose requests are held against the grant.
type guarded struct {
	grpc.ServerStream
	ctx        context.Context //nolint:containedctx // a stream has one
	grant      *Grant
	permission permission
}

// Context implements grpc.ServerStream.
func (s *guarded) Context() context.Context { return s.ctx }

// RecvMsg implements grpc.ServerStream.
func (s *guarded) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	if req, ok := m.(proto.Message); ok {
		_, err := s.grant.apply(s.permission, req)
		return err
	}
	return nil
}

func denied(reason, format string, args ...any) error {
	return fault.New(fault.Denied, reason, format, args...)
}

// unknownEncounter, unknownPatient and unknownPack are word for word what the
// services say.
func unknownEncounter(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_ENCOUNTER", "there is no encounter %q", id)
}

func unknownPatient(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "there is no patient %q", id)
}

func unknownPack(name string) error {
	return fault.New(fault.NotFound, "UNKNOWN_PACK", "there is no pack %q", name)
}
