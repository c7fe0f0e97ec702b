package encounter_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func entropyCmd(words string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Words: words}}}
}

var startCmd = &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}

func closeCmd() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_CloseEntropy{CloseEntropy: &eventv1.CloseEntropy{}}}
}

// setUp makes an encounter with its creatures, not begun.
func (c *client) setUp(id string, change func(*eventv1.CreateEncounter)) {
	c.w.t.Helper()
	cmd := createCmd(server)
	if change != nil {
		change(cmd.GetCreate())
	}
	c.do(gm, id, cmd)
	c.do(gm, id, addCmd("a", 1000, "ann"))
	c.do(gm, id, addCmd("b", 1000, "bob"))
}

// T4: nobody tries seeds before there is a commitment.
func TestEntropyIsNotGivenAtTheCreation(t *testing.T) {
	c := newWorld(t).start()
	for i := range 50 {
		cmd := createCmd(server)
		cmd.GetCreate().Entropy = []*eventv1.Entropy{{Contributor: "ann", Value: []byte(fmt.Sprint("seed ", i))}}
		_, err := c.try(gm, "e", cmd)
		if field(err) != "command.create.entropy" || !strings.Contains(err.Error(), "add_entropy") {
			t.Fatalf("seed %d: %v", i, err)
		}
	}
	forged := createCmd(server)
	forged.GetCreate().DiceFormat = 1 // what a caller says of it is dropped
	c.do(gm, "e", forged)
	if s := c.state(gm, "e", 0).State; !s.EntropyOpen || s.DiceFormat != 2 {
		t.Errorf("open %v, format %d", s.EntropyOpen, s.DiceFormat)
	}
}

// T4: create, commitments, entropy of each once, start.
func TestEntropyOfPlayers(t *testing.T) {
	c := newWorld(t).start()
	c.setUp("e", nil)
	c.do(ann, "e", entropyCmd("seven of swords"))
	c.refused(ann, "e", "ENTROPY_GIVEN", entropyCmd("another try"))
	asBob := entropyCmd("as bob")
	asBob.Answers = nil
	if got := c.do(bob, "e", asBob).Step.Events[0].GetEntropyGiven(); got.GetContributor() != "player/bob" || got.GetEpoch() != 1 {
		t.Errorf("given: %v", got)
	}
	master := c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Value: []byte{1, 2, 3}}}})
	if got := master.Step.Events[0].GetEntropyGiven(); got.GetContributor() != "gm/" || string(got.GetValue()) != "\x01\x02\x03" {
		t.Errorf("given: %v", got)
	}
	c.refused(spectator, "e", "NOT_ALLOWED", entropyCmd("from the stands"))
	c.refused(ann, "e", "NOT_ALLOWED", closeCmd())
	huge := entropyCmd("")
	huge.GetAddEntropy().Value = make([]byte, 1025)
	c.refused(gm, "e", "LIMIT", huge)
	c.refused(bob, "e", "INVALID_FIELD", entropyCmd(""))
	both := entropyCmd("x")
	both.GetAddEntropy().Value = []byte("y")
	c.refused(bob, "e", "INVALID_FIELD", both)
	c.do(gm, "e", startCmd)
	c.refused(bob, "e", "ENTROPY_CLOSED", entropyCmd("too late"))
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	s := c.state(spectator, "e", 0).State
	if len(s.Entropy) != 3 || s.EntropyOpen || len(s.Commitments) != 5 {
		t.Errorf("entropy %v, open %v, %d commitments", s.Entropy, s.EntropyOpen, len(s.Commitments))
	}
	// Undo across the start opens nothing again.
	c.do(gm, "e", toVersion(3))
	c.refused(bob, "e", "ENTROPY_CLOSED", entropyCmd("after the undo"))
	c.do(gm, "e", startCmd)
	if again := c.state(gm, "e", 0).State; !proto.Equal(&eventv1.State{Entropy: again.Entropy}, &eventv1.State{Entropy: s.Entropy}) {
		t.Errorf("entropy after the undo: %v", again.Entropy)
	}
}

