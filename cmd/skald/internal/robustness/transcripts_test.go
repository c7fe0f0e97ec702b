package robustness

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// transcript is all that the record service tells a viewer: to the byte where the
// viewer saw no id of a decision, and otherwise how many steps there are.
func (w *worlds) transcript(s *side, as *eventv1.Principal, history string) string {
	w.t.Helper()
	ctx := w.t.Context()
	own, err := s.record.GetTranscript(ctx, &encounterv1.GetTranscriptRequest{As: as, Encounter: w.of, Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	head, err := s.record.GetHead(ctx, &encounterv1.GetHeadRequest{As: as, Encounter: w.of})
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	_, err = s.record.GetHeaders(ctx, &encounterv1.GetHeadersRequest{As: as, Encounter: w.of, Limit: 1000})
	fmt.Fprintln(&b, "headers:", err != nil)
	_, err = s.record.ProveHead(ctx, &encounterv1.ProveHeadRequest{As: as, Encounter: w.of, Version: 1})
	fmt.Fprintln(&b, "proof:", err != nil)
	exact := !strings.Contains(history, `"ID"`) && w.of == "e"
	for _, signed := range []string{head.Heads.Own, head.Heads.Public, head.Heads.Chain} {
		if h, err := attest.UncheckedHead(signed); err == nil && h.Viewer != attest.Chain { // whose hash is salted
			fmt.Fprintln(&b, h.Viewer, h.Number)
			if exact {
				fmt.Fprintf(&b, "%x\n", h.Hash)
			}
		}
	}
	fmt.Fprintln(&b, head.Public.Number, len(own.Steps))
	if exact {
		fmt.Fprintln(&b, head.Public.Words)
		for _, step := range own.Steps {
			fmt.Fprintf(&b, "%d %x %x\n", step.Number, step.Digest, step.Transcript)
		}
	}
	return b.String()
}

// asHashed holds that a step shows what its bytes say, so that what is hashed is
// compared with the step.
func asHashed(t testing.TB, s *encounterv1.Step) {
	t.Helper()
	if s == nil {
		return
	}
	is := &encounterv1.Step{}
	if err := proto.Unmarshal(s.Bytes, is); err != nil {
		t.Fatal(err)
	}
	is.Number, is.Cursor, is.Transcript, is.Bytes = s.Number, s.Cursor, s.Transcript, s.Bytes
	is.Ruling = s.Ruling // laid side by side anew whenever it is asked for
	if !proto.Equal(is, s) {
		t.Errorf("step %d is hashed as\n%v\nand shown as\n%v", s.Number, is, s)
	}
}

// unhashed takes from an answer what is a hash, or signed: it differs with the ids of
// decisions, and with the key.
func unhashed(tree any) any {
	switch t := tree.(type) {
	case []any:
		for i := range t {
			t[i] = unhashed(t[i])
		}
	case map[string]any:
		for k, v := range t {
			text, is := v.(string)
			switch {
			case is && k == "cursor":
				if raw, err := base64.RawURLEncoding.DecodeString(text); err == nil && len(raw) > 16 {
					t[k] = hex.EncodeToString(raw[:16])[:31] // in no form that is masked
				}
			case is && (k == "transcript" || k == "bytes" || k == "words"):
				t[k] = "hashed"
			case is && (k == "own" || k == "public" || k == "chain"):
				h, _ := attest.UncheckedHead(text)
				t[k] = fmt.Sprint(h.Viewer, h.Number)
			default:
				t[k] = unhashed(v)
			}
		}
	}
	return tree
}
