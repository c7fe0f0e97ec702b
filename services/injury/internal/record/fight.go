package record

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// movers are the fields of eventv1.Event by which who is on a field changes.
var movers = func() map[protoreflect.FieldNumber]bool {
	out, fields := map[protoreflect.FieldNumber]bool{}, (&eventv1.Event{}).ProtoReflect().Descriptor().Fields()
	for _, name := range []protoreflect.Name{"creature_added", "creature_removed", "controllers", "reverted", "amended"} {
		out[fields.ByName(name).Number()] = true
	}
	return out
}()

// applyEncounter follows who is on the field of a fight and under whose
// control, and keeps what happened to the patients among them. What happens where no
// patient is on the field concerns nobody here: as long as nobody comes or goes, of such
// a Commit it is only looked whether it is whole and follows.
func applyEncounter(tx *projection.Tx, rec journal.Record) error {
	n, o, err := aggregate.Skim(rec)
	if err != nil {
		return err
	}
	row := &injuryv1.StoredFight{}
	if _, err := aggregate.Get(tx, bucketFights, n.Key(), row); err != nil {
		return err
	}
	head := fightHead(row)
	if err := head.Next(o.Header.Version, o.Header.PreviousHash); err != nil {
		return err
	}
	row.Version, row.Sequence, row.Hash = o.Header.Version, rec.Seq, o.Hash
	if row.Patients || slices.ContainsFunc(o.Raw, func(raw []byte) bool { return event.Has(raw, movers) }) {
		return applyField(tx, n, row, rec)
	}
	return aggregate.Put(tx, bucketFights, n.Key(), row)
}

// applyField folds a Commit of a fight that patients are in, or may come to. The row is
// where the fight stands with it.
func applyField(tx *projection.Tx, n aggregate.Name, row *injuryv1.StoredFight, rec journal.Record) error {
	_, o, err := aggregate.Open(rec)
	if err != nil {
		return err
	}
	if err := whole(tx, n, o); err != nil {
		return err
	}
	state, err := readState(tx, bucketField, n.Key(row.Moved))
	if err != nil {
		return err
	}
	f := &field{tx: tx, name: n, state: state, inputs: o.Inputs, stories: map[string]*story{}}
	for _, e := range o.Events {
		if err := f.fold(e); err != nil {
			return err
		}
	}
	if f.moved {
		row.Moved, row.Patients = row.Version, len(f.everyone()) > 0
		if err := aggregate.Put(tx, bucketField, n.Key(row.Moved), f.state); err != nil {
			return err
		}
	}
	if err := aggregate.Put(tx, bucketFights, n.Key(), row); err != nil {
		return err
	}
	return f.store(rec.Seq, o)
}

// story is what one Commit of a fight tells about a patient.
type story struct {
	audience *audience
	events   []*injuryv1.StoredEvent
}

// field is the fold of a fight as far as patients go.
type field struct {
	tx      *projection.Tx
	name    aggregate.Name
	state   *eventv1.State // creatures with their controllers and patients alone
	moved   bool           // who is on the field changed
	inputs  *eventv1.CommitInputs
	healed  map[string]bool // see harm
	stories map[string]*story
}

// harm notes which events of the Commit the injury service decided, once; of a fight
// without patients nobody asks.
func (f *field) harm() error {
	if f.healed != nil {
		return nil
	}
	f.healed = map[string]bool{}
	for _, i := range f.inputs.GetInputs() {
		for _, data := range i.GetHarm().GetEvents() {
			e := &eventv1.Event{}
			if err := proto.Unmarshal(data, e); err != nil {
				return fmt.Errorf("%w: event of a deed: %v", event.ErrBroken, err)
			}
			f.healed[bytesOf(e)] = true
		}
	}
	return nil
}

func (f *field) fold(e *eventv1.Event) error {
	heard := event.Hear(f.state, e)
	patients := f.patients(e)
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded, *eventv1.Event_CreatureRemoved, *eventv1.Event_Controllers:
		event.Fold(f.state, e)
		f.moved = true
		patients = append(patients, f.patients(e)...)
	case *eventv1.Event_Reverted:
		// The field of the version that is in force again: the newest kept at or before it.
		before := f.everyone()
		if err := f.goBack(w.Reverted.Version); err != nil {
			return err
		}
		f.moved = true
		patients = append(before, f.everyone()...)
	case *eventv1.Event_Amended:
		return f.amend(w.Amended)
	}
	if len(patients) == 0 {
		return nil
	}
	if mine, err := f.belongs(e); err != nil || !mine {
		return err
	}
	t := stored(heard, e)
	slices.Sort(patients)
	for _, p := range slices.Compact(patients) {
		if err := f.tell(p, heard, t); err != nil {
			return err
		}
	}
	return nil
}

