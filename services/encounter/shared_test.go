package encounter_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/benchfloor"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// listener is a watch under way whose bytes are held against what the same viewer is
// told by calls that share nothing with anybody.
type listener struct {
	as     *eventv1.Principal
	req    *encounterv1.WatchRequest
	stream grpc.ClientStream
	number uint64
	heard  []byte // everything that came, as bytes
}

func (l *listener) String() string {
	return fmt.Sprintf("%v %q (bytes %v)", l.as.Role, l.as.Name, l.req.WithBytes)
}

func (c *client) listen(ctx context.Context, as *eventv1.Principal, withBytes bool, after string) *listener {
	c.w.t.Helper()
	return c.listenTo(ctx, &encounterv1.WatchRequest{As: as, Encounter: "e", WithBytes: withBytes, After: after})
}

func (c *client) listenTo(ctx context.Context, req *encounterv1.WatchRequest) *listener {
	c.w.t.Helper()
	l := &listener{as: req.As, req: req}
	var err error
	if l.stream, err = benchfloor.WatchRaw(ctx, c.conn, l.req); err != nil {
		c.w.t.Fatal(err)
	}
	return l
}

// next is the next message, as bytes and as what they mean.
func (l *listener) next(t *testing.T) (benchfloor.Raw, *encounterv1.WatchResponse) {
	t.Helper()
	var data benchfloor.Raw
	if err := l.stream.RecvMsg(&data); err != nil {
		t.Fatalf("%s: %v", l, err)
	}
	m := &encounterv1.WatchResponse{}
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatalf("%s: %v", l, err)
	}
	l.heard = append(l.heard, data...)
	return data, m
}

// alone is the step after a number as the viewer is told it by a call of its own.
func (c *client) alone(l *listener, after uint64) *encounterv1.Step {
	c.w.t.Helper()
	h, err := c.GetHistory(c.w.t.Context(), &encounterv1.GetHistoryRequest{As: l.as, Table: l.req.Table, Encounter: l.req.Encounter, After: after, Limit: 1})
	if err != nil || len(h.Steps) != 1 {
		c.w.t.Fatalf("%s: step %d: %v %v", l, after+1, h, err)
	}
	if l.req.WithBytes {
		d, err := c.GetTranscript(c.w.t.Context(), &encounterv1.GetTranscriptRequest{As: l.as, Table: l.req.Table, Encounter: l.req.Encounter, After: after, Limit: 1, WithBytes: true})
		if err != nil || len(d.Steps) != 1 {
			c.w.t.Fatalf("%s: bytes of step %d: %v %v", l, after+1, d, err)
		}
		h.Steps[0].Bytes = d.Steps[0].Bytes
	}
	return h.Steps[0]
}

// sameBytes holds that a message of a watch is the one that encoding the step gives:
// maps have no order on the wire, and everything else has one.
func sameBytes(t *testing.T, l *listener, got benchfloor.Raw, want *encounterv1.Step) {
	t.Helper()
	whole := &encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: want}}
	plain, err := proto.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	back := &encounterv1.WatchResponse{}
	if err := proto.Unmarshal(got, back); err != nil {
		t.Fatalf("%s: %v", l, err)
	}
	canonical := func(m proto.Message) []byte {
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(canonical(back), canonical(whole)) {
		t.Errorf("%s was sent\n%v\nalone it is told\n%v", l, back, whole)
	}
	if len(plain) != len(got) || !slices.Equal(fields(t, got), fields(t, plain)) {
		t.Errorf("%s: %d bytes with the fields %v, encoding gives %d with %v", l, len(got), fields(t, got), len(plain), fields(t, plain))
	}
	if step := want; step.Restored == nil && step.Ruling == nil && !mapped(step) && !bytes.Equal(got, plain) {
		t.Errorf("%s: the bytes are\n%x\nencoding gives\n%x", l, got, plain)
	}
}

// mapped tells whether encoding a step twice may give other bytes.
func mapped(step *encounterv1.Step) bool {
	a, errA := proto.Marshal(step)
	for range 8 {
		b, errB := proto.Marshal(step)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			return true
		}
	}
	return false
}

// fields are the numbers and lengths of the fields of the step in a message, in order.
func fields(t *testing.T, m []byte) (out []string) {
	t.Helper()
	_, _, n := protowire.ConsumeTag(m)
	step, end := protowire.ConsumeBytes(m[max(n, 0):])
	if n < 0 || end < 0 || n+end != len(m) {
		t.Fatalf("%x is no single step", m)
	}
	for len(step) > 0 {
		number, kind, n := protowire.ConsumeTag(step)
		size := protowire.ConsumeFieldValue(number, kind, step[max(n, 0):])
		if n < 0 || size < 0 {
			t.Fatalf("%x is cut off", step)
		}
		out = append(out, fmt.Sprint(number, ":", size))
		step = step[n+size:]
	}
	return out
}