// The faces follow from the seed and from what was given before the start.
func TestFacesFollowFromWhatWasGiven(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.setUp("e", nil)
	c.do(ann, "e", entropyCmd("swords"))
	c.stop()
	c = w.start() // what was given is on the log
	c.do(bob, "e", entropyCmd("cups"))
	c.do(gm, "e", startCmd)
	c.stop()
	c = w.start()
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", endCmd)
	var seed tape.Seed
	var records []tape.Recorded
	var commitment []byte
	for _, e := range c.steps(spectator, "e", 0) {
		if d := e.GetDiceEpoch(); d != nil && commitment == nil {
			commitment = d.Commitments[0].Commitment
		}
		if r := e.GetDiceRevealed(); r != nil {
			seed = tape.Seed(r.Seed)
		}
		if r := e.GetRoll(); r.GetBranch() == "everyone" {
			records = append(records, recordedRoll(t, "e", r))
		}
	}
	given := []tape.Contribution{{Contributor: "player/ann", Bytes: []byte("swords")}, {Contributor: "player/bob", Bytes: []byte("cups")}}
	report, err := tape.VerifyBranch(tape.FormatLeaf, tape.Everyone, seed, tape.Digest(commitment), given, records)
	if err != nil || !report.OK() || report.Faces == 0 {
		t.Errorf("%v, %+v", err, report)
	}
	report, err = tape.VerifyBranch(tape.FormatLeaf, tape.Everyone, seed, tape.Digest(commitment), given[:1], records)
	if err != nil || report.OK() {
		t.Errorf("without bob's: %v, %+v", err, report)
	}
}

// Contributions and a start over one another: what was accepted counts, what was
// refused does not, and the dice service knows the same.
func TestEntropyRacesTheStart(t *testing.T) {
	w := newWorld(t)
	one, two := w.start(), w.replica(t.TempDir(), w.log)
	one.setUp("e", nil)
	var mu sync.Mutex
	taken := map[string]bool{}
	var wait sync.WaitGroup
	for i := range 12 {
		c := []*client{one, two}[i%2]
		wait.Go(func() {
			if i == 6 {
				if _, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "start", As: gm, Encounter: "e", Command: startCmd}); err != nil {
					t.Error(err)
				}
				return
			}
			as := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: fmt.Sprint("p", i)}
			_, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("give ", i), As: as, Encounter: "e", Command: entropyCmd(as.Name)})
			if err != nil && reason(err) != "ENTROPY_CLOSED" {
				t.Errorf("%s: %v", as.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			taken["player/"+as.Name] = err == nil
		})
	}
	wait.Wait()
	one.do(gm, "e", early(attackCmd("a", "b")))
	s := one.state(gm, "e", 0).State
	for who, ok := range taken {
		if in := slices.ContainsFunc(s.Entropy, func(e *eventv1.Entropy) bool { return e.Contributor == who }); in != ok {
			t.Errorf("%s: accepted %v, counted %v", who, ok, in)
		}
	}
	one.do(gm, "e", endCmd)
	one.verifies("e", s.Entropy)
}

// verifies derives every public roll of a fight that is over again.
func (c *client) verifies(id string, entropy []*eventv1.Entropy) {
	c.w.t.Helper()
	var given []tape.Contribution
	for _, e := range entropy {
		given = append(given, tape.Contribution{Contributor: e.Contributor, Bytes: e.Value})
	}
	var seed tape.Seed
	var records []tape.Recorded
	for _, e := range c.steps(spectator, id, 0) {
		if r := e.GetDiceRevealed(); r != nil && r.Epoch == 1 && r.Branch == "everyone" {
			seed = tape.Seed(r.Seed)
		}
		if r := e.GetRoll(); r.GetBranch() == "everyone" && r.Epoch == 1 {
			records = append(records, recordedRoll(c.w.t, id, r))
		}
	}
	report, err := tape.VerifyRolls(tape.FormatLeaf, seed, given, records)
	if err != nil || !report.OK() || report.Faces == 0 {
		c.w.t.Errorf("%v, %+v", err, report)
	}
}

