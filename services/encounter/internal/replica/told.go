package replica

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fields of a Step, in which form what was told is hashed.
const (
	stepMillis   = 3
	stepEvents   = 4
	stepRestored = 5
	stepBy       = 6
)

// Told is what a viewer is told of a Commit: a step without its number.
type Told struct {
	// Millis is when it was stored, milliseconds since 1970.
	Millis int64
	// Events that the viewer hears.
	Events []*eventv1.Event
	// By is who gave the command; nil where the viewer may not know.
	By *eventv1.Principal
	// Restored is the viewer's state after a ruling that changed it; otherwise nil.
	Restored *eventv1.State

	raw [][]byte // of each event as it is stored; nil where it is not stored so
}

// Tell says what a viewer is told of a Commit that restored nothing to it; heard says
// who may hear each event.
func Tell(c *event.Opened, heard []event.Audible, as *eventv1.Principal) *Told {
	t := &Told{Millis: c.Header.UnixMillis, By: giver(c, heard, as),
		Events: make([]*eventv1.Event, 0, len(heard)), raw: make([][]byte, 0, len(heard))}
	for i, h := range heard {
		if h.By(as) {
			t.Events, t.raw = append(t.Events, c.Events[i]), append(t.raw, c.Raw[i])
		}
	}
	return t
}

// TellRuled says what a viewer is told of a ruling that changed its state to the one
// given. before and now are the whole states around it, and fixed its rolls as of
// [Fixed].
func TellRuled(c *event.Opened, fixed []*eventv1.Event, heard []event.Audible, as *eventv1.Principal, before, now, state *eventv1.State) *Told {
	t := Tell(c, heard, as)
	t.Restored = state
	if by := c.Cause.GetPrincipal(); t.By == nil && by != nil && Forked(c.Events) == nil {
		t.By = &eventv1.Principal{Role: by.Role, Name: by.Name} // whoever is told of a ruling is told whose it is
	}
	if as.GetRole() != eventv1.Principal_ROLE_GM && Forked(c.Events) == nil {
		told := ruledFor(c)
		if told.GetReverted().Reason != "" { // who came or went with the ruling may be named in it
			told = VeiledFor(as, told, before, now)
		}
		rolls := fixedFor(fixed, now, as)
		t.Events = slices.Concat([]*eventv1.Event{told}, rolls, t.Events)
		t.raw = slices.Concat(make([][]byte, 1+len(rolls)), t.raw)
	}
	for i, ev := range t.Events {
		if s := shortened(ev); s != ev {
			t.Events[i], t.raw[i] = s, nil
		}
	}
	return t
}

// Reasoned tells whether a ruling gives a reason: without one, TellRuled needs no state
// from before it.
func Reasoned(c *event.Opened) bool { return ruledFor(c).GetReverted().Reason != "" }

// Bytes are what the viewer's transcript is over: a Step of these fields in the order
// of their numbers, events as they are stored, the rest in canonical form. They come
// from the log alone, and so are the same whenever the projection is built again.
func (t *Told) Bytes() []byte {
	size := 64
	for _, data := range t.raw {
		size += len(data) + 8
	}
	b := make([]byte, 0, size)
	if t.Millis != 0 {
		b = protowire.AppendVarint(protowire.AppendTag(b, stepMillis, protowire.VarintType), uint64(t.Millis)) //nolint:gosec // as the wire has it
	}
	add := func(field protowire.Number, data []byte) {
		b = protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), data)
	}
	for i, e := range t.Events {
		data := t.raw[i]
		if data == nil {
			data = event.Canonical(e)
		}
		add(stepEvents, data)
	}
	if t.Restored != nil {
		add(stepRestored, event.Canonical(t.Restored))
	}
	if t.By != nil {
		add(stepBy, event.Canonical(t.By))
	}
	return b
}

// transcribe carries the transcripts of all who saw something of the Commit on. before
// is the whole state before a ruling; nil when it is none.
func (r *Replica) transcribe(c *event.Opened, a *Applied, before *eventv1.State) error {
	if r.past {
		return nil
	}
	var fixed []*eventv1.Event
	if before != nil {
		var err error
		if fixed, err = Fixed(c); err != nil {
			return err
		}
	}
	public := r.Views[aggregate.ViewerEveryone].Transcript
	begin := attest.Begin(c.Header.Table, c.Header.Id)
	a.Transcripts = make(map[string][]byte, len(r.Views))
	known := map[string][]byte{} // digests, by what was heard: many hear the same
	for _, key := range slices.Sorted(maps.Keys(r.Views)) {
		v := r.Views[key]
		if slices.Contains(a.Welcomed, key) {
			v.Transcript = public // until now it saw what everybody does
		}
		n := len(v.Versions)
		if n == 0 || v.Versions[n-1] != c.Header.Version {
			continue
		}
		if v.Transcript == nil {
			v.Transcript = begin
		}
		v.Transcript = attest.Next(v.Transcript, uint64(n), r.digest(c, a, v, key, before, fixed, known))
		a.Transcripts[key] = v.Transcript
	}
	return nil
}

