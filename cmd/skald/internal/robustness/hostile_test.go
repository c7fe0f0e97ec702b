package robustness

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TestHostilePlayer plays every system with a player who sends garbage in every
// field, beside a shadow game that gets only what was carried out. It holds that
// no decision and no die of another's is ever taken, that no tape was opened for
// what is refused, that refusals are the caller's fault and not a bug, and that
// the two games are one and the same.
func TestHostilePlayer(t *testing.T) {
	steps := number(envSteps, 60)
	if testing.Short() {
		steps = 25
	}
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			defer func() {
				if t.Failed() {
					t.Logf("repeat with %s=%d %s=%d -run HostilePlayer/%s", envSeed, seed, envSteps, steps, system)
				}
			}()
			h := &hostile{worlds: worlds{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 11)), plain: newSide(t, seed), rich: newSide(t, seed)}}
			h.begin()
			for range steps {
				if !h.step() || t.Failed() {
					break
				}
			}
			h.shadow()
			t.Logf("%d commands: %d carried out, %d refused", h.plain.n, h.done, h.refusedN)
		})
	}
}

type hostile struct {
	worlds
	done, refusedN int
}

func (h *hostile) begin() {
	h.t.Helper()
	create := &eventv1.CreateEncounter{Encounter: "e", System: h.system, DicePolicy: eventv1.DicePolicy_DICE_POLICY_EITHER}
	if h.rng.IntN(3) == 0 {
		create.Settings = map[string]string{rules.SettingPlayerFacts: rules.PlayerFactsRefuse}
	}
	h.both(gm, &eventv1.Command{What: &eventv1.Command_Create{Create: create}})
	names := sheetsOf(h.system)
	for i := range 4 {
		h.both(gm, h.adding(names[h.rng.IntN(len(names))], fmt.Sprintf("c%d", i), []string{"left", "right"}[i%2], i, []string{"ann", ""}[i%2]))
		h.answerAll()
	}
	h.both(gm, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	h.answerAll()
}

// step is a command of the hostile player's, and what the table does then.
func (h *hostile) step() bool {
	h.t.Helper()
	s := h.plain.state(gm)
	if s.Status != eventv1.State_STATUS_STARTED || s.Round > 8 {
		return false
	}
	for range 3 {
		h.attempt(h.nasty())
	}
	h.answerAll()
	resp, err := h.plain.client.GetOptions(h.t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: "e"})
	if err != nil {
		h.t.Fatal(err)
	}
	var legal []*eventv1.Option
	for _, o := range autoplay.Flat(resp.Options) {
		if o.Legal && !autoplay.Walks(o) && autoplay.Fillable(o) {
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 {
		return false
	}
	// The game master plays the others, and now and then ends the player's turn.
	if others := slices.DeleteFunc(slices.Clone(legal), func(o *eventv1.Option) bool {
		return event.Controls(s.Creatures[o.Creature], annPlays) && (o.Action != "end-turn" || h.rng.IntN(4) > 0)
	}); len(others) > 0 {
		legal = others
	} else if h.rng.IntN(3) > 0 {
		return true
	}
	p := &play{t: h.t, rng: h.rng}
	h.both(gm, p.command(legal[h.rng.IntN(len(legal))]))
	h.answerAll()
	return true
}

// attempt sends a command as the player: what is carried out goes to the shadow
// game as well.
func (h *hostile) attempt(cmd *eventv1.Command) {
	h.t.Helper()
	h.plain.n++
	id := fmt.Sprint("ann-", h.plain.n)
	before, tapes := h.number(h.plain), h.plain.tapes()
	resp, err := h.plain.execute(annPlays, id, cmd)
	if err != nil {
		h.refusedN++
		f := rpc.FromStatus(err)
		if f.Code == fault.Internal || f.Code == fault.Unavailable || f.Reason == "" {
			h.t.Errorf("%v: %v", cmd, err)
		}
		if n := h.plain.tapes(); n != tapes {
			h.t.Errorf("%d tapes were opened for what is refused: %v: %v", n-tapes, cmd, err)
		}
		if h.number(h.plain) != before {
			h.t.Errorf("what is refused is stored: %v: %v", cmd, err)
		}
		return
	}
	h.done++
	h.ownOnly(before)
	again, err := h.rich.execute(annPlays, id, cmd)
	h.same(fmt.Sprintf("answer to %v", cmd), said(resp, nil), said(again, err))
}

func (h *hostile) number(s *side) uint64 {
	h.t.Helper()
	resp, err := s.client.GetState(h.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "e"})
	if err != nil {
		h.t.Fatal(err)
	}
	return resp.Number
}

// ownOnly holds that nothing after a version took a decision or a die that was not
// the player's.
func (h *hostile) ownOnly(after uint64) {
	h.t.Helper()
	hist, err := h.plain.client.GetHistory(h.t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e", After: after})
	if err != nil {
		h.t.Fatal(err)
	}
	s := h.plain.state(gm)
	for _, step := range hist.Steps {
		for _, e := range step.Events {
			if a := e.GetDecisionAnswered(); a != nil && a.By != "standing-order" && !event.Controls(s.Creatures[a.Creature], annPlays) {
				h.t.Errorf("a decision of another's was taken: %v", a)
			}
			if r := e.GetRoll(); r != nil && r.SuppliedFaces > 0 && (!event.Controls(s.Creatures[r.Creature], annPlays) || r.Branch == "gm") {
				h.t.Errorf("a die of another's was given: %v", r)
			}
		}
	}
}

// shadow holds that both games are one and the same, to the last event.
func (h *hostile) shadow() {
	h.t.Helper()
	tell := func(s *side) string {
		hist, err := s.client.GetHistory(h.t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e", Limit: 1000})
		return said(s.state(gm), nil) + said(hist, err)
	}
	h.same("the shadow game", tell(h.plain), tell(h.rich))
}

// nasty is a command of the player's, with garbage in its fields.
func (h *hostile) nasty() *eventv1.Command {
	s := h.plain.state(annPlays)
	if len(s.Decisions) > 0 && h.rng.IntN(2) == 0 {
		return h.garble(replyTo(h.t, firstOpen(s), h.rng.IntN(9)))
	}
	resp, err := h.plain.client.GetOptions(h.t.Context(), &encounterv1.GetOptionsRequest{As: annPlays, Encounter: "e"})
	if err != nil {
		h.t.Fatal(err)
	}
	if len(resp.Options) == 0 || h.rng.IntN(8) == 0 {
		return h.garble(h.garbage(s))
	}
	p := &play{t: h.t, rng: h.rng}
	all := autoplay.Flat(resp.Options)
	options := slices.Clone(all)
	if h.rng.IntN(6) > 0 {
		options = slices.DeleteFunc(options, func(o *eventv1.Option) bool { return !o.Legal })
	}
	if len(options) == 0 {
		options = all
	}
	o := options[h.rng.IntN(len(options))]
	if autoplay.Walks(o) && h.rng.IntN(2) == 0 {
		o = options[0]
	}
	return h.garble(p.garbled(o))
}

// garbled is play.command without a look at the map.
func (p *play) garbled(o *eventv1.Option) *eventv1.Command {
	if autoplay.Walks(o) {
		o = proto.Clone(o).(*eventv1.Option)
		o.Parameters = slices.DeleteFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Type == "path" })
	}
	return p.command(o)
}

// garble puts garbage into some of a command's fields.
func (h *hostile) garble(cmd *eventv1.Command) *eventv1.Command {
	words := []string{"", "yes", "no", "c0", "c1", "c3", "GM", "\x1b[31m", "a\nb", strings.Repeat("x", 300), "\u202e", "cover", "total", "grant", "../..", "0", "-1"}
	word := func() string { return words[h.rng.IntN(len(words))] }
	value := func() *structpb.Value {
		switch h.rng.IntN(6) {
		case 0:
			return structpb.NewNumberValue([]float64{-1, 0, 2.5, 1e300, 20, 50}[h.rng.IntN(6)])
		case 1:
			return structpb.NewBoolValue(h.rng.IntN(2) == 0)
		case 2:
			return structpb.NewNullValue()
		case 3:
			return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewStringValue(word())}})
		case 4:
			return structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{word(): structpb.NewBoolValue(true)}})
		}
		return structpb.NewStringValue(word())
	}
	object := func(names ...string) *structpb.Struct {
		return &structpb.Struct{Fields: map[string]*structpb.Value{names[h.rng.IntN(len(names))]: value()}}
	}
	often := 4 + h.rng.IntN(20) // some commands are nearly clean
	rare := func() bool { return h.rng.IntN(often) == 0 }
	if rare() {
		for range 1 + h.rng.IntN(4) {
			cmd.Faces = append(cmd.Faces, []int32{20, 1, 6, 0, -3, 1000000, 12}[h.rng.IntN(7)])
		}
	}
	if rare() {
		decision := []string{"claim", "opportunity-attack", "approve", "defend", "parry", "roll", word()}[h.rng.IntN(7)]
		cmd.Answers = append(cmd.Answers, &eventv1.EarlyAnswer{Decision: decision, Creature: []string{"", "c0", "c1", "c3", word()}[h.rng.IntN(5)],
			Answer: &eventv1.Answer{Option: word(), Number: int32(h.rng.IntN(40) - 10)}, By: gm})
	}
	if rare() {
		cmd.RollMode = eventv1.RollMode(h.rng.IntN(5))
	}
	if take := cmd.GetTake(); take != nil {
		if rare() {
			take.Facts = object("cover", "covr", "distance", "flanking", "unaware", "range", word())
		}
		if rare() {
			take.Parameters = object("power", "mode", "dc", "damage", "weapon", word())
		}
		if rare() {
			take.Circumstances = append(take.Circumstances, &eventv1.Circumstance{Direction: []string{"modifier", "advantage", word()}[h.rng.IntN(3)], Kind: word(), Cause: word(), Value: 50, Target: word()})
		}
		if rare() {
			take.Item = word()
		}
		if rare() {
			take.Targets = append(take.Targets, word())
		}
		if rare() {
			take.Path = append(take.Path, &eventv1.Position{X: int32(h.rng.IntN(300_000)) - 150_000})
		}
		if rare() {
			take.Creature = word()
		}
	}
	return cmd
}