func TestBeacon(t *testing.T) {
	c := newWorld(t).start()
	round := &eventv1.Beacon{Name: "drand quicknet", Round: 1000}
	give := func(b *eventv1.Beacon, value string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Value: []byte(value), Beacon: b}}}
	}
	name := func(n *eventv1.NameBeacon) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_NameBeacon{NameBeacon: n}}
	}
	bad := createCmd(server)
	bad.GetCreate().Beacon = &eventv1.Beacon{Name: "drand quicknet"}
	if _, err := c.try(gm, "bad", bad); field(err) != "create.beacon.round" {
		t.Errorf("no round: %v", err)
	}
	c.setUp("e", func(e *eventv1.CreateEncounter) { e.Beacon = round })
	c.refused(gm, "e", "BEACON_MISSING", startCmd)
	c.refused(gm, "e", "BEACON_MISSING", closeCmd())
	c.refused(gm, "e", "BEACON", name(&eventv1.NameBeacon{Beacon: &eventv1.Beacon{Name: "another", Round: 2}}))
	c.refused(ann, "e", "NOT_ALLOWED", name(&eventv1.NameBeacon{Waive: true}))
	c.refused(ann, "e", "INVALID_FIELD", give(&eventv1.Beacon{Name: "drand quicknet", Round: 999}, "value"))
	c.do(ann, "e", give(round, "value"))
	c.refused(bob, "e", "ENTROPY_GIVEN", give(round, "another value"))
	c.do(ann, "e", entropyCmd("her own as well"))
	c.do(gm, "e", startCmd)
	if s := c.state(spectator, "e", 0).State; s.Entropy[0].Contributor != "beacon/drand quicknet/1000" || !s.Beacon.Given {
		t.Errorf("entropy %v, beacon %v", s.Entropy, s.Beacon)
	}
	// Promised by a command, and waived on record.
	c.setUp("f", nil)
	c.refused(ann, "f", "BEACON", give(round, "value"))
	c.do(gm, "f", name(&eventv1.NameBeacon{Beacon: round}))
	c.refused(gm, "f", "BEACON_MISSING", startCmd)
	told := c.do(gm, "f", name(&eventv1.NameBeacon{Waive: true, Reason: "no net"})).Step.Events[0].GetBeaconNamed()
	if !told.GetWaived() || told.GetReason() != "no net" || told.GetBeacon().GetRound() != 1000 {
		t.Errorf("waived: %v", told)
	}
	c.refused(ann, "f", "BEACON", give(round, "value"))
	c.do(gm, "f", startCmd)
}

// Later dice take entropy until they are first rolled, or closed by word; an open
// decision keeps nobody from giving it.
func TestEntropyOfLaterDice(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	c.do(gm, "e", endCmd)
	c.do(gm, "e", toVersion(4))
	if s := c.state(gm, "e", 0).State; s.Epoch != 2 || !s.EntropyOpen || s.SettingUp != nil {
		t.Fatalf("epoch %d, open %v", s.Epoch, s.EntropyOpen)
	}
	c.do(ann, "e", entropyCmd("cups"))
	events := c.do(gm, "e", attackCmd("a", "b")).Step.Events
	closed := slices.IndexFunc(events, func(e *eventv1.Event) bool { return e.GetEntropyClosed().GetEpoch() == 2 })
	rolled := slices.IndexFunc(events, func(e *eventv1.Event) bool { return e.GetRoll().GetEpoch() == 2 })
	if closed < 0 || rolled < closed {
		t.Errorf("closed by event %d, rolled by event %d", closed, rolled)
	}
	c.refused(bob, "e", "ENTROPY_CLOSED", entropyCmd("wands"))
	// Into an open decision, and then a contribution.
	c.fight("f", either)
	blow := takeCmd("a", "attack", "b")
	blow.Faces = []int32{19}
	open := c.do(gm, "f", blow) // 5
	if len(open.Decisions) == 0 {
		t.Fatal("nothing is asked")
	}
	c.do(gm, "f", toVersion(4))
	c.do(gm, "f", endCmd)
	c.do(gm, "f", toVersion(5))
	c.do(bob, "f", entropyCmd("in between"))
	s := c.state(bob, "f", 0).State
	if len(s.Decisions) != 1 || len(s.Entropy) != 1 || s.Epoch != 2 {
		t.Fatalf("%d decisions, entropy %v, epoch %d", len(s.Decisions), s.Entropy, s.Epoch)
	}
	for id := range s.Decisions {
		c.do(bob, "f", answerCmd(id, "no"))
	}
}

func recordedRoll(t testing.TB, encounter string, r *eventv1.Roll) tape.Recorded {
	t.Helper()
	rec := tape.Recorded{Purpose: tape.Real, Expr: r.Expression, Supplied: int(r.SuppliedFaces),
		Address: tape.Address{Encounter: encounter, Epoch: r.Epoch, Action: r.Action, Label: r.Label, Index: r.Index}}
	faces, err := facesIn(r)
	if err != nil {
		t.Fatal(err)
	}
	rec.Faces = faces
	return rec
}

