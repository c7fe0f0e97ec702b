package rpc

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// raw sends bytes as they are.
type raw struct{}

func (raw) Name() string { return "proto" }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

// echo is the encounter service with a reply to everything.
type echo struct {
	encounterv1.UnimplementedEncounterServiceServer
}

func (echo) Execute(context.Context, *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	return &encounterv1.ExecuteResponse{}, nil
}

func (echo) Watch(*encounterv1.WatchRequest, grpc.ServerStreamingServer[encounterv1.WatchResponse]) error {
	return nil
}

func startEcho(t *testing.T, o Options) *grpc.ClientConn {
	t.Helper()
	server := NewServer(o)
	encounterv1.RegisterEncounterServiceServer(server, echo{})
	pipe := NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, server, pipe.Listener()) }()
	cc, err := pipe.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cc.Close()
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return cc
}

// sendRaw sends bytes to a unary method and to a stream, and returns both ends.
func sendRaw(t *testing.T, cc *grpc.ClientConn, data []byte) (unary, stream error) {
	t.Helper()
	var reply []byte
	unary = cc.Invoke(t.Context(), encounterv1.EncounterService_Execute_FullMethodName, data, &reply, grpc.ForceCodecV2(raw{}))
	s, err := cc.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true}, encounterv1.EncounterService_Watch_FullMethodName, grpc.ForceCodecV2(raw{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SendMsg(data); err != nil {
		t.Fatal(err)
	}
	if err := s.CloseSend(); err != nil {
		t.Fatal(err)
	}
	return unary, s.RecvMsg(&reply)
}

func field(num protowire.Number, content string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, num, protowire.BytesType), content)
}

