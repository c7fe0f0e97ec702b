package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// castingFeet is how far one may move in a round and still cast.
//
// original.movement.spellcaster-10-feet
const castingFeet = 10

func spellActions() []*action {
	return []*action{
		{id: "cast", title: "Cast a spell", do: doCast, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			var list []*eventv1.Option
			for _, p := range sheetOf(c).Spells {
				o := option(p.Name, castRefused(s, c, p.Name))
				if o.Legal {
					for _, id := range present(s) {
						if !dead(s.Creatures[id]) {
							o.Targets = append(o.Targets, id)
						}
					}
				}
				o.MaximumTargets = int32(len(o.Targets))
				list = append(list, o)
			}
			return list
		}},
		{id: "prepare", title: "Say which spell comes this round", anytime: true, do: doPrepare, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			var list []*eventv1.Option
			for _, p := range sheetOf(c).Spells {
				list = append(list, option(p.Name, prepareRefused(s, c, p.Name)))
			}
			return list
		}},
	}
}

// spellOf finds a spell by name; nil when the creature has none such.
func spellOf(c *eventv1.Creature, name string) *eventv1.OriginalSpell {
	for _, p := range sheetOf(c).Spells {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func spellNames(c *eventv1.Creature) []string {
	var names []string
	for _, p := range sheetOf(c).Spells {
		names = append(names, p.Name)
	}
	return names
}

// spellLeft says why a spell is not at hand: it is unknown, spent, or its
// caster was hurt in this round by one who won initiative.
//
// original.spell.lost-when-opponent-won
func spellLeft(s *eventv1.State, c *eventv1.Creature, name string) error {
	p := spellOf(c, name)
	switch {
	case p == nil:
		return fault.Field("take.item", "%s has no spell %q%s", c.Name, name, rules.DidYouMean(name, spellNames(c)))
	case p.Prepared > 0 && c.Counters[cCast+name] >= int64(p.Prepared):
		return refuse("SPENT", cite.SpellMiscastTable, "%s is spent", name)
	case c.Marks[mDisturbed] == itoa(s.Round):
		return refuse("DISTURBED", cite.SpellLostWhenOpponentWon, "%s was hurt and casts no spell this round", c.Name)
	}
	return nil
}

// castRefused says why a creature cannot cast a spell now; casting takes the
// place of the round's attacks.
//
// original.movement.spellcaster-10-feet
func castRefused(s *eventv1.State, c *eventv1.Creature, name string) error {
	if err := spellLeft(s, c, name); err != nil {
		return err
	}
	if c.Counters[cMoved] > castingFeet {
		return refuse("MOVED", cite.MovementSpellcaster10Feet, "%s has moved more than 10 feet", c.Name)
	}
	return attackLeft(s, c)
}

// prepareRefused says why a spell cannot be announced: only before the
// caster's place in the order.
func prepareRefused(s *eventv1.State, c *eventv1.Creature, name string) error {
	if err := spellLeft(s, c, name); err != nil {
		return err
	}
	switch {
	case out(c) || helpless(c) != nil:
		return refuse("HELPLESS", cite.SpellLostWhenOpponentWon, "%s cannot prepare a spell", c.Name)
	case surprised(s, c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case !placeToCome(s, c.Id):
		return refuse("TURN_OVER", cite.SpellCasterWon, "the turn of %s is over", c.Name)
	case preparing(s, c) == name:
		return refuse("PREPARING", cite.SpellLostWhenOpponentWon, "%s prepares it already", c.Name)
	}
	return nil
}

// preparing is the spell announced for this round; empty for none.
func preparing(s *eventv1.State, c *eventv1.Creature) string {
	round, name, _ := strings.Cut(c.Marks[mPreparing], ":")
	if round != itoa(s.Round) {
		return ""
	}
	return name
}

// placeToCome tells whether a creature's own place in the order of the round is
// now or still to come.
func placeToCome(s *eventv1.State, id string) bool {
	own := func(g segment) bool { return g.kind != segFirst && g.kind != segLast && slices.Contains(g.ids, id) }
	plan, step := planOf(s), int(s.Counters[cStep])
	return slices.ContainsFunc(plan[min(step, len(plan)):], own) ||
		slices.Contains(s.Active, id) && s.Phase != segFirst && s.Phase != segLast
}

// sameSlot tells whether two creatures act at the same time now.
func sameSlot(s *eventv1.State, a, b string) bool {
	plan, step := planOf(s), int(s.Counters[cStep])
	if step < 1 || step > len(plan) {
		return false
	}
	g := plan[step-1]
	return g.kind != segFirst && g.kind != segLast && slices.Contains(g.ids, a) && slices.Contains(g.ids, b)
}

func doPrepare(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := prepareRefused(r.State(), c, take.Item); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item}, cite.SpellLostWhenOpponentWon)
	r.Mark(c.Id, mPreparing, itoa(r.State().Round)+":"+take.Item, cite.SpellLostWhenOpponentWon)
	return nil
}

func doCast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := castRefused(r.State(), c, take.Item); err != nil {
		return err
	}
	for i, id := range take.Targets {
		if dead(r.Creature(id)) || slices.Contains(take.Targets[:i], id) {
			return fault.Field("take.targets["+itoa(i)+"]", "%q is not alive or named twice", id)
		}
	}
	castSpell(r, c.Id, take.Item, take.Targets, take.Action)
	return nil
}