// digest is that of a viewer's step.
func (r *Replica) digest(c *event.Opened, a *Applied, v *View, key string, before *eventv1.State, fixed []*eventv1.Event, known map[string][]byte) []byte {
	if before != nil && slices.Contains(a.Restored, key) {
		return attest.Digest(TellRuled(c, fixed, a.Heard, v.Principal, before, r.State(), v.State).Bytes())
	}
	by := giver(c, a.Heard, v.Principal)
	same := append(make([]byte, 0, 32), 1)
	if by == nil {
		same[0] = 0
	} else if by.Subject != "" {
		same[0] = 2
	}
	for _, h := range a.Heard {
		if h.By(v.Principal) {
			same = append(same, 1)
		} else {
			same = append(same, 0)
		}
	}
	if d, ok := known[string(same)]; ok {
		return d
	}
	d := attest.Digest(Tell(c, a.Heard, v.Principal).Bytes())
	known[string(same)] = d
	return d
}

// Fixed are the rolls of a ruling's amendment to which the game master gave faces by
// word; errors wrap event.ErrBroken.
func Fixed(c *event.Opened) ([]*eventv1.Event, error) {
	var out []*eventv1.Event
	for _, ev := range c.Events {
		fixed, err := FixedRolls(ev.GetAmended().GetCommands(), c.Header)
		if err != nil {
			return nil, err
		}
		out = append(out, fixed...)
	}
	return out, nil
}

// fixedFor are those of them that the viewer may hear: whoever may see a roll sees
// that nobody rolled it.
func fixedFor(fixed []*eventv1.Event, now *eventv1.State, as *eventv1.Principal) []*eventv1.Event {
	var out []*eventv1.Event
	for _, roll := range fixed {
		if event.Hear(now, roll).By(as) {
			out = append(out, roll)
		}
	}
	return out
}

// giver is who gave a Commit's command, for those who may know: the game master,
// the giver, and whoever hears the first event, which says what was done. Others
// may hear what came of something that they do not know was done.
func giver(c *event.Opened, heard []event.Audible, as *eventv1.Principal) *eventv1.Principal {
	by := c.Cause.GetPrincipal()
	if by == nil {
		return nil
	}
	name := &eventv1.Principal{Role: by.Role, Name: by.Name}
	switch own := as.GetRole() == by.Role && as.GetName() == by.Name; {
	case as.GetRole() == eventv1.Principal_ROLE_GM:
		name.Subject = by.Subject
		return name
	case own, len(heard) > 0 && heard[0].By(as):
		return name
	}
	return nil
}

// maxShown is how much of an amendment a step shows, in bytes: beside it comes
// the state, and a client takes 4 MiB unless it says otherwise.
const maxShown = 1 << 20

// shortened is an amendment as a step shows it. One that is too large is shown without
// what came of its commands: the state tells, and the export has it all. Where it is
// stored, in its Commit or on a branch, makes no difference.
func shortened(ev *eventv1.Event) *eventv1.Event {
	am := ev.GetAmended()
	if am == nil || am.Branch == "" && proto.Size(am) <= maxShown {
		return ev
	}
	shown := &eventv1.Amended{Version: am.Version, Reason: am.Reason, Base: am.Base, Notes: am.Notes, Contest: am.Contest, Told: am.Told, Commands: am.Commands}
	if proto.Size(shown) > maxShown {
		shown.Commands = make([]*eventv1.Redecided, len(am.Commands))
		for i, c := range am.Commands {
			shown.Commands[i] = &eventv1.Redecided{Origin: c.Origin, Action: c.Action, Suspended: c.Suspended, Forced: c.Forced, Inserted: c.Inserted}
		}
	}
	return event.New(ev.Audience, shown, ev.Rules...)
}

// ruledFor tells a viewer whose state a ruling changed that there was one, and
// why, and nothing else of it.
func ruledFor(c *event.Opened) *eventv1.Event {
	told := &eventv1.Reverted{}
	for _, ev := range c.Events {
		if r := ev.GetReverted(); r != nil {
			told.Reason, told.Redo = r.Reason, r.Redo
		}
		if a := ev.GetAmended(); a != nil {
			told.Reason = a.Reason
		}
	}
	return event.New(event.Everyone(), told)
}

// VeiledFor takes from the reason of a ruling whoever is staged in one of the
// states and whom the viewer does not know of there.
func VeiledFor(as *eventv1.Principal, told *eventv1.Event, states ...*eventv1.State) *eventv1.Event {
	for _, s := range states {
		if text := event.Veiler(s, as, func(string) bool { return false }); text != nil {
			told.GetReverted().Reason = text(told.GetReverted().Reason)
		}
	}
	return told
}
