package main

import (
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// call is a call of docs/API.md: the method and the request.
var call = regexp.MustCompile(`(?s)call skald\.encounter\.v1\.EncounterService/(\w+) <<< '(.*?)'\n`)

// The calls that docs/API.md shows are understood and carried out, in the order
// in which they stand there; who has the first turn is up to the dice.
func TestCallsOfTheDocument(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	s, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test is over
	client := encounterv1.NewEncounterServiceClient(s.Conn())
	calls, decision := call.FindAllStringSubmatch(string(page), -1), ""
	if len(calls) != 8 {
		t.Fatalf("%d calls are found in docs/API.md, want 8", len(calls))
	}
	for _, c := range calls {
		text := []byte(strings.Replace(c[2], "DECISION", decision, 1))
		if c[1] == "GetOptions" {
			req := &encounterv1.GetOptionsRequest{}
			if err := protojson.Unmarshal(text, req); err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if resp, err := client.GetOptions(t.Context(), req); err != nil || len(resp.Options) == 0 {
				t.Errorf("no options: %v", err)
			}
			continue
		}
		req := &encounterv1.ExecuteRequest{}
		if err := protojson.Unmarshal(text, req); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		resp, err := client.Execute(t.Context(), req)
		turn := req.Command.GetTake() != nil || req.Command.GetEndTurn() != nil
		if err != nil && (!turn || status.Code(err) != codes.FailedPrecondition) {
			t.Errorf("%v in\n%s", err, text)
		}
		if len(resp.GetDecisions()) > 0 {
			decision = resp.Decisions[0].Id
		}
	}
}
