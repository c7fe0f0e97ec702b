package robustness

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

var (
	annPlays = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	bobPlays = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
	watching = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
)

// TestTwoWorlds plays every system at random in pairs of worlds that differ only
// in what some viewers may not see: creatures that are staged, what they do and
// what is done to them, secret rolls, previews, refusals, rulings on what was
// hidden. Over every method those viewers must be told the same in both, to the
// byte. Nothing is masked but the ids of decisions and contests, which are made with a key from
// the log, so that they differ from fight to fight and tell nothing, and what is
// hashed or signed over them: transcripts are compared where a viewer saw no such id. Forks
// have dice of their own, whose commitments are masked as well.
func TestTwoWorlds(t *testing.T) {
	steps := number(envSteps, 40)
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" { // one caller after the other
		steps = 6
	}
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			defer func() {
				if t.Failed() {
					t.Logf("repeat with %s=%d %s=%d -run TwoWorlds/%s", envSeed, seed, envSteps, steps, system)
				}
			}()
			w := &worlds{t: t, system: system, of: "e", rng: rand.New(rand.NewPCG(seed, 7)), plain: newSide(t, seed), rich: newSide(t, seed)}
			w.begin()
			for range steps {
				w.hide()
				if !w.step() || t.Failed() {
					break
				}
				w.compare()
			}
			w.over = true
			w.compare()
			w.forks()
			t.Logf("%d commands in both, %d hidden ones, %d contests, %d take-backs asked for under %s, %d of them granted, %d behind something hidden, %d forks, %d answers compared",
				w.plain.n, w.hidden, w.contested, w.takeBacks, w.policy, w.granted, w.kept, w.forked, w.compared)
		})
	}
}

// side is one of the two worlds.
type side struct {
	t       testing.TB
	client  encounterv1.EncounterServiceClient
	record  encounterv1.RecordServiceClient
	patient injuryv1.InjuryServiceClient
	exports injuryv1.PatientRecordServiceClient
	whatIf  encounterv1.WhatIfServiceClient
	tape    dicev1.TapeServiceClient
	n       int
}

// sheetsOf lists the shipped creatures of a system.
func sheetsOf(system string) []string { return sheets.List(system) }

// tapes is how many tapes were opened for the encounter.
func (s *side) tapes() int {
	s.t.Helper()
	for n := uint32(0); ; {
		resp, err := s.tape.ListTapes(s.t.Context(), &dicev1.ListTapesRequest{Table: "main", Encounter: "e", Offset: n, Limit: 1000})
		if err != nil {
			s.t.Fatal(err)
		}
		if n += uint32(len(resp.Tapes)); !resp.More {
			return int(n)
		}
	}
}

func newSide(t testing.TB, seed uint64) *side {
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed),
		Clock: func() time.Time { return time.Unix(int64(seed), 0) }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stack.Close() }) //nolint:errcheck // the test is over
	return &side{t: t, tape: dicev1.NewTapeServiceClient(stack.Among()), client: encounterv1.NewEncounterServiceClient(stack.Conn()), record: encounterv1.NewRecordServiceClient(stack.Conn()), patient: injuryv1.NewInjuryServiceClient(stack.Conn()),
		exports: injuryv1.NewPatientRecordServiceClient(stack.Conn()), whatIf: encounterv1.NewWhatIfServiceClient(stack.Conn())}
}

func (s *side) execute(as *eventv1.Principal, id string, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	return s.client.Execute(s.t.Context(), &encounterv1.ExecuteRequest{RequestId: id, As: as, Encounter: "e", Command: proto.Clone(cmd).(*eventv1.Command)})
}

func (s *side) state(as *eventv1.Principal) *eventv1.State {
	s.t.Helper()
	resp, err := s.client.GetState(s.t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: "e"})
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.State
}

type worlds struct {
	t                testing.TB
	system           string
	rng              *rand.Rand
	plain, rich      *side
	hidden, compared int
	contested        int // contests of a player's
	policy           string
	last             *eventv1.Principal // who did something last that is listed
	takeBacks        int                // that players asked for
	granted, kept    int                // of those, and how many behind something hidden
	unseen           []uint64           // steps in the rich world in which the staged was changed
	forked           int
	watcher          []*eventv1.Principal
	of               string      // the encounter that is asked about
	given            [][2]uint64 // steps of the game master's commands in each world
	over             bool        // the play is over: what was compared before is compared once more
}

