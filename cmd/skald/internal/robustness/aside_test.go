package robustness

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ann controls one side of every fight that is played.
var ann = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}

// customs choose how the table takes contests and take-backs, and when its secret
// dice are opened.
func (p *play) customs(create *eventv1.CreateEncounter) {
	create.Settings = map[string]string{
		rules.SettingContests: []string{rules.ContestsSeen, rules.ContestsPrivate}[p.rng.IntN(2)],
		rules.SettingTakeBack: []string{rules.TakeBackGameMaster, rules.TakeBackPlayers, rules.TakeBackUnseenDice}[p.rng.IntN(3)],
	}
	create.SecretDice = []*eventv1.SecretDice{nil,
		{When: eventv1.SecretDice_WHEN_NEVER}, {When: eventv1.SecretDice_WHEN_END},
		{When: eventv1.SecretDice_WHEN_AFTER, UnixMillis: 1}, // the clock stands still: with the end
		{When: eventv1.SecretDice_WHEN_BY_GAME_MASTER}}[p.rng.IntN(5)]
}

// entropy is given by some, before or after dice for setting up were rolled.
func (p *play) entropy() {
	p.t.Helper()
	for i, as := range []*eventv1.Principal{ann, gm} {
		if p.rng.IntN(3) == 0 {
			p.mustAs(as, &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Words: fmt.Sprint("words ", i, p.fight)}}})
		}
	}
}

func (p *play) tryAs(as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	p.n++
	p.log = append(p.log, fmt.Sprint(as.Name, ": ", cmd))
	return p.client.Execute(p.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(p.id, "-", p.n), As: as, Encounter: p.id, Command: cmd})
}

func (p *play) mustAs(as *eventv1.Principal, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	p.t.Helper()
	resp, err := p.tryAs(as, cmd)
	if err != nil {
		p.t.Fatalf("%v: %v", cmd, err)
	}
	return resp
}

// kept holds that what stands aside of the history changed nothing in it.
func (p *play) kept(what string, before *encounterv1.GetStateResponse) {
	p.t.Helper()
	p.same(what+" changed the fight", p.state().State, before.State)
}

// contests has the player contest a step that it saw, and the game master uphold it
// with a word, decline it, or leave it.
func (p *play) contests(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	seen := p.numberOf(ann)
	if seen == 0 {
		return
	}
	claim := &eventv1.ContestStep{Step: 1 + uint64(p.rng.IntN(int(seen))), Words: "was there no cover?"} //nolint:gosec // few
	_, err := p.tryAs(ann, &eventv1.Command{What: &eventv1.Command_Contest{Contest: claim}})
	if f := rpc.FromStatus(err); err != nil && f.Code != fault.Illegal && f.Code != fault.Invalid {
		p.t.Errorf("contesting step %d: %v", claim.Step, err)
	}
	if err == nil {
		p.kept("a contest", before)
	}
	var open []string
	for _, id := range rules.SortedKeys(p.state().State.Contests) {
		if c := p.state().State.Contests[id]; c.Status == eventv1.Contest_STATUS_OPEN && c.Kind != eventv1.Contest_KIND_TAKE_BACK {
			open = append(open, id)
		}
	}
	if len(open) == 0 || p.rng.IntN(3) == 0 {
		return
	}
	p.must(&eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{
		Contest: open[p.rng.IntN(len(open))], Uphold: p.rng.IntN(2) == 0, Reason: "so it was"}}})
	p.kept("settling a contest", before)
}

// takesBack has the player ask to take its last commands back. What was granted at
// once is redone, else it gives the question up.
func (p *play) takesBack(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	resp, err := p.tryAs(ann, &eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: &eventv1.TakeBack{Words: "wrong square"}}})
	if f := rpc.FromStatus(err); err != nil && f.Code != fault.Illegal && f.Code != fault.Invalid {
		p.t.Errorf("taking back: %v", err)
	}
	if resp.GetStep().GetRestored() != nil { // granted at once
		p.done["take-back"]++
		p.must(redo)
	}
	s := p.state().State
	for _, id := range rules.SortedKeys(s.Contests) {
		if c := s.Contests[id]; c.Kind == eventv1.Contest_KIND_TAKE_BACK && c.Status == eventv1.Contest_STATUS_OPEN {
			p.mustAs(ann, &eventv1.Command{What: &eventv1.Command_AnswerContest{AnswerContest: &eventv1.AnswerContest{Contest: id, Withdraw: true}}})
		}
	}
	if len(p.state().State.Contests) == 0 && err == nil {
		p.t.Error("a take-back that was filed is nowhere")
	}
	p.kept("a take-back that was given up", before)
	p.takesBackBehind(before)
}

