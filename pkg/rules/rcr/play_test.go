package rcr

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fights of shipped creatures at random keep what the rules promise.
func TestRandomPlay(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 20, Steps: 120, Rounds: 20, Viewer: "hero", Signed: []string{body.CWounds, body.CTurn},
		Meddle: true, Set: skirmish, Take: shapeTake, Beyond: beyondOptions, Otherwise: forTheBonus, Vex: vex, Hold: promised}.Play(t)
}

// cast is whoever may take part: the sheets that ship and those that the
// importer makes.
func cast(t *testing.T) []*eventv1.Sheet {
	t.Helper()
	var all []*eventv1.Sheet
	for _, name := range sheets.List(body.ID) {
		all = append(all, shipped(t, name, name))
	}
	for _, s := range importedSheets(t) {
		if !slices.ContainsFunc(all, func(o *eventv1.Sheet) bool { return o.Id == s.Id }) {
			all = append(all, s)
		}
	}
	return all
}

// skirmish sets five of the creatures against each other, one of them
// in the party, with or without a map, surprised or not.
func skirmish(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	f := newTable(t, c.Settings(System{})...)
	f.Roller = c.Die
	mapped, ambush := c.OneIn(2), c.OneIn(4)
	var surprised []string
	for i, s := range rulestest.Some(c, cast(t), 5) {
		if i == 0 {
			s.Id, s.Side, s.Controllers = "hero", "party", []string{"hero-player"}
		}
		if ambush && i < 2 {
			surprised = append(surprised, s.Id)
		}
		if mapped {
			f.AddAt(int32(c.N(6)*5), int32(c.N(6)*5), s)
		} else {
			f.Add(s)
		}
	}
	if c.OneIn(3) {
		ridden(f, c, mapped)
	}
	f.start(surprised)
	return f.Table
}

// ridden puts the hero, if it is small enough, on a mount of some kind.
func ridden(f *table, c *rulestest.Chance, mapped bool) {
	var has []string
	for _, trait := range body.MountTraits {
		if c.OneIn(2) {
			has = append(has, trait)
		}
	}
	h := beast(traits(has...), saddle(rulestest.Pick(c, []string{"", body.SaddleNormal, body.SaddleMilitary})), rulestest.Pick(c, []func(*eventv1.Sheet){
		func(*eventv1.Sheet) {}, ability("intelligence", 8), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false })}))
	h.Controllers = []string{"hero-player"}
	f.Add(h)
	if mapped {
		at := f.Creature("hero").Position
		f.Place("h", at.X, at.Y)
	}
	if size := f.Creature("hero").Size; size == "tiny" || size == "small" || size == "medium" {
		f.Must(act("hero", "mount", "", "h"))
	}
}

// shapeTake keeps moves short, and words what is dice.
func shapeTake(_ *rulestest.Play, o *eventv1.Option, take *eventv1.TakeAction) {
	if slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Name == "feet" }) {
		take.Path, take.Parameters = nil, object("feet", 1)
	}
	if f := take.GetParameters().GetFields(); f["extra_damage"] != nil {
		f["extra_damage"] = object("dice", "1d6").Fields["dice"]
	}
}

// forTheBonus: a passage that only the bonus action is left for is listed with that, and
// a command that does not say so is refused for the action before its target is judged.
func forTheBonus(o *eventv1.Option, why *fault.Fault) bool {
	return (o.Action == "tumble" || o.Action == "overrun") && why.Reason == "NO_ACTION" && o.Costs[body.CBonus] > 0
}

// beyondOptions: the name of a task is anybody's word, so that no option can
// list all names but those of tasks that a failure has barred.
func beyondOptions(take *eventv1.TakeAction, why *fault.Fault) bool {
	return take.Action == "task-check" && why.Reason == "BARRED"
}

// promised holds what the rules promise of creatures and of secrets.
func promised(p *rulestest.Play) {
	p.T.Helper()
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		if c.GetHp() < 0 || c.GetHp() == 0 && !body.Dead(c) && !body.Down(c) {
			p.T.Fatalf("%s stands at %d hit points", id, c.GetHp())
		}
		if slices.Contains(p.State.Active, id) && (body.Dead(c) || body.Down(c)) {
			p.T.Fatalf("%s has the turn and cannot have one", id)
		}
		if body.Has(c, body.CondProne) && body.Has(c, body.CondCrouching) {
			p.T.Fatalf("%s is prone and crouches", id)
		}
	}
	holdSecrets(p)
	holdWords(p)
}