// both gives a command in both worlds; whether it is refused must be the same.
func (w *worlds) both(as *eventv1.Principal, cmd *eventv1.Command) bool {
	w.t.Helper()
	w.plain.n++
	id := fmt.Sprint("both-", w.plain.n)
	one, err1 := w.plain.execute(as, id, cmd)
	two, err2 := w.rich.execute(as, id, cmd)
	if as.Role == eventv1.Principal_ROLE_GM { // who sees more, sees the rest as well
		if (err1 == nil) != (err2 == nil) {
			w.t.Errorf("%v: refused in one world: %v / %v", cmd, err1, err2)
		}
		if err1 == nil && err2 == nil && cmd.GetTake() != nil {
			w.given = append(w.given, [2]uint64{one.Step.GetNumber(), two.Step.GetNumber()})
		}
		return err1 == nil
	}
	w.same(fmt.Sprintf("answer to %v", cmd), said(one, err1), said(two, err2))
	return err1 == nil
}

func (w *worlds) begin() {
	w.t.Helper()
	w.watcher = []*eventv1.Principal{annPlays, bobPlays, watching, {Role: eventv1.Principal_ROLE_PLAYER, Name: "nobody"}}
	w.policy = []string{rules.TakeBackGameMaster, rules.TakeBackPlayers, rules.TakeBackUnseenDice}[w.rng.IntN(3)]
	w.both(gm, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", System: w.system, Title: "Two worlds",
		Settings: map[string]string{rules.SettingTakeBack: w.policy}}}})
	names := sheets.List(w.system)
	for i := range 4 {
		w.both(gm, w.adding(names[w.rng.IntN(len(names))], fmt.Sprintf("c%d", i), []string{"left", "right"}[i%2], i, []string{"ann", "bob", "ann", ""}[i]))
		w.answerAll()
	}
	// In both worlds somebody is staged under one id, so that its dice and with them
	// the pauses of its turns are the same: that a game pauses nobody can hide. Who
	// it is, where and how it stands differs.
	name := names[w.rng.IntN(len(names))]
	w.stage(w.plain, "staged", name, "Zigzag", 400)
	w.stage(w.rich, "staged", name, "Quibble", 500)
	w.both(gm, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	w.answerAll()
}

func (w *worlds) adding(name, id, sideName string, at int, player string) *eventv1.Command {
	w.t.Helper()
	sheet, err := sheets.Get(w.system, name)
	if err != nil {
		w.t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id, sheet.Name, sheet.Side, sheet.HitPoints = id, strings.ToUpper(id), sideName, max(sheet.HitPoints, 40)
	if player != "" {
		sheet.Controllers = []string{player}
	}
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet,
		Position: &eventv1.Position{X: int32(5 * (at % 2)), Y: int32(10 * (at / 2))}}}}
}

// alone gives a hidden command in one world.
func (w *worlds) alone(s *side, cmd *eventv1.Command) error {
	w.hidden++
	resp, err := s.execute(gm, fmt.Sprint("hidden-", w.hidden), cmd)
	if err == nil && s == w.rich && cmd.GetEdit() != nil {
		w.unseen = append(w.unseen, resp.Step.GetNumber())
	}
	for range 20 {
		d := firstOpen(s.state(gm))
		if d == nil {
			break
		}
		w.hidden++
		if _, err := s.execute(gm, fmt.Sprint("hidden-", w.hidden), replyTo(w.t, d, 0)); err != nil {
			w.t.Fatal(err)
		}
	}
	return err
}

func (w *worlds) stage(s *side, id, sheet, name string, x int32) {
	w.t.Helper()
	cmd := w.adding(sheet, id, "right", 40, "")
	cmd.GetAdd().Staged, cmd.GetAdd().Sheet.Name = true, name
	cmd.GetAdd().Position = &eventv1.Position{X: x, Y: 400}
	if err := w.alone(s, cmd); err != nil {
		w.t.Fatal(err)
	}
}

