package allinone_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/console"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/web"
	"github.com/skaldrpg/skald/pkg/web/webtest"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// onWeb serves a server to browsers until the test ends, and returns its address.
func onWeb(t *testing.T, stack *allinone.Stack, o web.Options) string {
	t.Helper()
	page, err := console.Files()
	if err != nil {
		t.Fatal(err)
	}
	o.Logger, o.Page = quiet(), page
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
		stack.StopWatches()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return strings.TrimSuffix(web.Address(l.Addr(), o.TLS != nil, "/"), "/")
}

// http1 and http2 are clients of one version each; what they hold ends with the test.
func http1(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func http2(t *testing.T) *http.Client {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: p, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ways are all ways by which a browser may call.
func ways(t *testing.T, address, token string) map[string]*webtest.Conn {
	out := map[string]*webtest.Conn{}
	for version, client := range map[string]*http.Client{"HTTP/1.1": http1(t), "HTTP/2": http2(t)} {
		for _, c := range []*webtest.Conn{{}, {JSON: true}, {Web: true}} {
			c.Client, c.URL, c.Header = client, address, http.Header{}
			if token != "" {
				c.Header.Set("Authorization", "Bearer "+token)
			}
			out[c.String()+" "+version] = c
		}
	}
	return out
}

// ask makes a call of any method, and returns all replies until the stream says that
// it has caught up.
func ask(ctx context.Context, conn grpc.ClientConnInterface, method string, req proto.Message) (replies []proto.Message, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	service, name, _ := strings.Cut(method[1:], "/")
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + name))
	if err != nil {
		return nil, err
	}
	m := d.(protoreflect.MethodDescriptor)
	made := func(d protoreflect.MessageDescriptor) proto.Message {
		mt, e := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
		err = errors.Join(err, e)
		return mt.New().Interface()
	}
	if req == nil {
		req = made(m.Input())
	}
	if !m.IsStreamingServer() {
		reply := made(m.Output())
		err = conn.Invoke(ctx, method, req, reply)
		return []proto.Message{reply}, err
	}
	s, err := conn.NewStream(ctx, &grpc.StreamDesc{StreamName: name, ServerStreams: true}, method)
	if err == nil {
		err = s.SendMsg(req)
	}
	if err == nil {
		err = s.CloseSend()
	}
	for err == nil {
		reply := made(m.Output())
		if err = s.RecvMsg(reply); err == nil {
			replies = append(replies, reply)
		}
		if w, ok := reply.(*encounterv1.WatchResponse); ok && w.GetCaughtUp() != nil {
			return replies, nil
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return replies, err
}

// differ are methods whose replies are never the same twice.
var differ = []string{"/skald.ops.v1.OperationsService/GetStatus"}

// alike compares what two ways answered.
func alike(method string, want, got []proto.Message, wantErr, gotErr error) bool {
	w, g := status.Convert(wantErr), status.Convert(gotErr)
	if w.Code() != g.Code() || w.Message() != g.Message() || !slices.EqualFunc(w.Details(), g.Details(), func(a, b any) bool {
		one, ok := a.(proto.Message)
		two, too := b.(proto.Message)
		return ok && too && proto.Equal(one, two)
	}) {
		return false
	}
	return wantErr != nil || slices.Contains(differ, method) || slices.EqualFunc(want, got, proto.Equal)
}

// TestEveryWayAnswersAlike: each method of the table of permissions, as each role with
// all scopes, with none and without a token, is answered over Connect and gRPC-Web as
// over gRPC: the same replies, the same errors with the same details.
func TestEveryWayAnswersAlike(t *testing.T) {
	g := startGuarded(t)
	g.play("main", "bridge", "jeera")
	address := onWeb(t, g.stack, web.Options{Server: g.server})
	served := map[string]bool{}
	for _, m := range g.server.Methods() {
		served[m.Name] = !m.ClientStreams
	}
	for _, who := range []struct {
		role auth.Role
		list []auth.Scope
	}{{}, {auth.GM, auth.Scopes()}, {auth.Player, auth.Scopes()}, {auth.Spectator, nil}, {auth.Service, auth.Scopes()}, {auth.GM, []auth.Scope{}}} {
		var token string
		var dialing []grpc.DialOption
		if who.role != "" {
			bearer := g.token(auth.Table{Table: "main", Role: who.role, Scope: who.list})
			token, dialing = string(bearer), append(dialing, grpc.WithPerRPCCredentials(bearer))
		}
		over, conn := ways(t, address, token), g.dial(dialing...)
		for _, c := range matrix() {
			delete(served, c.method)
			var req proto.Message
			if c.request != nil {
				as := master
				if who.role != auth.Service {
					as = nil
				}
				req = c.request("main", "bridge", "jeera", as)
			}
			if _, err := ask(t.Context(), conn, c.method, req); status.Code(err) == codes.Unknown { // what is done once is done by it
				t.Fatalf("%s: %v", c.method, err)
			}
			want, wantErr := ask(t.Context(), conn, c.method, req)
			for name, w := range over {
				if got, err := ask(t.Context(), w, c.method, req); !alike(c.method, want, got, wantErr, err) {
					t.Errorf("%s %s as %q over %s:\n%v, %v\nover gRPC:\n%v, %v", c.method, c.command, who.role, name,
						got, status.Convert(err).Proto(), want, status.Convert(wantErr).Proto())
				}
			}
		}
	}
	for name, rest := range served {
		if rest && !strings.HasPrefix(name, "/grpc.") {
			t.Errorf("%s was not called", name)
		}
	}
}

// TestHealthOverEveryWay: what needs no token needs none.
func TestHealthOverEveryWay(t *testing.T) {
	g := startGuarded(t)
	for name, w := range ways(t, onWeb(t, g.stack, web.Options{Server: g.server}), "") {
		got, err := ask(t.Context(), w, "/grpc.health.v1.Health/Check", nil)
		if err != nil || !strings.Contains(got[0].(interface{ String() string }).String(), "SERVING") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if _, err := ask(t.Context(), w, enc+"GetState", nil); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: without a token: %v", name, err)
		}
		if err := w.Invoke(t.Context(), enc+"Nothing", &encounterv1.GetStateRequest{}, &encounterv1.GetStateResponse{}); status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: an unknown method: %v", name, err)
		}
		if err := w.Invoke(t.Context(), "/skald.dice.v1.TapeService/Draw", &encounterv1.GetStateRequest{}, &encounterv1.GetStateResponse{}); status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: a method of the services among themselves: %v", name, err)
		}
	}
}

// TestTwoTokensAreNone: over HTTP, too, a call shows one token.
func TestTwoTokensAreNone(t *testing.T) {
	g := startGuarded(t)
	token := string(g.token(auth.Table{Table: "main", Role: auth.GM}))
	for name, w := range ways(t, onWeb(t, g.stack, web.Options{Server: g.server}), token) {
		ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)
		if _, err := ask(ctx, w, book+"ListSystems", nil); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ask(t.Context(), w, book+"ListSystems", nil); err != nil {
			t.Errorf("%s: with one: %v", name, err)
		}
	}
}