// follow reads what came of the last command and holds every step of it.
func (c *client) follow(t *testing.T, l *listener) {
	t.Helper()
	at, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: l.as, Table: l.req.Table, Encounter: l.req.Encounter})
	if err != nil {
		t.Fatal(err)
	}
	for l.number < at.Number {
		data, m := l.next(t)
		if m.GetCaughtUp() != nil {
			continue
		}
		if m.GetStep() == nil {
			t.Fatalf("%s was sent %v at step %d of %d", l, m, l.number, at.Number)
		}
		sameBytes(t, l, data, c.alone(l, l.number))
		l.number++
	}
}

// caught reads to the mark that the past is over.
func (l *listener) caught(t *testing.T, c *client) {
	t.Helper()
	for {
		data, m := l.next(t)
		if at := m.GetCaughtUp(); at != nil {
			l.number = at.Number
			return
		}
		step := m.GetStep()
		sameBytes(t, l, data, c.alone(l, step.Number-1))
	}
}

func player(name string) *eventv1.Principal {
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
}

// everyKind are viewers of every kind, some of them twice, with names that look like
// the roles and the keys of others.
func everyKind() []*eventv1.Principal {
	out := []*eventv1.Principal{gm, {Role: eventv1.Principal_ROLE_GM, Name: "ann"}, {Role: eventv1.Principal_ROLE_GM, Name: "mia", Subject: "mia@example"},
		ann, ann, bob, {Role: eventv1.Principal_ROLE_PLAYER, Name: "ann", Creatures: []string{"c"}}, spectator, {Role: eventv1.Principal_ROLE_SPECTATOR, Name: "ann"},
		{Role: eventv1.Principal_ROLE_SPECTATOR, Name: "sue"}}
	for _, name := range []string{"carol", "gm", "spectator", "player/ann", "an", "ann ann", "Ann"} {
		out = append(out, player(name))
	}
	return out
}

// play is a random play that has in it what viewers hear differently.
type play struct {
	c        *client
	dice     *rand.Rand
	n        int
	staged   []string
	reverted bool // by the last command
}

func controllers(id string, names ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Controllers: names, SetControllers: true}}}
}

// step gives one command; it is empty where the one drawn is refused.
func (p *play) step() (done string) {
	p.n++
	pick := func(all ...string) string { return all[p.dice.IntN(len(all))] }
	now := p.c.state(gm, "e", 0)
	version := now.Number
	past := func() uint64 { return max(5, version-min(version, p.dice.Uint64N(12))) }
	as, cmd := gm, (*eventv1.Command)(nil)
	draw := p.dice.IntN(14)
	if p.reverted && p.dice.IntN(2) == 0 {
		draw = 11
	}
	switch draw {
	case 0, 1, 2:
		cmd = attackCmd("a", pick("b", "c"), int32(1+p.dice.IntN(100)), int32(1+p.dice.IntN(20)), int32(1+p.dice.IntN(4)))
	case 3:
		as, cmd = ann, attackCmd("a", "b")
	case 4:
		cmd = takeCmd("a", "whisper", "b")
	case 5:
		cmd = takeCmd("a", "omen", "")
		cmd.GetTake().Targets = nil
	case 6:
		id := fmt.Sprint("zlurker", p.n)
		p.staged = append(p.staged, id)
		cmd = stagedCmd(id, "Zigzag", [][]string{nil, {"a"}, {"b"}}[p.dice.IntN(3)]...)
		if p.dice.IntN(3) == 0 {
			cmd.GetAdd().Sheet.Controllers = []string{pick("ann", "bob", "carol")}
		}
	case 7:
		if len(p.staged) > 0 {
			cmd = &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: p.staged[p.dice.IntN(len(p.staged))], Position: &eventv1.Position{X: p.dice.Int32N(50)}}}}
		}
	case 8:
		if len(p.staged) > 0 {
			cmd = revealCmd(p.staged[p.dice.IntN(len(p.staged))], [][]string{nil, {"a"}}[p.dice.IntN(2)]...)
		}
	case 9:
		cmd = controllers(pick("b", "c"), [][]string{{"bob"}, {"ann"}, {"carol"}, {"bob", "gm"}, {"spectator"}, {"an", "player/ann"}}[p.dice.IntN(6)]...)
	case 10:
		cmd = revertCmd(&eventv1.RevertEncounter{Reason: "Zigzag comes later", To: &eventv1.RevertEncounter_Last{Last: true}})
	case 11:
		cmd = redoCmd
	case 12:
		cmd = revertCmd(&eventv1.RevertEncounter{Reason: "back", To: &eventv1.RevertEncounter_Version{Version: past()}})
	case 13:
		am := &eventv1.AmendCommand{Version: past(), Reason: "Zigzag was not there"}
		if p.dice.IntN(2) == 0 {
			am.Drop, am.TakeDefaults = true, true
		} else {
			am.Rolls = []*eventv1.FixedRoll{{Label: pick("to-hit", "fate", "harm/damage"), Faces: []int32{1}}}
		}
		cmd = amendCmd(am)
	}
	if now.State.Round == 0 { // its beginning was taken back
		as, cmd = gm, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}
	}
	if cmd == nil {
		return ""
	}
	if _, err := p.c.try(as, "e", cmd); err != nil {
		return ""
	}
	p.reverted = cmd.GetRevert() != nil
	if cmd.GetEdit().GetSetControllers() {
		return "controllers"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", cmd.What), "*eventv1.Command_")
}

