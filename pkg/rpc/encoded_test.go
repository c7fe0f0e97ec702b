package rpc

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// crier sends a message that is encoded already, whole or in parts, to whoever watches.
type crier struct {
	encounterv1.UnimplementedEncounterServiceServer
	says [][]byte
}

func (c crier) Watch(_ *encounterv1.WatchRequest, stream grpc.ServerStreamingServer[encounterv1.WatchResponse]) error {
	var parts []mem.Buffer
	for _, p := range c.says {
		parts = append(parts, mem.SliceBuffer(p))
	}
	m := NewEncoded((*encounterv1.WatchResponse)(nil).ProtoReflect().Type(), parts...)
	for range 2 { // it is not used up
		if err := stream.SendMsg(m); err != nil {
			return err
		}
	}
	return nil
}

// What is encoded already is, to whoever is sent it, the message that its bytes mean:
// compressed where the client wants that, within the limits, and by servers that know
// nothing of it as well.
func TestEncodedMessages(t *testing.T) {
	want := &encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: &encounterv1.Step{Number: 7, Cursor: "c", Bytes: bytes.Repeat([]byte("x"), 5000)}}}
	data, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	s := crier{says: [][]byte{data[:3], data[3:4000], data[4000:]}}
	if whole := NewEncoded(want.ProtoReflect().Type(), mem.SliceBuffer(data)); !proto.Equal(whole, want) || proto.Size(whole) != len(data) {
		t.Errorf("it is taken for %v", whole.ProtoReflect().Interface())
	}
	if junk := NewEncoded(want.ProtoReflect().Type(), mem.SliceBuffer{0xff}); proto.Size(junk) != 0 {
		t.Error("junk means something")
	}
	counts := prometheus.NewRegistry()
	metrics, err := NewMetrics(counts)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		server *grpc.Server
		opts   []grpc.CallOption
		code   codes.Code
	}{
		"as it is":           {server: NewServer(Options{}).Server},
		"compressed":         {server: NewServer(Options{}).Server, opts: []grpc.CallOption{grpc.UseCompressor(gzip.Name)}},
		"counted":            {server: NewServer(Options{Metrics: metrics}).Server},
		"too large":          {server: NewServer(Options{MaxMessage: 4000}).Server, code: codes.ResourceExhausted},
		"by another's codec": {server: grpc.NewServer()},
	} {
		t.Run(name, func(t *testing.T) {
			encounterv1.RegisterEncounterServiceServer(c.server, s)
			pipe := NewInProcess()
			served := make(chan error, 1)
			go func() { served <- c.server.Serve(pipe.Listener()) }() // ends with Stop
			defer func() { c.server.Stop(); <-served }()
			conn, err := pipe.Dial()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close() //nolint:errcheck // test
			stream, err := encounterv1.NewEncounterServiceClient(conn).Watch(context.Background(), &encounterv1.WatchRequest{}, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, err := stream.Recv()
				if c.code != codes.OK {
					if status.Code(err) != c.code || !strings.Contains(err.Error(), "larger than max") {
						t.Fatalf("got %v", err)
					}
					return
				}
				if err != nil || !proto.Equal(got, want) {
					t.Fatalf("got %v, %v", got, err)
				}
			}
		})
	}
	families, err := counts.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sent := 0.0
	for _, f := range families {
		for _, m := range f.Metric {
			if f.GetName() == "grpc_server_msg_sent_total" {
				sent += m.GetCounter().GetValue()
			}
		}
	}
	if sent != 2 {
		t.Errorf("%v messages were counted", sent)
	}
}
