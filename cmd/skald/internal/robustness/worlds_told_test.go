package robustness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// compare holds that every viewer is told the same in both worlds by every method.
func (w *worlds) compare() {
	w.t.Helper()
	for _, as := range w.watcher {
		one, two := w.tell(w.plain, as), w.tell(w.rich, as)
		if len(one) != len(two) {
			w.t.Errorf("%v: %d answers in one world, %d in the other", as, len(one), len(two))
		}
		for i := range min(len(one), len(two)) {
			w.same(fmt.Sprintf("%v: %s", as, one[i][0]), one[i][1], two[i][1])
			w.compared++
		}
	}
}

// tell asks by every method of a viewer.
func (w *worlds) tell(s *side, as *eventv1.Principal) (out [][2]string) {
	ctx := w.t.Context()
	add := func(what string, m proto.Message, err error) { out = append(out, [2]string{what, said(m, err)}) }
	state, err := s.client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: w.of})
	add("state", state, err)
	h, err := s.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: w.of, Limit: 1000})
	add("history", h, err)
	for _, id := range []string{"", "c0", "c1", "staged"} {
		o, err := s.client.GetOptions(ctx, &encounterv1.GetOptionsRequest{As: as, Encounter: w.of, Creature: id})
		add("options of "+id, o, err)
	}
	list, err := s.client.ListEncounters(ctx, &encounterv1.ListEncountersRequest{As: as})
	for n := 0; n < 1000 && err == nil && (statusIn(list, w.of) != state.GetState().GetStatus()); n++ {
		// The list is of the projection, which comes after the answer.
		time.Sleep(5 * time.Millisecond)
		list, err = s.client.ListEncounters(ctx, &encounterv1.ListEncountersRequest{As: as})
	}
	add("list", list, err)
	preview, err := s.client.PreviewRuling(ctx, &encounterv1.PreviewRulingRequest{As: as, Encounter: w.of, Command: &eventv1.Command{What: &eventv1.Command_Redo{}}})
	add("preview", preview, err)
	contests, err := s.whatIf.ListContests(ctx, &encounterv1.ListContestsRequest{As: as, Encounter: w.of})
	// Those filed in one millisecond, as here, stand by their ids, which are masked.
	slices.SortStableFunc(contests.GetContests(), func(a, b *encounterv1.ContestListed) int { return strings.Compare(unnamed(a), unnamed(b)) })
	add("contests", contests, err)
	patients, err := s.patient.ListPatients(ctx, &injuryv1.ListPatientsRequest{As: as})
	add("patients", patients, err)
	number := state.GetNumber()
	for _, n := range []uint64{1, number / 2, number, number + 1} {
		at, err := s.client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: w.of, At: n})
		add(fmt.Sprint("state at ", n), at, err)
		x, err := s.client.Explain(ctx, &encounterv1.ExplainRequest{As: as, Encounter: w.of, Number: n})
		add(fmt.Sprint("explain ", n), x, err)
	}
	for _, step := range slices.Backward(h.GetSteps()) {
		if step.Ruling != nil {
			if w.inside(s, as, step.Number, add); !w.over {
				break // those before were compared when they were the last, and are at the end
			}
		}
	}
	out = append(out, [2]string{"transcript", w.transcript(s, as, said(h, nil))})
	out = append(out, [2]string{"export", w.export(s, as)}, [2]string{"watch", w.watch(s, as, number)})
	return out
}

// inside asks by every method for the amended history of a ruling's step.
func (w *worlds) inside(s *side, as *eventv1.Principal, number uint64, add func(what string, m proto.Message, err error)) {
	ctx := w.t.Context()
	in, err := s.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: w.of, Within: number, Limit: 1000})
	add(fmt.Sprint("inside ", number), in, err)
	last := uint64(len(in.GetSteps()))
	for _, n := range []uint64{1, last, last + 1} {
		at, err := s.client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: w.of, Within: number, At: n})
		add(fmt.Sprint("state inside ", number, " at ", n), at, err)
		x, err := s.client.Explain(ctx, &encounterv1.ExplainRequest{As: as, Encounter: w.of, Within: number, Number: n})
		add(fmt.Sprint("explain inside ", number, " at ", n), x, err)
	}
	d, err := s.client.GetDifference(ctx, &encounterv1.GetDifferenceRequest{As: as, Encounter: w.of, Of: number})
	add(fmt.Sprint("difference of ", number), d, err)
}