// hide does something hidden in the rich world alone, that costs nobody else
// anything by the rules.
func (w *worlds) hide() {
	w.t.Helper()
	s := w.rich.state(gm)
	if s.Status != eventv1.State_STATUS_STARTED || len(s.Decisions) > 0 {
		return
	}
	edit := func(e *eventv1.EditCreature) *eventv1.Command {
		e.Creature = "staged"
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: e}}
	}
	hp := int32(1 + w.rng.IntN(5))
	version := uint64(2 + w.rng.IntN(4))
	for _, cmd := range []*eventv1.Command{
		edit(&eventv1.EditCreature{Position: &eventv1.Position{X: 400 + int32(5*w.rng.IntN(20)), Y: 400}, Reason: "it prowls"}),
		edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Hp: &hp}}),
		{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "staged", Action: "no-such-action"}}}, // refused
	} {
		if w.rng.IntN(2) == 0 {
			w.alone(w.rich, cmd) //nolint:errcheck // some are refused
		}
	}
	if w.rng.IntN(4) == 0 { // one who comes and goes unseen
		extra := fmt.Sprint("extra", w.hidden)
		w.stage(w.rich, extra, sheets.List(w.system)[0], "Extra", 600)
		w.alone(w.rich, &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: extra}}}) //nolint:errcheck // it may be bound to stay
	}
	if n := len(w.unseen); n > 0 && w.rng.IntN(6) == 0 { // a ruling on what nobody saw
		w.alone(w.rich, &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: w.unseen[n-1], //nolint:errcheck // it may not count any more
			Reason: "it was not so", Drop: w.rng.IntN(2) == 0}}})
	}
	if w.rng.IntN(4) == 0 {
		w.rich.client.PreviewRuling(w.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", //nolint:errcheck // nobody looks
			Command: &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: version}}}})
	}
}

func firstOpen(s *eventv1.State) *eventv1.Decision {
	ids := rules.SortedKeys(s.Decisions)
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(place(s.Decisions[a]), place(s.Decisions[b])) })
	if len(ids) == 0 {
		return nil
	}
	return s.Decisions[ids[0]]
}

// place names a decision without its id.
func place(d *eventv1.Decision) string {
	return strings.NewReplacer("Zigzag", "", "Quibble", "").Replace(d.Name + "/" + d.Creature + "/" + d.Label + "/" + d.Question)
}

func replyTo(t testing.TB, d *eventv1.Decision, pick int) *eventv1.Command {
	a := &eventv1.Answer{}
	switch {
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
		a.Number = d.Minimum
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE:
		a.Faces = (&play{t: t, rng: rand.New(rand.NewPCG(uint64(pick), 1))}).faces(d.Expression)
	case len(d.Options) > 0:
		a.Option = d.Options[pick%len(d.Options)].Id
	}
	return &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: a}}}
}