// castSpell spends a spell; it goes off, or when foes act at the same time waits
// for what they do.
//
// original.spell.caster-won, original.spell.tie-save
func castSpell(r *rules.Resolution, id, name string, targets []string, action string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: action, Item: name, Targets: targets}, cite.SpellCasterWon)
	r.Mark(id, mCast, itoa(r.State().Round), cite.MovementSpellcaster10Feet)
	r.Mark(id, mPreparing, "", cite.SpellCasterWon)
	c := r.Creature(id)
	r.Set(id, cAttacks, max(r.Count(id, cAttacks), int64(attacksAgainstNormal(r.State(), c)), int64(attacksAgainstStrong(r.State(), c))), "cast", cite.SpellCasterWon)
	r.Mark(id, mStrong, itoa(r.State().Round), cite.SpellCasterWon)
	r.Set(id, cCast+name, r.Count(id, cCast+name)+1, "cast", cite.SpellCasterWon)
	if r.State().Marks[mTogether] == "" {
		goOff(r, id, name, targets)
		return
	}
	n := r.Count("", cBlows) + 1
	r.Set("", cBlows, n, "a spell of a simultaneous slot")
	t := &eventv1.Task{Id: blowID(n), Creature: id, Kind: "spell", Status: "pending", Text: name}
	for _, target := range targets {
		t.Modifiers = append(t.Modifiers, &eventv1.Modifier{Source: target})
	}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.SpellTieSave)
}

// goOff has a spell take effect unless those who act at the same time disturb
// it.
func goOff(r *rules.Resolution, id, name string, targets []string) {
	if r.Creature(id) == nil || spoiled(r, id, name) {
		return
	}
	p := spellOf(r.Creature(id), name)
	r.Note(event.Everyone(), id, name+" goes off", cite.SpellCasterWon)
	if p == nil || p.Damage == "" {
		return
	}
	for _, target := range targets {
		if r.Creature(target) == nil {
			continue
		}
		n := r.Roll(rules.RollSpec{Label: "spell/" + target + "/damage", Creature: id, Expression: p.Damage, Reason: name, Rules: []string{cite.SpellCasterWon}}).Total
		lay(r, &wound{attacker: id, target: target, weapon: name, actual: max(0, n)})
	}
}

