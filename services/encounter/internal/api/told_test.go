package api

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What all share of a step is encoded once, as bytes and as JSON, and each viewer's
// message is what encoding the whole gives.
func TestAStepToldToMany(t *testing.T) {
	for name, step := range map[string]*encounterv1.Step{
		"one that says nothing": {Number: 7, Cursor: "c"},
		"a whole one": {Number: 1 << 40, Cursor: `a"b\<&>é`, Transcript: []byte{1, 2}, UnixMillis: 5,
			Events: []*eventv1.Event{{What: &eventv1.Event_Note{Note: &eventv1.Note{Text: "a \"word\", é\n<b>"}}}, {}},
			By:     &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}},
	} {
		t.Run(name, func(t *testing.T) {
			whole := &encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: step}}
			wire, err := proto.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			text, err := rpc.EncodeJSON(nil, whole)
			if err != nil {
				t.Fatal(err)
			}
			cursor := step.Cursor
			shared, err := tell(step)
			if err != nil {
				t.Fatal(err)
			}
			made := 0
			asJSON := shared.text
			shared.text = func() ([]byte, error) { made++; return asJSON() }
			m := shared.message(cursor)
			if got, err := rpc.EncodeProto(nil, m); err != nil || string(got) != string(wire) {
				t.Errorf("%x, not %x (%v)", got, wire, err)
			}
			if made != 0 {
				t.Error("JSON was made for who reads bytes")
			}
			for range 2 {
				if got, err := rpc.EncodeJSON([]byte("before "), m); err != nil || string(got) != "before "+string(text) {
					t.Errorf("%s, not %s (%v)", got, text, err)
				}
			}
			first, _ := asJSON()
			if again, _ := asJSON(); &first[0] != &again[0] {
				t.Error("JSON is made anew for each")
			}
		})
	}
}