// TestUnreadableRequests: bytes that are no request are the caller's mistake, on
// unary calls and streams, with the field where it can be told.
func TestUnreadableRequests(t *testing.T) {
	cc := startEcho(t, Options{Logger: slog.New(slog.DiscardHandler)})
	nested := func(nums ...protowire.Number) []byte {
		out := "\xff"
		for i := len(nums) - 1; i >= 0; i-- {
			out = string(field(nums[i], out))
		}
		return []byte(out)
	}
	num := func(names ...string) (out []protowire.Number) {
		md := (&encounterv1.ExecuteRequest{}).ProtoReflect().Descriptor()
		for _, n := range names {
			fd := md.Fields().ByName(protoreflect.Name(n))
			if fd == nil {
				t.Fatalf("no field %s", n)
			}
			out = append(out, fd.Number())
			md = fd.Message()
		}
		return out
	}
	for name, c := range map[string]struct {
		data  []byte
		field string
	}{
		"request id":       {nested(num("request_id")...), "request_id"},
		"name of a sheet":  {nested(num("command", "add", "sheet", "name")...), "command.add.sheet.name"},
		"second of a list": {fieldOf(num("command", "take"), field(num("command", "take", "targets")[2], "orc"), field(num("command", "take", "targets")[2], "\xc0")), "command.take.targets[1]"},
		"map":              {nested(num("command", "create", "settings", "value")...), "command.create.settings.value"},
		"garbage":          {[]byte("\xff\xff\xff\xff this is no protobuf"), ""},
		"cut off":          {append(field(num("request_id")[0], "abc")[:3], 0x0a), ""},
		"tag alone":        {[]byte("\x0a"), ""},
	} {
		unary, stream := sendRaw(t, cc, c.data)
		if got := unreadable(unary); got != c.field {
			t.Errorf("%s: %v", name, unary)
		}
		// Watch has other fields: only that it is the caller's mistake.
		if name == "garbage" || name == "tag alone" {
			if got := unreadable(stream); got != "" {
				t.Errorf("%s, stream: %v", name, stream)
			}
		}
	}
	// The stream's own request.
	watch := (&encounterv1.WatchRequest{}).ProtoReflect().Descriptor().Fields().ByName("after").Number()
	if _, stream := sendRaw(t, cc, field(watch, "\xff")); unreadable(stream) != "after" {
		t.Errorf("watch: %v", stream)
	}
	// What can be read is.
	good, err := proto.Marshal(&encounterv1.ExecuteRequest{RequestId: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	if unary, _ := sendRaw(t, cc, good); unary != nil {
		t.Errorf("a good request: %v", unary)
	}
}

func fieldOf(path []protowire.Number, content ...[]byte) []byte {
	out := ""
	for _, c := range content {
		out += string(c)
	}
	for i := len(path) - 1; i >= 0; i-- {
		out = string(field(path[i], out))
	}
	return []byte(out)
}

// unreadable gives the field of a refusal, "?" for any other error.
func unreadable(err error) string {
	f, ok := fault.As(err)
	if !ok || status.Code(err) != codes.InvalidArgument || f.Reason != ReasonUnreadable {
		return "?"
	}
	if len(f.Violations) == 0 {
		return ""
	}
	return f.Violations[0].Field
}

// TestAMarkCanNotBeForged: a message that looks marked to somebody who does not
// know the mark is a message like any other.
func TestAMarkCanNotBeForged(t *testing.T) {
	c := newCodec()
	m := &wrapperspb.StringValue{}
	m.ProtoReflect().SetUnknown(field(markField, strings.Repeat("\x00", 16)+"field\x00why"))
	if err := c.unreadable(m); err != nil {
		t.Error(err)
	}
}

// TestTexts: every text of every request is checked, wherever it stands.
func TestTexts(t *testing.T) {
	cc := startEcho(t, Options{Logger: slog.New(slog.DiscardHandler)})
	client := encounterv1.NewEncounterServiceClient(cc)
	facts, err := structpb.NewStruct(map[string]any{"a": []any{"fine", map[string]any{"b": "bad\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	key, err := structpb.NewStruct(map[string]any{"a\x1b": 1})
	if err != nil {
		t.Fatal(err)
	}
	said, err := structpb.NewStruct(map[string]any{"a": unseen})
	if err != nil {
		t.Fatal(err)
	}
	sheet := func(s *eventv1.Sheet) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}}
	}
	for _, c := range []struct {
		field string
		req   *encounterv1.ExecuteRequest
	}{
		{"", &encounterv1.ExecuteRequest{RequestId: "Käse 1", As: &eventv1.Principal{Name: "Ann"}, Command: sheet(&eventv1.Sheet{Name: "Grak"})}},
		{"request_id", &encounterv1.ExecuteRequest{RequestId: "a\nb"}},
		{"request_id", &encounterv1.ExecuteRequest{RequestId: strings.Repeat("x", 129)}},
		{"as.name", &encounterv1.ExecuteRequest{As: &eventv1.Principal{Name: "A\u202enn"}}},
		{"as.name", &encounterv1.ExecuteRequest{As: &eventv1.Principal{Name: " "}}},
		{"command.add.sheet.name", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Name: "Gr\u200bak"})}},
		{"command.add.sheet.name", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Name: strings.Repeat("x", 129)})}},
		{"command.add.sheet.side", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Side: "party\n"})}},
		{"command.add.sheet.controllers[1]", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Controllers: []string{"a", "b\x00"}})}},
		{"command.add.sheet.abilities", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Abilities: map[string]int32{"str\n": 1}})}},
		{"command.add.vitals.conditions[0].cause", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{
			Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Cause: "\x1b[2J"}}}}}}}},
		{"command.add.vitals.marks.note", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{
			Vitals: &eventv1.Vitals{Marks: map[string]string{"note": "a\u2066"}}}}}}},
		{"command.end.reason", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "won\n#9 forged"}}}}},
		{"command.revert.reason", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{Reason: strings.Repeat("x", 1001)}}}}},
		{"command.take.circumstances[0].kind", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{
			Circumstances: []*eventv1.Circumstance{{Kind: "\u200b"}}}}}}},
		{"command.take.facts.a[1].b", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Facts: facts}}}}},
		{"command.take.parameters", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Parameters: key}}}}},
		{"", &encounterv1.ExecuteRequest{Encounter: unseen, Command: &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: unseen}}}}},
		{"", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Id: "proto__", Name: "constructor", Side: "a __proto__"})}},
		{"command.create.encounter", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: unseen}}}}},
		{"command.add.sheet.id", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Id: unseen})}},
		{"command.add.sheet.side", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Side: unseen})}},
		{"command.add.sheet.abilities", &encounterv1.ExecuteRequest{Command: sheet(&eventv1.Sheet{Abilities: map[string]int32{unseen: 1}})}},
		{"command.take.item", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Item: unseen}}}}},
		{"command.take.parameters.a", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Parameters: said}}}}},
		{"command.add.vitals.marks", &encounterv1.ExecuteRequest{Command: &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{
			Vitals: &eventv1.Vitals{Marks: map[string]string{unseen: "a"}}}}}}},
	} {
		_, err := client.Execute(t.Context(), c.req)
		if c.field == "" {
			if err != nil {
				t.Errorf("a good request: %v", err)
			}
			continue
		}
		f, ok := fault.As(err)
		if !ok || status.Code(err) != codes.InvalidArgument || len(f.Violations) != 1 || f.Violations[0].Field != c.field {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	watch, err := client.Watch(t.Context(), &encounterv1.WatchRequest{After: "a\x07"})
	if err == nil {
		_, err = watch.Recv()
	}
	if f, ok := fault.As(err); !ok || len(f.Violations) != 1 || f.Violations[0].Field != "after" {
		t.Errorf("watch: %v", err)
	}
}

// TestAmongServices: what services tell each other may be old.
func TestAmongServices(t *testing.T) {
	req := &eventv1.Principal{Name: "old\nname"}
	if err := checkText("/skald.injury.v1.AssessmentService/Assess", req); err != nil {
		t.Error(err)
	}
	var f *fault.Fault
	if err := checkText("/skald.injury.v1.InjuryService/Tend", req); !errors.As(err, &f) {
		t.Error("a caller's text was taken")
	}
}