// Whatever happens in a fight, what a watch sends is byte for byte what the same viewer
// is told alone: by calls that share nothing. It holds for viewers of every kind,
// from the beginning and joined in the midst, while creatures lurk, dice fall in
// secret, creatures change hands and rulings change what was.
func TestSharedStepsAreEachViewersOwn(t *testing.T) {
	seeds := []uint64{1, 2, 3}
	if testing.Short() {
		seeds = seeds[:1]
	}
	kinds := map[string]int{}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { playShared(t, seed, kinds) })
	}
	for _, kind := range []string{"Take", "Add", "Edit", "Reveal", "controllers", "Revert", "Redo", "Amend"} {
		if kinds[kind] == 0 && !testing.Short() {
			t.Errorf("no %s in these plays: %v", kind, kinds)
		}
	}
}

func playShared(t *testing.T, seed uint64, kinds map[string]int) {
	c := newWorld(t).start()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c.do(gm, "e", createCmd(either))
	var all []*listener
	for i, as := range everyKind() {
		all = append(all, c.listen(ctx, as, i%3 == 2, ""))
	}
	for _, l := range all {
		l.caught(t, c)
	}
	for _, cmd := range []*eventv1.Command{addCmd("a", 1000, "ann"), addCmd("b", 1000, "bob"), addCmd("c", 1000), {What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}} {
		c.do(gm, "e", cmd)
	}
	p := &play{c: c, dice: rand.New(rand.NewPCG(seed, 1))} //nolint:gosec // a play that is always the same
	for range 60 {
		kind := ""
		for kind == "" {
			kind = p.step()
		}
		kinds[kind]++
		if p.dice.IntN(15) == 0 { // somebody joins in the midst, from the beginning and from a cursor
			as := everyKind()[p.dice.IntN(len(everyKind()))]
			for _, after := range []string{"", c.state(as, "e", 1+p.dice.Uint64N(c.state(as, "e", 0).Number)).Cursor} {
				l := c.listen(ctx, as, p.dice.IntN(2) == 0, after)
				l.caught(t, c)
				all = append(all, l)
			}
		}
		for _, l := range all {
			c.follow(t, l)
		}
		if t.Failed() {
			t.Fatalf("seed %d: after %d commands, the last %s", seed, p.n, kind)
		}
	}
	for _, l := range all {
		if l.as.Role == eventv1.Principal_ROLE_SPECTATOR {
			for _, secret := range []string{"a secret", "fate"} {
				if bytes.Contains(l.heard, []byte(secret)) {
					t.Errorf("%s heard %q", l, secret)
				}
			}
		}
	}
}