// What is opened of secret dice verifies, and nothing else is known by it.
func TestSecretDiceAtTheEnd(t *testing.T) {
	c := newWorld(t).start()
	c.setUp("e", func(e *eventv1.CreateEncounter) {
		e.SecretDice = &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_END}
	})
	c.do(gm, "e", startCmd)
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", endCmd)
	seeds := map[string]*eventv1.DiceRevealed{}
	var opened []*eventv1.RollsOpened
	for _, e := range c.steps(spectator, "e", 0) {
		if d := e.GetDiceRevealed(); d != nil {
			seeds[d.Branch] = d
		}
		if o := e.GetRollsOpened(); o != nil {
			opened = append(opened, o)
		}
	}
	if len(seeds) != 3 || len(opened) == 0 {
		t.Fatalf("seeds of %d branches, %d openings", len(seeds), len(opened))
	}
	s := c.state(spectator, "e", 0).State
	for _, o := range opened {
		seed := tape.Seed{}
		if id, of := strings.CutPrefix(o.Branch, "creature/"); of {
			seed = tape.CreatureOf(tape.Seed(seeds["creatures"].Seed), id)
		} else {
			copy(seed[:], seeds["gm"].Seed)
		}
		var records []tape.Recorded
		for _, r := range o.Rolls {
			records = append(records, recordedRoll(t, "e", r))
		}
		report, err := tape.VerifyBranch(tape.FormatLeaf, tape.Audience(o.Branch), seed, tape.Digest(s.Commitments[o.Branch]), nil, records)
		if err != nil || !report.OK() {
			t.Errorf("%s: %v, %+v", o.Branch, err, report)
		}
	}
	// Never is the default.
	c.fight("f", server)
	c.do(gm, "f", attackCmd("a", "b"))
	c.do(gm, "f", endCmd)
	for _, e := range c.steps(spectator, "f", 0) {
		if d := e.GetDiceRevealed(); d.GetBranch() == "gm" || d.GetBranch() == "creatures" || e.GetRollsOpened() != nil {
			t.Errorf("opened without a policy: %v", e)
		}
	}
}

func TestSecretDiceAfterATime(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	w.clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	c := w.start()
	c.setUp("e", func(e *eventv1.CreateEncounter) {
		e.SecretDice = &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_AFTER, SecondsAfterEnd: 3600}
	})
	c.do(gm, "e", startCmd)
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", endCmd)
	open := func() bool {
		return slices.ContainsFunc(c.steps(spectator, "e", 0), func(e *eventv1.Event) bool { return e.GetDiceRevealed().GetBranch() == "gm" })
	}
	if s := c.state(spectator, "e", 0).State; s.SecretDice.DueUnixMillis != now.Add(time.Hour).UnixMilli() || open() {
		t.Fatalf("due %d", s.SecretDice.DueUnixMillis)
	}
	c.stop()
	mu.Lock()
	now = now.Add(2 * time.Hour)
	mu.Unlock()
	c = w.start() // a server that starts later does it
	for end := time.Now().Add(20 * time.Second); !open(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the secret branches were not opened")
		}
	}
}

func TestSecretDiceRollByRoll(t *testing.T) {
	c := newWorld(t).start()
	openCmd := func(step uint64) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_OpenRolls{OpenRolls: &eventv1.OpenRolls{Step: step}}}
	}
	c.fight("n", server)
	c.do(gm, "n", attackCmd("a", "b")) // 5
	c.refused(gm, "n", "SECRET_DICE", openCmd(5))
	c.setUp("e", func(e *eventv1.CreateEncounter) {
		e.SecretDice = &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_BY_GAME_MASTER}
	})
	c.do(gm, "e", startCmd)            // 4
	c.do(gm, "e", attackCmd("a", "b")) // 5
	c.do(gm, "e", attackCmd("a", "b")) // 6
	c.refused(ann, "e", "NOT_ALLOWED", openCmd(5))
	c.refused(gm, "e", "NO_SECRET_ROLL", openCmd(4))
	c.refused(gm, "e", "INVALID_FIELD", openCmd(99))
	c.do(gm, "e", openCmd(5))
	s := c.state(spectator, "e", 0).State
	opened := 0
	for _, e := range c.steps(spectator, "e", 0) {
		o := e.GetRollsOpened()
		if o == nil {
			continue
		}
		opened++
		path := make([]tape.Digest, len(o.Path))
		for i, p := range o.Path {
			path[i] = tape.Digest(p)
		}
		commitment := tape.Digest(s.Commitments[o.Branch])
		if err := tape.CheckLeaf(commitment, tape.Leaf(o.Leaf), o.Action, path, tape.Digest(o.SeedHash)); err != nil {
			t.Errorf("%s: %v", o.Branch, err)
		}
		if err := tape.CheckLeaf(commitment, tape.Leaf(o.Leaf), o.Action+1, path, tape.Digest(o.SeedHash)); !errors.Is(err, tape.ErrPath) {
			t.Errorf("%s: the leaf passes for the next action: %v", o.Branch, err)
		}
		var records []tape.Recorded
		for _, r := range o.Rolls {
			records = append(records, recordedRoll(t, "e", r))
		}
		report, err := tape.VerifyLeaf(tape.Leaf(o.Leaf), o.Action, nil, records)
		if err != nil || !report.OK() || report.Faces == 0 {
			t.Errorf("%s: %v, %+v", o.Branch, err, report)
		}
		if !event.Spent(s, o.Epoch, o.Branch, o.Action) || event.Spent(s, o.Epoch, o.Branch, o.Action+1) {
			t.Errorf("%s: what is spent", o.Branch)
		}
	}
	if opened == 0 {
		t.Fatal("nothing was opened")
	}
	// The fight goes on, and what was opened rolls no more.
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 5}))
}