// holdWords holds that whatever a creature has and is offered has a word: a
// patient that leaves this fight can come into the next.
func holdWords(p *rulestest.Play) {
	p.T.Helper()
	v := System{}.Vocabulary()
	known := func(place, name string) {
		p.T.Helper()
		if v.Find(place, "", name) == nil {
			p.T.Fatalf("%s %q is no word", place, name)
		}
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		for _, name := range rules.SortedKeys(c.Counters) {
			known(rules.PlaceCounter, name)
		}
		for _, name := range rules.SortedKeys(c.Marks) {
			known(rules.PlaceMark, name)
		}
		for _, x := range c.Conditions {
			known(rules.PlaceCondition, x.Name)
		}
		if err := body.CheckConditions(c); err != nil {
			p.T.Fatal(err)
		}
		for _, in := range c.Injuries {
			known(rules.PlaceInjury, in.Kind)
			if w := v.Find(rules.PlaceInjury, "", in.Kind); len(w.Values) > 0 && !slices.Contains(w.Values, in.Part) {
				p.T.Fatalf("no part of %s: %v", in.Kind, in)
			}
		}
	}
	for _, id := range p.State.Active {
		for _, o := range (System{}).Options(rules.Query{State: p.State, Creature: id}) {
			for _, x := range o.Parameters {
				w := v.Find(rules.PlaceParameter, o.Action, x.Name)
				if w == nil || w.Type != x.Type {
					p.T.Fatalf("%s offers %v, and the word is %v", o.Action, x, w)
				}
				for _, value := range x.Values {
					if len(w.Values) > 0 && !slices.Contains(w.Values, value.GetStringValue()) {
						p.T.Fatalf("%s offers %v, and the word is %v", o.Action, x, w)
					}
				}
			}
		}
	}
}

// holdSecrets holds that what must stay secret goes to nobody who must not
// see it: hit points, the tally of death saves, totals not yet called, where the
// hidden go.
//
// rcr.hp.secret-totals, rcr.death.secret-saves, rcr.initiative.range-call
func holdSecrets(p *rulestest.Play) {
	p.T.Helper()
	s := event.Clone(p.Before)
	for _, e := range p.Published {
		open := e.Audience.Kind == eventv1.Audience_KIND_EVERYONE
		gm := e.Audience.Kind == eventv1.Audience_KIND_GM
		switch {
		case open && (e.GetHitPoints() != nil || e.GetDamage() != nil || e.GetHealing() != nil || e.GetSheetSet() != nil):
			p.T.Fatalf("everyone sees %v", e)
		case !gm && strings.HasPrefix(e.GetCounter().GetCounter(), "death."), !gm && strings.HasSuffix(e.GetRoll().GetLabel(), "/death-save"):
			p.T.Fatalf("somebody sees %v", e)
		case open && body.Has(s.Creatures[e.GetMoved().GetCreature()], body.CondHidden), open && e.GetCounter().GetCounter() == body.CStealth,
			open && strings.HasSuffix(e.GetRoll().GetLabel(), "check/stealth") && p.Command.GetTake().GetAction() == "hide":
			p.T.Fatalf("everyone sees %v", e)
		case open && e.GetInitiativeSet() != nil:
			if i := e.GetInitiativeSet(); i.Round != s.Round || answers.BlockOf(i.Total) > body.BlockNow(s) {
				p.T.Fatalf("round %d, block %d: everyone sees %v", s.Round, s.Counters[body.CBlock], i)
			}
		}
		event.Fold(s, e)
	}
}

// trouble is what may befall a creature in a fight, by the game master's word.
var trouble = []string{body.CondBlinded, body.CondDeafened, body.CondGrappled, body.CondProne, body.CondRestrained, body.CondShackled, body.CondTerrified, body.CondCharmed, body.CondFrightened,
	body.CondPoisoned, body.CondInvisible, body.CondIncapacitated, body.CondStunned, body.CondHelpless, body.CondParalyzed + "=" + body.VariantDisabled, body.CondCrouching}

// vex lays a condition on somebody, lifts all, or hurts.
func vex(p *rulestest.Play) {
	p.T.Helper()
	ids := rules.SortedKeys(p.State.Creatures)
	id := ids[p.Chance.N(len(ids))]
	c := p.Creature(id)
	if body.Dead(c) {
		return
	}
	switch p.Chance.N(4) {
	case 0:
		remove := []string{}
		for _, x := range c.Conditions {
			if x.Name != body.CondUnconscious && x.Name != body.CondBloodied && !slices.Contains(remove, x.Name) {
				remove = append(remove, x.Name)
			}
		}
		p.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, RemoveConditions: remove}}})
	case 1:
		p.Count(id, body.CWounds, p.Chance.N(5), body.CExhaustion, p.Chance.N(4), body.CInspiration, 1)
	default:
		name := trouble[p.Chance.N(len(trouble))]
		if other := ids[p.Chance.N(len(ids))]; other != id {
			name += "@" + other
		}
		p.Afflict(id, name)
	}
}

// fighting are the actions of attacks and of the turn.
var fighting = []string{"attack", "off-hand-attack", "use-power", "dash", "disengage", "dodge", "help", "action-surge", "ready"}

// What is listed as illegal is refused, for the reason listed.
func TestOptionsSayWhy(t *testing.T) {
	f := newTable(t).add(shipped(t, "fighter", "a"), shipped(t, "goblin", "b")).start(nil, 1, 20)
	f.WantActive("b")
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		if !slices.Contains(fighting, o.Action) {
			continue
		}
		if o.Legal || o.Rule == "" || o.Reason == "" {
			t.Errorf("%s %s: legal %v, rule %q, reason %q", o.Action, o.Item, o.Legal, o.Rule, o.Reason)
		}
		err := f.Try(act("a", o.Action, o.Item, "b"))
		var fe *fault.Fault
		if !errors.As(err, &fe) || fe.Rule != o.Rule {
			t.Errorf("%s %s: %v, option says %s", o.Action, o.Item, err, o.Rule)
		}
	}
}