// takesBackBehind has the player take back commands between and behind which hidden things
// were done. They stay; a redo brings back what was taken back, and an undo of it all what
// was before.
func (p *play) takesBackBehind(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	if len(before.State.Decisions) > 0 || before.State.Status != eventv1.State_STATUS_STARTED {
		return
	}
	hidden := fmt.Sprint("hidden", p.n)
	begin := p.state().Number
	for i, cmd := range []*eventv1.Command{p.order(before.State), p.staged(hidden), p.order(before.State), p.prowl(hidden)} {
		as := []*eventv1.Principal{ann, gm}[i%2]
		resp, err := p.tryAs(as, cmd)
		if err != nil {
			p.t.Fatalf("%v: %v", cmd, err)
		}
		for len(resp.Decisions) > 0 { // who enters may have dice to roll
			d := resp.Decisions[0]
			resp = p.mustAs(gm, &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: p.answer(d)}}})
		}
	}
	then := p.state()
	p.mustAs(ann, &eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: &eventv1.TakeBack{Commands: 2}}})
	for id, c := range p.state().State.Contests {
		if c.Kind == eventv1.Contest_KIND_TAKE_BACK && c.Status == eventv1.Contest_STATUS_OPEN {
			p.mustAs(gm, &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: id, Uphold: true}}})
		}
	}
	p.done["take-back behind hidden deeds"]++
	now := p.state().State
	p.invariants(now)
	if was := then.State.Creatures[hidden]; was == nil || !proto.Equal(now.Creatures[hidden], was) {
		p.t.Errorf("what was hidden is now %v, and was %v", now.Creatures[hidden], was)
	}
	p.mustAs(gm, proto.CloneOf(redo))
	p.same("redo of a take-back is not identity", p.state().State, then.State)
	p.mustAs(gm, revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: begin}}))
	p.kept("hidden deeds and a take-back that were undone", before)
}

// order is a standing order of the player's for one of its creatures.
func (p *play) order(s *eventv1.State) *eventv1.Command {
	p.t.Helper()
	sys, err := systems.Registry().System(p.system)
	if err != nil {
		p.t.Fatal(err)
	}
	all := sys.StandingOrders()
	picked := all[p.rng.IntN(len(all))]
	for _, id := range rules.SortedKeys(s.Creatures) {
		if slices.Contains(s.Creatures[id].Controllers, ann.Name) {
			return &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: id, Decision: picked.Decision, Order: picked.Orders[p.rng.IntN(len(picked.Orders))]}}}
		}
	}
	p.t.Fatal("the player plays nobody")
	return nil
}

// staged has somebody come in whom nobody knows of.
func (p *play) staged(id string) *eventv1.Command {
	p.t.Helper()
	sheet, err := sheets.Get(p.system, sheets.List(p.system)[0])
	if err != nil {
		p.t.Fatal(err)
	}
	sheet = proto.CloneOf(sheet)
	sheet.Id, sheet.Side = id, "right"
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Staged: true, Position: &eventv1.Position{X: 900, Y: 900}}}}
}

// prowl moves it.
func (p *play) prowl(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Position: &eventv1.Position{X: 900 + 5*p.rng.Int32N(20), Y: 900}}}}
}

// saves gives a name to the state of now, and goes back to one of the names.
func (p *play) saves(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	name := fmt.Sprint("point ", p.n)
	p.must(&eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: name}}})
	p.kept("a save point", before)
	if p.rng.IntN(2) == 0 {
		return
	}
	points := p.state().State.SavePoints
	p.must(revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_SavePoint{SavePoint: points[p.rng.IntN(len(points))].Name}}))
	p.invariants(p.state().State)
	if s := p.state().State; s.Status != eventv1.State_STATUS_STARTED || p.rng.IntN(2) == 0 {
		p.must(redo)
		p.same("redo after going back to a save point is not identity", p.state().State, before.State)
	}
}

// opens opens what was rolled in secret in some step.
func (p *play) opens(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	open := &eventv1.OpenRolls{Step: 1 + uint64(p.rng.IntN(int(before.Number)))} //nolint:gosec // few
	_, err := p.tryAs(gm, &eventv1.Command{What: &eventv1.Command_OpenRolls{OpenRolls: open}})
	mayOpen := before.State.SecretDice.GetPolicy().GetWhen() == eventv1.SecretDice_WHEN_BY_GAME_MASTER
	if f := rpc.FromStatus(err); err != nil && f.Code != fault.Illegal || err == nil && !mayOpen {
		p.t.Errorf("opening the rolls of step %d, allowed %t: %v", open.Step, mayOpen, err)
	}
	if err == nil {
		p.done["open-rolls"]++
		p.kept("opening rolls", before)
	}
}

// over ends a fight that will not be played on, so that its dice are opened.
func (p *play) over() {
	p.t.Helper()
	if s := p.state().State; s.Status == eventv1.State_STATUS_STARTED && p.rng.IntN(2) == 0 {
		_, err := p.try(proto.CloneOf(endCommand))
		if f := rpc.FromStatus(err); err != nil && f.Code != fault.Illegal {
			p.t.Errorf("ending: %v", err)
		}
	}
}

var endCommand = &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}