// Two worlds that differ in what is secret alone answer a player alike.
func TestEntropyTellsNothingOfWhatIsSecret(t *testing.T) {
	c := newWorld(t).start()
	for _, id := range []string{"e", "f"} {
		c.setUp(id, nil)
		if id == "f" {
			lurk := addCmd("ann", 10) // staged, with the name of a player
			lurk.GetAdd().Staged = true
			c.do(gm, id, lurk)
		}
	}
	for i, cmd := range []*eventv1.Command{entropyCmd("for ann"), entropyCmd("again"), closeCmd(), startCmd} {
		var words, told [2]string
		for k, id := range []string{"e", "f"} {
			resp, err := c.try(ann, id, cmd)
			if err != nil {
				words[k] = err.Error()
				continue
			}
			for _, e := range resp.Step.Events {
				told[k] += e.String()
			}
			told[k] += fmt.Sprint(resp.Step.Number)
		}
		if words[0] != words[1] || strings.ReplaceAll(told[0], " ", "") != strings.ReplaceAll(told[1], " ", "") {
			t.Errorf("command %d: %q and %q, %q and %q", i, words[0], words[1], told[0], told[1])
		}
	}
}

func facesIn(r *eventv1.Roll) ([]dice.Face, error) {
	expr, err := dice.Parse(r.Expression)
	if err != nil {
		return nil, err
	}
	faces := make([]int, len(r.Faces))
	for i, f := range r.Faces {
		faces[i] = int(f)
	}
	out, err := expr.Eval(dice.List(faces...), dice.Limits{})
	if err != nil {
		return nil, err
	}
	return out.Faces, nil
}

// What is rolled before the start comes from dice of their own, which are closed by
// that roll; the fight's still take entropy.
func TestDiceForSettingUp(t *testing.T) {
	c := newWorld(t).start()
	c.setUp("e", nil)
	c.do(ann, "e", entropyCmd("cups"))
	fresh := addCmd("f", 10)
	fresh.GetAdd().Sheet.Side = "fresh"
	setting := event.SettingUpEpoch(1)
	events := c.do(gm, "e", fresh).Step.Events
	closed := slices.IndexFunc(events, func(e *eventv1.Event) bool { return e.GetEntropyClosed().GetEpoch() == setting })
	rolled := slices.IndexFunc(events, func(e *eventv1.Event) bool { return e.GetRoll().GetEpoch() == setting })
	if closed < 0 || rolled < closed {
		t.Fatalf("closed by event %d, rolled by event %d", closed, rolled)
	}
	c.do(bob, "e", entropyCmd("wands")) // for the fight alone
	c.do(gm, "e", startCmd)
	for _, e := range c.do(gm, "e", attackCmd("a", "b")).Step.Events {
		if r := e.GetRoll(); r != nil && r.Epoch != 1 {
			t.Errorf("%s is rolled in epoch %d", r.Label, r.Epoch)
		}
	}
	c.do(gm, "e", endCmd)
	c.verifies("e", c.state(gm, "e", 0).State.Entropy)
	for _, e := range c.steps(spectator, "e", 0) {
		d := e.GetDiceRevealed()
		if d == nil {
			continue
		}
		report, err := tape.VerifyRolls(tape.FormatLeaf, tape.Seed(d.SettingUpSeed), []tape.Contribution{{Contributor: "player/ann", Bytes: []byte("cups")}},
			[]tape.Recorded{recordedRoll(t, "e", events[rolled].GetRoll())})
		if err != nil || !report.OK() || report.Faces != 3 {
			t.Errorf("%v, %+v", err, report)
		}
	}
}
