package robustness

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// statusIn is the status of an encounter in a list; unspecified when it is not there.
func statusIn(list *encounterv1.ListEncountersResponse, id string) eventv1.State_Status {
	for _, e := range list.GetEncounters() {
		if e.Encounter == id {
			return e.Status
		}
	}
	return eventv1.State_STATUS_UNSPECIFIED
}

// openContest is the contest of some words that is open; empty when none is.
func (s *side) openContest(words string) string {
	s.t.Helper()
	all := s.state(gm).Contests
	for _, id := range rules.SortedKeys(all) {
		if c := all[id]; c.Words == words && c.Status == eventv1.Contest_STATUS_OPEN {
			return id
		}
	}
	return ""
}

// contests has the player contest a step by the player's own number in both worlds. The game master then upholds or declines it, with a reason
// that names who is staged, or the player gives it up, or it stays open.
func (w *worlds) contests() {
	w.t.Helper()
	resp, err := w.plain.client.GetState(w.t.Context(), &encounterv1.GetStateRequest{As: annPlays, Encounter: "e"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.contested++
	words := fmt.Sprint("claim ", w.contested)
	claim := &eventv1.Command{What: &eventv1.Command_Contest{Contest: &eventv1.ContestStep{Step: 1 + uint64(w.rng.IntN(int(resp.Number)+1)), Words: words}}} //nolint:gosec // few
	if !w.both(annPlays, claim) {
		return
	}
	one, two := w.plain.openContest(words), w.rich.openContest(words)
	if (one == "") != (two == "") {
		w.t.Errorf("%v: it is open in one world: %q / %q", claim, one, two)
	}
	if one == "" || w.rng.IntN(3) == 0 {
		w.answerAll()
		return
	}
	as, settle := gm, func(id, name string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: id, Reason: name + " was there"}}}
	}
	switch w.rng.IntN(3) {
	case 0:
		as, settle = annPlays, func(id, _ string) *eventv1.Command {
			return &eventv1.Command{What: &eventv1.Command_AnswerContest{AnswerContest: &eventv1.AnswerContest{Contest: id, Withdraw: true}}}
		}
	case 1:
		declined := settle
		settle = func(id, name string) *eventv1.Command {
			cmd := declined(id, name)
			cmd.GetSettle().Uphold = true
			return cmd
		}
	}
	w.plain.n++
	request := fmt.Sprint("both-", w.plain.n)
	second, err2 := w.rich.execute(as, request, settle(two, "Quibble"))
	first, err1 := w.plain.execute(as, request, settle(one, "Zigzag"))
	if as != gm {
		w.same(fmt.Sprintf("answer to %v", settle("", "")), said(first, err1), said(second, err2))
	} else if (err1 == nil) != (err2 == nil) {
		w.t.Errorf("%v: refused in one world: %v / %v", settle("", ""), err1, err2)
	}
	w.answerAll()
}