func (w *worlds) export(s *side, as *eventv1.Principal) string {
	stream, err := s.client.Export(w.t.Context(), &encounterv1.ExportRequest{As: as, Encounter: w.of})
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		asHashed(w.t, m.GetStep())
		b.WriteString(said(m, err) + "\n")
		if err != nil {
			return b.String()
		}
	}
}

func (w *worlds) watch(s *side, as *eventv1.Principal, number uint64) string {
	stream, err := s.client.Watch(w.t.Context(), &encounterv1.WatchRequest{As: as, Encounter: w.of})
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	for range number + 1 {
		m, err := stream.Recv()
		b.WriteString(said(m, err) + "\n")
		if err != nil || m.GetCaughtUp() != nil {
			break
		}
	}
	return b.String()
}

// keyed are the ids of decisions, and contestKeyed those of contests: the only things that
// are masked.
var (
	keyed        = regexp.MustCompile(`"[0-9a-f]{16}"`)
	contestKeyed = regexp.MustCompile(`("id":"|"contest":"|[Cc]ontest (?:\\*")?)[0-9a-f]{12}\b`)
)

// masked is a text without such ids.
func masked(text string) string {
	return contestKeyed.ReplaceAllString(keyed.ReplaceAllString(text, `"ID"`), "${1}ID")
}

// forkDice are commitments to dice and what is derived from them.
var forkDice = regexp.MustCompile(`"[A-Za-z0-9+/]{43}="`)

// spaces vary in protojson on purpose.
var spaces = regexp.MustCompile(`\s+`)

// said is an answer, or the whole refusal, in text.
func said(m proto.Message, err error) string {
	if err != nil {
		text := fmt.Sprint(status.Convert(err).Proto())
		return masked(spaces.ReplaceAllString(text, " "))
	}
	data, err := protojson.Marshal(m)
	if err != nil {
		return err.Error()
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err.Error()
	}
	data, err = json.Marshal(unkeyed(unhashed(tree)))
	if err != nil {
		return err.Error()
	}
	return masked(string(data))
}

// unkeyed makes lists of maps of open decisions and of contests: their keys differ from world to
// world, and so does the order of what is under them.
func unkeyed(tree any) any {
	switch t := tree.(type) {
	case []any:
		for i := range t {
			t[i] = unkeyed(t[i])
		}
	case map[string]any:
		for k, v := range t {
			open, is := v.(map[string]any)
			if k != "decisions" && k != "contests" || !is {
				t[k] = unkeyed(v)
				continue
			}
			var list []string
			for _, d := range open {
				text, _ := json.Marshal(d) // made of JSON
				list = append(list, masked(string(text)))
			}
			slices.Sort(list)
			t[k] = list
		}
	}
	return tree
}

func (w *worlds) same(what, one, two string) {
	w.t.Helper()
	if w.of != "e" { // a fork has dice of its own, which nothing hidden decides
		one, two = forkDice.ReplaceAllString(one, `"DICE"`), forkDice.ReplaceAllString(two, `"DICE"`)
	}
	if one == two {
		return
	}
	at := 0
	for at < len(one) && at < len(two) && one[at] == two[at] {
		at++
	}
	cut := func(s string) string { return s[max(0, min(len(s), at)-200):min(len(s), at+200)] }
	w.t.Errorf("%s differs between the worlds:\n one ...%s...\n two ...%s...", what, cut(one), cut(two))
}

// unnamed is the text of a contest without its id.
func unnamed(c *encounterv1.ContestListed) string {
	c = proto.CloneOf(c)
	c.Contest.Id = ""
	return protojson.Format(c)
}
