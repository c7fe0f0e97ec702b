package event_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// An event that names somebody hidden goes without the name to those who do not know, and whole
// to those of its audience who do; to an audience that knows it goes as it is, and so do the words
// of the game master and the words that somebody else said and that are hashed.
func TestWhoIsToldOfTheHidden(t *testing.T) {
	state := func() *eventv1.State {
		s := hiddenState()
		s.Creatures["lurk"].KnownTo = []string{"a"}
		return s
	}
	weapon := func(a *eventv1.Audience) *eventv1.Event {
		return event.New(a, &eventv1.Attack{Attacker: "g1", Target: "boss", Weapon: "Zig's bow"})
	}
	const veiled, whole = "somebody unseen's bow", "Zig's bow"
	for name, c := range map[string]struct {
		e    *eventv1.Event
		want string
	}{
		"to all":                       {weapon(event.Everyone()), "EVERYONE:" + veiled + " lurk,a:" + whole},
		"to the game master":           {weapon(event.GM()), "GM:" + whole},
		"to those who know":            {weapon(event.Controllers("a")), "a:" + whole},
		"to the hidden itself":         {weapon(event.Controllers("lurk")), "lurk:" + whole},
		"to one who knows and another": {weapon(event.Controllers("a", "g1")), "a,g1:" + veiled + " a:" + whole},
		"to one who does not":          {weapon(event.Controllers("g1")), "g1:" + veiled + " GM:" + whole},
		"about the hidden":             {event.New(event.Everyone(), &eventv1.Attack{Attacker: "a", Target: "lurk", Weapon: "bow"}), "lurk,a:bow"},
		"about nobody":                 {event.New(event.Everyone(), &eventv1.Attack{Attacker: "a", Target: "g1", Weapon: "bow"}), "EVERYONE:bow"},
		"in a list of facts":           {event.New(event.Everyone(), &eventv1.Attack{Attacker: "a", Target: "g1", Weapon: "bow", Facts: []*eventv1.UsedFact{{Name: "beside", Value: "Zig"}}}), "EVERYONE:bow+somebody unseen lurk,a:bow+Zig"},
	} {
		var got []string
		for _, e := range event.Veil(state(), c.e) {
			to := strings.TrimPrefix(e.Audience.GetKind().String(), "KIND_")
			if ids := e.Audience.GetCreatures(); len(ids) > 0 {
				to = strings.Join(ids, ",")
			}
			said := e.GetAttack().GetWeapon()
			for _, f := range e.GetAttack().GetFacts() {
				said += "+" + f.Value
			}
			got = append(got, to+":"+said)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s\nwant %s", name, text, c.want)
		}
	}
	own := event.New(event.Everyone(), &eventv1.EntropyGiven{Contributor: "Zig", Value: []byte{1}})
	beacon := event.New(event.Everyone(), &eventv1.BeaconNamed{Beacon: &eventv1.Beacon{}, Epoch: 1})
	order := event.New(event.Controllers("g1"), &eventv1.OrderGiven{Order: &eventv1.StandingOrder{Decision: "parry", Order: "no", When: `target.name == "Zig"`, By: &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}}})
	for _, e := range []*eventv1.Event{own, beacon, order} {
		if told := event.Veil(state(), e); len(told) != 1 || told[0] != e {
			t.Errorf("somebody's own words are told otherwise: %v", told)
		}
	}
}

// Texts in lists and in maps are veiled as all others: what hangs on an id that nobody may know
// of is left out.
func TestTextsInListsAndMaps(t *testing.T) {
	s := hiddenState()
	e := event.New(event.Everyone(), &eventv1.ActionTaken{Creature: "a", Action: "look", Targets: []string{"g1", "lurk"}, Item: "Zig"})
	told := event.Veil(s, e)
	if len(told) != 2 || !slices.Equal(told[0].GetAction().Targets, []string{"g1"}) || told[0].GetAction().Item != event.Somebody || !slices.Equal(told[1].GetAction().Targets, []string{"g1", "lurk"}) {
		t.Errorf("%v", told)
	}
	roll := event.New(event.Everyone(), &eventv1.Roll{Creature: "a", Label: "x", Dice: []*eventv1.Die{{Notes: []string{"by Zig", "by Ann"}}}})
	told = event.Veil(s, roll)
	if len(told) != 1 || !slices.Equal(told[0].GetRoll().Dice[0].Notes, []string{"by " + event.Somebody, "by Ann"}) {
		t.Errorf("%v", told)
	}
	if roll.GetRoll().Dice[0].Notes[0] != "by Zig" {
		t.Error("the event itself is changed")
	}
	values := event.New(event.Everyone(), &eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Id: "c", Name: "marked", Values: map[string]int32{"by lurk": 2, "rounds": 3}}})
	told = event.Veil(s, values)
	if got := told[0].GetConditionAdded().GetCondition().GetValues(); len(told) != 2 || len(got) != 1 || got["rounds"] != 3 {
		t.Errorf("%v", told)
	}
}