// belongs tells whether an event is kept with a patient that it is about.
func (f *field) belongs(e *eventv1.Event) (bool, error) {
	if lasting(e) {
		return true, nil
	}
	err := f.harm()
	return f.healed[bytesOf(e)], err
}

func (f *field) tell(patient string, heard event.Audible, t *injuryv1.StoredEvent) error {
	s := f.stories[patient]
	if s == nil {
		n := Named(f.name.Table, patient)
		if f.tx.Get(bucketPatients, n.Key()) == nil {
			return nil // nobody enrolled it
		}
		a, err := loadAudience(f.tx, n)
		if err != nil {
			return err
		}
		s = &story{audience: a}
		f.stories[patient] = s
	}
	s.events = append(s.events, t)
	return s.audience.overhear(heard)
}

func (f *field) store(seq uint64, o *event.Opened) error {
	for _, patient := range rules.SortedKeys(f.stories) {
		s := f.stories[patient]
		entry := &injuryv1.StoredEntry{Encounter: f.name.ID, Version: o.Header.Version, Deed: commandWord(o.Cause), UnixMillis: o.Header.UnixMillis, Events: s.events}
		if err := aggregate.Put(f.tx, bucketEntries, Named(f.name.Table, patient).Key(seq), entry); err != nil {
			return err
		}
		if err := s.audience.store(seq, 0, entry); err != nil {
			return err
		}
	}
	return nil
}

// goBack makes the field what it was at a version.
func (f *field) goBack(version uint64) (err error) {
	k, _ := f.tx.LastBefore(bucketField, f.name.Key(), f.name.Key(version))
	f.state, err = readState(f.tx, bucketField, k)
	return err
}

// bytesOf tells events apart.
func bytesOf(e *eventv1.Event) string {
	data, _ := proto.MarshalOptions{Deterministic: true}.Marshal(e) // it was unmarshalled: it can be marshalled
	return string(data)
}

func fightHead(row *injuryv1.StoredFight) aggregate.Head {
	return aggregate.Head{Version: row.Version, Sequence: row.Sequence, Hash: row.Hash}
}

func (f *field) everyone() []string {
	var out []string
	for _, id := range rules.SortedKeys(f.state.Creatures) {
		if p := f.state.Creatures[id].Patient; p != "" {
			out = append(out, p)
		}
	}
	return out
}

// patients are the patients that an event is about.
func (f *field) patients(e *eventv1.Event) []string {
	var out []string
	for _, c := range About(e) {
		if p := f.state.Creatures[c].GetPatient(); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// lasting tells whether an event of a fight belongs to a patient's history even
// when no deed of harm or medicine led to it.
func lasting(e *eventv1.Event) bool {
	switch e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded, *eventv1.Event_CreatureRemoved, *eventv1.Event_Controllers, *eventv1.Event_Damage,
		*eventv1.Event_Healing, *eventv1.Event_HitPoints, *eventv1.Event_Life, *eventv1.Event_ConditionAdded,
		*eventv1.Event_ConditionRemoved, *eventv1.Event_InjuryAdded, *eventv1.Event_InjuryRemoved, *eventv1.Event_Reverted:
		return true
	}
	return false
}

// commandWord names the command of a Commit.
func commandWord(c *eventv1.CommitCause) string {
	cmd := &eventv1.Command{}
	if proto.Unmarshal(c.GetCommand(), cmd) != nil {
		return ""
	}
	m := cmd.ProtoReflect()
	w := m.WhichOneof(m.Descriptor().Oneofs().ByName("what"))
	if w == nil {
		return ""
	}
	return string(w.Name())
}

// about are the names of the fields that say whom an event is about, in the
// order in which they count.
var about = []protoreflect.Name{"target", "creature", "about", "subject"}

// About lists the creatures that an event is about: for damage, healing and
// attacks the one that suffers them, else the one that it names.
func About(e *eventv1.Event) []string {
	m := e.ProtoReflect()
	what := m.WhichOneof(m.Descriptor().Oneofs().ByName("what"))
	if what == nil {
		return nil
	}
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_DecisionRequested:
		return some(w.DecisionRequested.GetDecision().GetCreature())
	case *eventv1.Event_Task:
		return some(w.Task.GetTask().GetCreature())
	case *eventv1.Event_TurnStarted:
		return w.TurnStarted.Creatures
	case *eventv1.Event_TurnEnded:
		return w.TurnEnded.Creatures
	}
	inner := m.Get(what).Message()
	for _, name := range about {
		fd := inner.Descriptor().Fields().ByName(name)
		if fd != nil && fd.Kind() == protoreflect.StringKind && fd.Cardinality() != protoreflect.Repeated {
			return some(inner.Get(fd).String())
		}
	}
	return nil
}

func some(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}