// spoiled rolls a save for every opponent with the same initiative who hurt
// the caster; the first that fails loses the spell or miscasts it.
//
// original.spell.tie-save, original.spell.tie-failure, original.spell.miscast-table
func spoiled(r *rules.Resolution, id, name string) bool {
	for _, by := range shakenBy(r.State(), r.Creature(id)) {
		label := "spell/" + id + "/" + by
		if savesFromParalysis(r, label, id, "cast "+name+" though hurt", cite.SpellTieSave, mod(psyBonus(r.Creature(id)), "PSY", cite.SpellTieSave)).Success() {
			continue
		}
		rolled := r.Roll(rules.RollSpec{Label: label + "/failure", Creature: id, Expression: "1d6", Reason: "what becomes of " + name + "?",
			Judge: func(_, total int32) (string, int32) {
				if total >= 5 {
					return "miscast", 0
				}
				return "lost", 0
			}, Rules: []string{cite.SpellTieFailure}})
		if rolled.Outcome == "miscast" {
			r.Note(rolled.Audience, id, name+" is miscast: the game master says what it does", cite.SpellMiscastTable)
		} else {
			r.Note(rolled.Audience, id, name+" is lost", cite.SpellTieFailure)
		}
		return true
	}
	return false
}

// shakenBy lists those of the same initiative who hurt a caster this round.
func shakenBy(s *eventv1.State, c *eventv1.Creature) []string {
	round, ids, _ := strings.Cut(c.Marks[mShaken], ":")
	if round != itoa(s.Round) || ids == "" {
		return nil
	}
	return strings.Split(ids, ",")
}

// disturb notes what a wound does to a caster whose place in the round has not
// passed: one who went before it costs the spell, one who acts at the same time
// a save.
//
// original.spell.lost-when-opponent-won, original.spell.tie-save
func disturb(r *rules.Resolution, w *wound) {
	by, id := w.attacker, w.target
	s, c, attacker := r.State(), r.Creature(id), r.Creature(by)
	if c == nil || attacker == nil || attacker.Side == c.Side || len(sheetOf(c).Spells) == 0 {
		return
	}
	// A free attack has no place in the order: the dice of the two tell.
	ahead := dieOf(s, by) - dieOf(s, id)
	if w.parting && ahead < 0 && !has(attacker, condHasted) {
		return
	}
	if sameSlot(s, by, id) || w.parting && ahead == 0 {
		if list := shakenBy(s, c); !slices.Contains(list, by) {
			r.Mark(id, mShaken, itoa(s.Round)+":"+strings.Join(append(list, by), ","), cite.SpellTieSave)
		}
		return
	}
	if !placeToCome(s, id) || c.Marks[mCast] == itoa(s.Round) {
		return // original.spell.caster-won
	}
	r.Mark(id, mDisturbed, itoa(s.Round), cite.SpellLostWhenOpponentWon)
	if name := preparing(s, c); name != "" {
		r.Mark(id, mPreparing, "", cite.SpellLostWhenOpponentWon)
		r.Set(id, cCast+name, r.Count(id, cCast+name)+1, "lost", cite.SpellLostWhenOpponentWon)
		r.Note(event.Everyone(), id, name+" is lost", cite.SpellLostWhenOpponentWon)
	}
}

// spellAtCharger lets a caster who has the round's attack left cast at one who
// charges.
//
// original.charge.open-to-missiles
func spellAtCharger(r *rules.Resolution, id, charger string) {
	s, c := r.State(), r.Creature(id)
	d := &eventv1.Decision{Name: decSpell, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: r.Creature(charger).Name + " charges",
		Question: "Cast a spell as it closes?", DefaultOption: "no", Rule: cite.ChargeOpenToMissiles, Options: []*eventv1.DecisionOption{{Id: "no", Text: "No"}}}
	for _, p := range sheetOf(c).Spells {
		if castRefused(s, c, p.Name) == nil {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: "spell:" + p.Name, Text: p.Name})
		}
	}
	if len(d.Options) == 1 || !able(s, c) || has(c, condStruggling) {
		return
	}
	answer := r.Ask("spell/"+id, d)
	name, is := strings.CutPrefix(answer.Option, "spell:")
	if !is {
		return
	}
	together := r.State().Marks[mTogether]
	if together != "" { // it comes before the contact, and so before the slot ends
		r.Mark("", mTogether, "")
	}
	castSpell(r, id, name, []string{charger}, "charge-spell")
	if together != "" {
		r.Mark("", mTogether, together)
	}
}