// A note for an audience that does not know of somebody goes to it without the name, and whole to the
// game master; one for the game master, or that names nobody hidden, is told once.
func TestNotesAboutTheHidden(t *testing.T) {
	s := hiddenState()
	for name, c := range map[string]struct {
		to   *eventv1.Audience
		text string
		want []string
	}{
		"hidden":             {event.Controllers("a"), "Zig stirs", []string{event.Somebody + " stirs", "Zig stirs"}},
		"to the game master": {event.GM(), "Zig stirs", []string{"Zig stirs"}},
		"of nobody hidden":   {event.Controllers("a"), "Ann stirs", []string{"Ann stirs"}},
		"to the hidden":      {event.Controllers("lurk"), "Zig stirs", []string{"Zig stirs"}},
	} {
		var got []string
		list := event.VeilNote(s, c.to, "a", c.text)
		for _, e := range list {
			got = append(got, e.GetNote().Text)
		}
		if !slices.Equal(got, c.want) || len(list) == 2 && list[1].Audience.Kind != eventv1.Audience_KIND_GM {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// Two orders are the same one when they are for the same creatures, decision and condition,
// whatever they order.
func TestTheSameOrder(t *testing.T) {
	one := &eventv1.StandingOrder{Creature: "a", Side: "x", Monsters: true, Decision: "parry", When: "round > 1", Order: "yes"}
	if other := proto.CloneOf(one); !event.SameOrder(one, other) {
		t.Error("an order is not itself")
	}
	for name, change := range map[string]func(o *eventv1.StandingOrder){"creature": func(o *eventv1.StandingOrder) { o.Creature = "b" }, "side": func(o *eventv1.StandingOrder) { o.Side = "y" },
		"monsters": func(o *eventv1.StandingOrder) { o.Monsters = false }, "decision": func(o *eventv1.StandingOrder) { o.Decision = "dodge" }, "condition": func(o *eventv1.StandingOrder) { o.When = "" }} {
		other := proto.CloneOf(one)
		if change(other); event.SameOrder(one, other) || event.SameOrder(other, one) {
			t.Errorf("another %s is the same order", name)
		}
	}
	other := proto.CloneOf(one)
	if other.Order = "no"; !event.SameOrder(one, other) {
		t.Error("another word for the same is another order")
	}
}

// Contests, save points and the end of an imported record stand beside a fight, and a Commit does that
// holds nothing else.
func TestWhatStandsBeside(t *testing.T) {
	contest, save, end := event.New(event.GM(), &eventv1.ContestSet{Contest: &eventv1.Contest{Id: "c"}}), event.New(event.GM(), &eventv1.SavePointSet{SavePoint: &eventv1.SavePoint{Name: "s", Version: 1}}),
		event.New(event.GM(), &eventv1.EncounterImported{})
	note := event.New(event.GM(), &eventv1.Note{Text: "n"})
	for _, e := range []*eventv1.Event{contest, save, end} {
		if !event.Aside(e) || !event.AllAside([]*eventv1.Event{e}) || event.AllAside([]*eventv1.Event{e, note}) {
			t.Errorf("%v does not stand beside", e)
		}
	}
	if event.Aside(note) || event.AllAside(nil) || event.AllAside([]*eventv1.Event{note}) || !event.AllAside([]*eventv1.Event{contest, save, end}) {
		t.Error("what stands in a fight stands beside it")
	}
}

// Of a stored Commit some events can be read by their place and nothing else is; what is withheld, and
// what is no Commit, is an error.
func TestPick(t *testing.T) {
	d := event.Draft{Header: &eventv1.CommitHeader{Kind: "encounter", Id: "e", Table: "t", Version: 1}, Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}}
	for _, text := range []string{"zero", "one", "two"} {
		d.Events = append(d.Events, event.New(event.GM(), &eventv1.Note{Text: text}))
	}
	data, _, err := event.Seal(d, fixed{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(data []byte, places ...int) (string, error) {
		out, err := event.Pick(data, func(i int) bool { return slices.Contains(places, i) })
		var texts []string
		for _, e := range out {
			texts = append(texts, e.GetNote().GetText())
		}
		return strings.Join(texts, " "), err
	}
	for want, places := range map[string][]int{"": nil, "zero": {0}, "one two": {1, 2}, "zero one two": {0, 1, 2, 3}} {
		if got, err := read(data, places...); err != nil || got != want {
			t.Errorf("%v: %q, %v", places, got, err)
		}
	}
	cut, err := event.Redact(data, func(i int) bool { return i != 3 })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(cut, 0, 2); err != nil || got != "zero two" {
		t.Errorf("%q, %v", got, err)
	}
	bare, _, err := event.Seal(event.Draft{Header: d.Header, Cause: d.Cause, Inputs: d.Inputs}, fixed{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(bare, 0); err != nil || got != "" {
		t.Errorf("a Commit without events: %q, %v", got, err)
	}
	one, err := proto.Marshal(&eventv1.Commit{Parts: []*eventv1.Sealed{{Salt: []byte{1}, Payload: []byte{255}}}})
	if err != nil {
		t.Fatal(err)
	}
	spoiled, err := proto.Marshal(&eventv1.Commit{Parts: []*eventv1.Sealed{{Salt: []byte{1}}, {Salt: []byte{1}}, {Salt: []byte{1}, Payload: []byte{255}}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"withheld": cut, "no Commit": {255}, "too few parts": one, "no event": spoiled} {
		place := 0
		if name == "withheld" {
			place = 1
		}
		if _, err := read(data, place); !errors.Is(err, event.ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// fixed is a source of salts.
type fixed struct{}

func (fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(i + 1)
	}
	return len(p), nil
}

// A fork begins as the whole state says, with all maps there; without it, and where it cannot be
// read, nothing changes.
func TestHowAForkBegins(t *testing.T) {
	then := event.NewState()
	then.Encounter, then.Round = "old", 4
	then.Creatures["a"] = &eventv1.Creature{Id: "a"}
	whole, err := proto.Marshal(then)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		views map[string][]byte
		round int32
	}{"whole": {map[string][]byte{event.ForkViewGM: whole}, 4}, "without": {map[string][]byte{"other": whole}, 1}, "not to be read": {map[string][]byte{event.ForkViewGM: {255}}, 1}, "nothing": {nil, 1}} {
		s := event.NewState()
		s.Round, s.Phase = 1, "first"
		s.Creatures["b"] = &eventv1.Creature{Id: "b"}
		event.Fold(s, event.New(event.GM(), &eventv1.EncounterForked{Views: c.views}))
		began := c.round == 4
		if s.Round != c.round || (s.Creatures["a"] != nil) != began || (s.Creatures["b"] != nil) == began || (s.Phase == "") != began || s.Settings == nil || s.Commitments == nil {
			t.Errorf("%s: %v", name, s)
		}
	}
}

// Dice for setting up are closed by themselves, those of the fight close both; entropy counts for
// the dice that are open, once of each who gives it, and a promised beacon is kept by it.
func TestDiceThatTakeEntropy(t *testing.T) {
	s := event.NewState()
	fold := func(what proto.Message) { event.Fold(s, event.New(event.Everyone(), what)) }
	fold(&eventv1.DiceEpochOpened{Epoch: 2, Open: true, SettingUp: []*eventv1.Commitment{{Branch: "gm"}}})
	if !event.SettingUp(s) || !event.Unclosed(s, 2) || !event.Unclosed(s, event.SettingUpEpoch(2)) || event.Unclosed(s, 1) {
		t.Fatalf("%v", s)
	}
	fold(&eventv1.DiceEpochOpened{Epoch: 1})
	if s.Epoch != 2 || !s.EntropyOpen {
		t.Error("older dice come back")
	}
	fold(&eventv1.BeaconNamed{Epoch: 1, Beacon: &eventv1.Beacon{}})
	if s.Beacon != nil {
		t.Error("a beacon of other dice counts")
	}
	fold(&eventv1.EntropyGiven{Epoch: 2, Contributor: "bea", Beacon: &eventv1.Beacon{}})
	if s.Beacon != nil || len(s.Entropy) != 1 {
		t.Error("a beacon that nobody named is kept")
	}
	fold(&eventv1.BeaconNamed{Epoch: 2, Beacon: &eventv1.Beacon{}})
	fold(&eventv1.EntropyGiven{Epoch: 2, Contributor: "ann"})
	if s.Beacon.GetGiven() || len(s.Entropy) != 2 {
		t.Error("words of a person keep the beacon's promise")
	}
	fold(&eventv1.EntropyGiven{Epoch: 2, Contributor: "ann"})
	fold(&eventv1.EntropyGiven{Epoch: 1, Contributor: "bob"})
	if len(s.Entropy) != 2 {
		t.Errorf("%v", s.Entropy)
	}
	fold(&eventv1.EntropyGiven{Epoch: 2, Contributor: "drand", Beacon: &eventv1.Beacon{}})
	if !s.Beacon.GetGiven() {
		t.Error("the promise is not kept")
	}
	fold(&eventv1.EntropyClosed{Epoch: 7})
	fold(&eventv1.EntropyClosed{Epoch: event.SettingUpEpoch(2)})
	if !event.SettingUp(s) || event.Unclosed(s, event.SettingUpEpoch(2)) || !event.Unclosed(s, 2) {
		t.Errorf("closed for setting up: %v", s)
	}
	fold(&eventv1.EntropyClosed{Epoch: 2})
	if event.SettingUp(s) || event.Unclosed(s, 2) || s.SettingUp != nil {
		t.Errorf("closed: %v", s)
	}
	fold(&eventv1.EntropyClosed{Epoch: event.SettingUpEpoch(2)})
	if s.SettingUp != nil {
		t.Error("what is closed closes again")
	}
	fold(&eventv1.DiceEpochOpened{Epoch: 3, SettingUp: []*eventv1.Commitment{{Branch: "gm"}}})
	if s.SettingUp != nil || s.Beacon != nil || s.Entropy != nil {
		t.Errorf("new dice that take none: %v", s)
	}
	fold(&eventv1.DiceEpochOpened{Epoch: 4, Open: true})
	if s.SettingUp != nil || event.SettingUp(s) {
		t.Errorf("new dice without those for setting up: %v", s)
	}
}