// takesBack has a player ask to take its last commands back, in both worlds, after something
// hidden was done in one of them, and again before others answer. Under the policy of the
// table they grant or refuse, or the game master does; some of what was granted is redone.
func (w *worlds) takesBack() {
	w.t.Helper()
	claimant := []*eventv1.Principal{annPlays, bobPlays}[w.rng.IntN(2)]
	if w.last.GetRole() == eventv1.Principal_ROLE_PLAYER && w.rng.IntN(4) > 0 {
		claimant = w.last
	}
	w.takeBacks++
	words := fmt.Sprint("back ", w.takeBacks)
	for range w.rng.IntN(3) { // something of its own, so that there is what it can take back
		w.acts(w.plain.state(gm), claimant)
		w.hide()
	}
	w.hide()
	asked := w.both(claimant, &eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: &eventv1.TakeBack{
		Words: words, Commands: 1 + uint32(w.rng.IntN(4)/3)}}}) //nolint:gosec // few
	if !asked {
		return
	}
	one, two := w.plain.openContest(words), w.rich.openContest(words)
	if (one == "") != (two == "") {
		w.t.Errorf("%s: it is open in one world: %q / %q", words, one, two)
	}
	if one != "" && w.rng.IntN(2) == 0 {
		w.hide()
	}
	answer := func(id string, yes bool, as *eventv1.Principal) *eventv1.Command {
		if as == gm {
			return &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: id, Uphold: yes, Reason: "it is so"}}}
		}
		return &eventv1.Command{What: &eventv1.Command_AnswerContest{AnswerContest: &eventv1.AnswerContest{Contest: id, Grant: yes}}}
	}
	by := gm
	if one != "" && len(w.plain.state(gm).Contests[one].Asked) > 0 && w.rng.IntN(4) > 0 {
		by = map[string]*eventv1.Principal{"ann": bobPlays, "bob": annPlays}[claimant.Name]
	}
	if one != "" && w.rng.IntN(6) > 0 {
		yes := w.rng.IntN(4) > 0
		w.plain.n++
		request := fmt.Sprint("both-", w.plain.n)
		first, err1 := w.plain.execute(by, request, answer(one, yes, by))
		second, err2 := w.rich.execute(by, request, answer(two, yes, by))
		if by != gm {
			w.same("answer of "+by.Name+" to "+words, said(first, err1), said(second, err2))
		} else if (err1 == nil) != (err2 == nil) {
			w.t.Errorf("%s: refused in one world: %v / %v", words, err1, err2)
		}
	}
	granted := w.count(words)
	w.answerAll()
	if granted && w.rng.IntN(4) == 0 { // at once: behind something hidden the game master could not
		w.both(gm, &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{Reason: "no"}}})
		w.answerAll()
	}
}

// count counts a take-back, if it was granted.
func (w *worlds) count(words string) (granted bool) {
	w.t.Helper()
	for _, c := range w.rich.state(gm).Contests {
		if c.Words == words && c.Status == eventv1.Contest_STATUS_UPHELD {
			granted = true
			w.granted++
			h, err := w.rich.client.GetHistory(w.t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e", After: c.Ruling - 1, Limit: 1})
			if err != nil {
				w.t.Fatal(err)
			}
			if slices.ContainsFunc(h.Steps[0].Events, func(ev *eventv1.Event) bool { return ev.GetReverted().GetKept() }) {
				w.kept++
			}
		}
	}
	return granted
}

// forks makes forks of both worlds, of the end and of steps in the midst, and holds that what
// everybody is told of them is the same, as it is of what they come from: also after
// something was done there that is hidden.
func (w *worlds) forks() {
	w.t.Helper()
	at := [][2]uint64{{}}
	for range min(2, len(w.given)) {
		at = append(at, w.given[w.rng.IntN(len(w.given))])
	}
	for i, version := range at {
		fork := fmt.Sprint("fork-", i)
		var refused [2]error
		for n, s := range []*side{w.plain, w.rich} {
			_, refused[n] = s.client.Execute(w.t.Context(), &encounterv1.ExecuteRequest{RequestId: fork, As: gm, Encounter: fork,
				Command: &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{Encounter: "e", Version: version[n]}}}}})
		}
		if (refused[0] == nil) != (refused[1] == nil) {
			w.t.Errorf("%s: refused in one world: %v / %v", fork, refused[0], refused[1])
		}
		if refused[0] != nil || refused[1] != nil {
			continue
		}
		w.forked++
		w.of = fork
		w.compare()
		hp := int32(1 + w.rng.IntN(5))
		//nolint:errcheck // the staged may not be there
		w.rich.client.Execute(w.t.Context(), &encounterv1.ExecuteRequest{RequestId: "hidden", As: gm, Encounter: fork, Command: &eventv1.Command{What: &eventv1.Command_Edit{
			Edit: &eventv1.EditCreature{Creature: "staged", Vitals: &eventv1.Vitals{Hp: &hp}}}}})
		w.compare()
		for _, as := range w.watcher {
			var told [2]string
			for n, s := range []*side{w.plain, w.rich} {
				resp, err := s.whatIf.Compare(w.t.Context(), &encounterv1.CompareRequest{As: as, Encounter: "e", OtherEncounter: fork})
				told[n] = said(proto.Message(resp), err)
			}
			w.same(fmt.Sprintf("%v: %s compared with what it comes from", as, fork), told[0], told[1])
			w.compared++
		}
	}
	w.of = "e"
}