// answerAll answers what is open, in both worlds alike: what concerns the staged
// in each by itself.
func (w *worlds) answerAll() {
	w.t.Helper()
	for range 60 {
		one, two := firstOpen(w.plain.state(gm)), firstOpen(w.rich.state(gm))
		switch {
		case one == nil && two == nil:
			return
		case one == nil || two == nil || place(one) != place(two):
			w.t.Fatalf("other questions: %v / %v", one, two)
		default:
			pick := w.rng.IntN(max(1, len(one.Options)))
			w.plain.n++
			id := fmt.Sprint("both-", w.plain.n)
			if _, err := w.plain.execute(gm, id, replyTo(w.t, one, pick)); err != nil {
				w.t.Fatal(err)
			}
			if _, err := w.rich.execute(gm, id, replyTo(w.t, two, pick)); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// step does one thing in both worlds: an option of somebody seen, or garbage of a
// player's. The turns of the staged pass in each world by themselves.
func (w *worlds) step() bool {
	w.t.Helper()
	w.pass(w.plain, "staged")
	w.pass(w.rich, "staged")
	s := w.plain.state(gm)
	if s.Status != eventv1.State_STATUS_STARTED || s.Round > 6 {
		return false
	}
	if w.rng.IntN(10) == 0 {
		w.rule(s)
		return true
	}
	if w.rng.IntN(8) == 0 {
		w.contests()
		return true
	}
	if w.rng.IntN(4) == 0 {
		w.takesBack()
		return true
	}
	if w.rng.IntN(4) == 0 {
		w.both(annPlays, w.garbage(s))
		w.answerAll()
		return true
	}
	return w.acts(s, nil)
}

// acts has somebody seen do something that is listed, where by is not nil a creature of that
// player's; false when there is nothing.
func (w *worlds) acts(s *eventv1.State, by *eventv1.Principal) bool {
	w.t.Helper()
	resp, err := w.plain.client.GetOptions(w.t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: "e"})
	if err != nil {
		w.t.Fatal(err)
	}
	var legal []*eventv1.Option
	for _, o := range autoplay.Flat(resp.Options) {
		if o.Legal && o.Creature != "staged" && !autoplay.Walks(o) && !slices.Contains(o.Targets, "staged") && autoplay.Fillable(o) &&
			(by == nil || slices.Contains(s.Creatures[o.Creature].GetControllers(), by.Name)) {
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 {
		return false
	}
	p, picked := &play{t: w.t, rng: w.rng}, legal[w.rng.IntN(len(legal))]
	as := gm
	if by := s.Creatures[picked.Creature].GetControllers(); len(by) > 0 && w.rng.IntN(3) > 0 { // its player does it
		as = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: by[0]}
	}
	if by != nil {
		as = by
	}
	if w.both(as, p.command(picked)) {
		w.last = as
	}
	w.answerAll()
	return true
}

// rule makes a ruling in both worlds: back to the beginning of the round, the
// redo of that, or a past command decided again, in the rich world with every
// hidden one after it.
func (w *worlds) rule(s *eventv1.State) {
	w.t.Helper()
	// The reason names who is staged, in each world by its name.
	each := func(make func(version uint64, name string) *eventv1.Command, at [2]uint64) {
		w.plain.n++
		id := fmt.Sprint("both-", w.plain.n)
		_, err1 := w.plain.execute(gm, id, make(at[0], "Zigzag"))
		_, err2 := w.rich.execute(gm, id, make(at[1], "Quibble"))
		if (err1 == nil) != (err2 == nil) {
			w.t.Errorf("a ruling in one world: %v / %v", err1, err2)
		}
	}
	var stated *eventv1.TakeAction // what the ruling states, if anything
	if w.rng.IntN(2) == 0 {
		stated = &eventv1.TakeAction{Circumstances: []*eventv1.Circumstance{{Direction: "modifier", Value: w.rng.Int32N(11) - 5, Cause: "ruled"}}}
	}
	switch n := w.rng.IntN(3); {
	case n == 0:
		each(func(_ uint64, name string) *eventv1.Command {
			return &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{
				To: &eventv1.RevertEncounter_Round{Round: s.Round}, Reason: "for " + name}}}
		}, [2]uint64{})
		if w.rng.IntN(2) == 0 {
			each(func(uint64, string) *eventv1.Command {
				return &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{Reason: "no"}}}
			}, [2]uint64{})
		}
	case len(w.given) > 0:
		each(func(version uint64, name string) *eventv1.Command {
			return &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: version, Reason: name + " saw it", Change: stated}}}
		}, w.given[w.rng.IntN(len(w.given))])
	}
	w.answerAll()
}

// pass ends the turn of a creature when it has one.
func (w *worlds) pass(s *side, id string) {
	for range 3 {
		if !slices.Contains(s.state(gm).Active, id) {
			return
		}
		if w.alone(s, &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}) != nil {
			return
		}
	}
}

// garbage is something that a player should not say.
func (w *worlds) garbage(s *eventv1.State) *eventv1.Command {
	pick := func(words ...string) string { return words[w.rng.IntN(len(words))] }
	creature := pick("c0", "c1", "c2", "staged", "nobody", "")
	take := &eventv1.TakeAction{Creature: creature, Action: pick("attack", "move", "cast", "", "dodge"),
		Targets: []string{pick("c0", "c1", "c3", "staged", "nobody")}, Item: pick("", "longsword", "x")}
	switch w.rng.IntN(6) {
	case 0:
		take.Facts = &structpb.Struct{Fields: map[string]*structpb.Value{pick("cover", "covr", "distance"): structpb.NewStringValue(pick("half", "total", "x"))}}
	case 1:
		take.Circumstances = []*eventv1.Circumstance{{Direction: pick("modifier", "luck"), Value: 50, Target: pick("", "staged")}}
	case 2:
		return &eventv1.Command{Faces: []int32{20}, What: &eventv1.Command_Take{Take: take}}
	case 3:
		return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: creature}}}
	case 4:
		return &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: creature, Decision: "x", Order: "y"}}}
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take},
		Answers: []*eventv1.EarlyAnswer{{Decision: pick("opportunity-attack", "defend"), Creature: pick("", "c1", "staged"), Answer: &eventv1.Answer{Option: "no"}}}}
}