// A staged creature that is never revealed reaches nobody who does not know of it, over
// whatever watch; who lost a creature hears no more of what is its controllers' alone.
func TestSharedStepsTellNobodyOfTheUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all []*listener
	for i, as := range everyKind() {
		all = append(all, c.listen(ctx, as, i%2 == 0, ""))
	}
	for _, l := range all {
		l.caught(t, c)
	}
	each := func(cmd *eventv1.Command) {
		c.do(gm, "e", cmd)
		for _, l := range all {
			c.follow(t, l)
		}
	}
	each(stagedCmd("zlurker", "Zigzag", "b"))
	each(attackCmd("a", "b", 50, 15, 4))
	each(controllers("b", "carol")) // carol knows of it now; bob hears no more of it
	for _, l := range all {
		if l.as == bob {
			l.heard = nil
		}
	}
	each(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "zlurker", Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Id: "zlurkers", Name: "Zigzagging"}}}}}})
	each(takeCmd("a", "whisper", "b"))
	each(revertCmd(&eventv1.RevertEncounter{Reason: "Zigzag comes later", To: &eventv1.RevertEncounter_Version{Version: 6}}))
	for _, l := range all {
		knows := l.as.Role == eventv1.Principal_ROLE_GM || l.as.Role == eventv1.Principal_ROLE_PLAYER && (l.as.Name == "carol" || l.as.Name == "bob")
		if text := string(l.heard); !knows && (strings.Contains(text, "Zigzag") || strings.Contains(text, "zlurker")) || l.as.Role == eventv1.Principal_ROLE_GM && !strings.Contains(text, "Zigzag comes later") {
			t.Errorf("%s heard %q", l, text)
		}
	}
}

// Encounters share nothing, whatever their names and those of their tables.
func TestSharedStepsStayInTheirEncounter(t *testing.T) {
	c := newWorld(t).start()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	places := [][2]string{{"main", "e"}, {"main", "f"}, {"other", "e"}, {"main", "other"}}
	do := func(at [2]string, cmd *eventv1.Command) {
		t.Helper()
		c.w.n++
		if _, err := c.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("p", c.w.n), As: gm, Table: at[0], Encounter: at[1], Command: cmd}); err != nil {
			t.Fatal(err)
		}
	}
	var all []*listener
	for _, at := range places {
		do(at, createCmd(server))
		for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
			l := c.listenTo(ctx, &encounterv1.WatchRequest{As: as, Table: at[0], Encounter: at[1]})
			l.caught(t, c)
			all = append(all, l)
		}
	}
	for i, names := range [][]string{{"ann"}, {"bob"}, nil, {"ann", "bob"}} {
		for k, at := range places { // of each step another content in every place
			do(at, addCmd(fmt.Sprint("c", i, at[0], at[1]), int32(10+k), names...))
		}
		for _, l := range all {
			c.follow(t, l)
		}
	}
}

// A token that ends ends one watch, in the midst of others that share what they hear:
// nothing comes after its end, and the others miss nothing.
func TestATokenEndsAmongThoseWhoShare(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	d := c.door(t)
	kept := view(t, d.enter(d.key, "ann", "kept", time.Minute, auth.Table{Role: auth.Player}), "")
	lost := view(t, d.enter(d.key, "ann", "lost", time.Minute, auth.Table{Role: auth.Player}), "")
	short := view(t, d.enter(d.key, "ann", "short", 2*time.Second, auth.Table{Role: auth.Player}), "")
	c.do(gm, "e", attackCmd("a", "b", 50, 15, 4))
	for _, v := range []*viewing{kept, lost, short} {
		v.next()
	}
	d.revoke("jti lost\n")
	lost.ends(auth.ReasonRevoked, 16, false)
	end := short.ends(auth.ReasonExpired, 16, false)
	for range 5 {
		c.do(gm, "e", attackCmd("a", "b", 50, 15, 4))
	}
	for now := int(c.state(ann, "e", 0).Number); kept.steps < now; {
		kept.next()
	}
	again := view(t, d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player}), end.Cursor)
	if again.cursor != kept.cursor {
		t.Errorf("after the end it goes on to %q, the others are at %q", again.cursor, kept.cursor)
	}
}

// Who reads slowly costs nobody anything: commands are carried out and others hear of
// them meanwhile, and in the end the slow one has every step, as all have.
func TestASlowWatcherCostsNobody(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	slow, quick := c.listen(ctx, gm, true, ""), c.listen(ctx, gm, true, "")
	for _, l := range []*listener{slow, quick} {
		l.caught(t, c)
	}
	step := len(quick.heard)
	for range 500 { // more than buffers between the two, and the feed, hold
		c.do(gm, "e", attackCmd("a", "b", 50, 15, 1))
		quick.next(t)
	}
	if kept := len(quick.heard) - step; kept < 256<<10 {
		t.Fatalf("%d bytes do not hold up anybody", kept)
	}
	c.do(gm, "e", lastCmd)
	quick.next(t)
	c.follow(t, slow)
	if !bytes.Equal(slow.heard[len(slow.heard)-100:], quick.heard[len(quick.heard)-100:]) || slow.number != c.state(gm, "e", 0).Number {
		t.Error("the slow one was told otherwise")
	}
}
