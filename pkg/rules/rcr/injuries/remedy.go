package injuries

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// remedy is what treats patients between fights, once it is found and paid for.
type remedy struct {
	name string
	// healing as a dice expression; empty for none.
	healing string
	// facts as of a deed in a fight.
	facts map[string]string
	// pay takes what it costs; nil when it costs nothing.
	pay func() error
}

// Treat carries out the deed "treat": a user heals or treats patients with a
// spell, an ability, a magic item or a healer's kit, or stabilises them. The
// parameters: via, amount (hit points as rolled) or healing (dice) in place of
// the sheet's, slot (level a spell is cast at), rarity, underwater, advantage,
// disadvantage (words on why).
func Treat(r *rules.Resolution, c *eventv1.PatientCommand) error {
	p := c.GetParameters()
	user := c.User
	if user == "" {
		user = c.Patients[0]
	}
	if who := r.Creature(user); body.Dead(who) || body.Incapacitated(who) && spoken.Word(p, "via") != ViaItem {
		return body.Refuse("UNABLE", body.Fallback, "%q cannot treat anybody", user)
	}
	facts := map[string]string{}
	for _, key := range []string{"advantage", "disadvantage", "rarity"} {
		facts[key] = spoken.Word(p, key)
	}
	if spoken.Truth(p, "underwater") {
		facts["underwater"] = rules.Yes
	}
	switch via := remedyVia(r, c, user); via {
	case ViaKit, ViaHands:
		return treatEach(r, c, user, via, facts)
	default:
		m, err := findRemedy(r, c, user, via, facts)
		if err != nil {
			return err
		}
		return apply(r, c, user, m)
	}
}

// ViaHands is first aid with bare hands.
const ViaHands = "stabilise"

// treatEach treats one patient after the other with a kit or bare hands. That
// none will be refused is found out before the first of them rolls.
//
// rcr.healing.kit-wound, rcr.base.death-save-frame
func treatEach(r *rules.Resolution, c *eventv1.PatientCommand, user, via string, facts map[string]string) error {
	uses := r.Count(user, body.CKit)
	wounds := map[string]bool{}
	for _, id := range c.Patients {
		h := &eventv1.Harm{Target: id, Facts: facts}
		wounds[id] = via == ViaKit && !body.Down(r.Creature(id)) || spoken.Truth(c.GetParameters(), "wounds")
		err := RefuseStable(r, r.Creature(id))
		switch {
		case wounds[id]:
			err = refuseTreatment(r, h, r.Creature(user), uses)
		case err == nil && via == ViaKit && uses < 1:
			err = body.Refuse("NO_KIT", cite.HealingKitUseExpended, "%q has no use of a healer's kit left", user)
		}
		if err != nil {
			return err
		}
		if wounds[id] || via == ViaKit {
			uses--
		}
	}
	return EachPatient(func(r *rules.Resolution, _ *eventv1.PatientCommand, id string) error {
		h := &eventv1.Harm{Deed: body.DeedKit, Target: id, Source: user, Cause: "healer's kit", Facts: facts}
		if wounds[id] {
			return kitDone(r, h)
		}
		return firstAid(r, h, via == ViaKit)
	})(r, c)
}

// remedyVia is the way stated, else found by the name on the user's sheet.
func remedyVia(r *rules.Resolution, c *eventv1.PatientCommand, user string) string {
	if via := spoken.Word(c.GetParameters(), "via"); via != "" {
		return via
	}
	s := body.SheetOf(r.Creature(user))
	switch {
	case c.Item == "" || strings.EqualFold(c.Item, "healer's kit"):
		return ViaKit
	case itemNamed(s, c.Item) != nil:
		return ViaItem
	case powerNamed(s, c.Item) != nil:
		return ViaAbility
	}
	return ViaSpell
}

func itemNamed(s *eventv1.RcrSheet, name string) *eventv1.RcrItem {
	for _, i := range s.Items {
		if strings.EqualFold(i.Name, name) {
			return i
		}
	}
	return nil
}

func powerNamed(s *eventv1.RcrSheet, name string) *eventv1.RcrPower {
	for _, p := range s.Powers {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func spellNamed(s *eventv1.RcrSheet, name string) *eventv1.RcrSpell {
	for _, sp := range s.Spells {
		if strings.EqualFold(sp.Name, name) {
			return sp
		}
	}
	return nil
}

// findRemedy finds a spell, an ability or an item and what it costs.
func findRemedy(r *rules.Resolution, c *eventv1.PatientCommand, user, via string, facts map[string]string) (*remedy, error) {
	s := body.SheetOf(r.Creature(user))
	m := &remedy{name: c.Item, facts: facts}
	facts["via"] = via
	known := false
	switch via {
	case ViaSpell:
		facts["spell"] = c.Item
		if sp := spellNamed(s, c.Item); sp != nil {
			known = true
			if err := m.spell(r, c, user, sp); err != nil {
				return nil, err
			}
		} else if level, ok := spoken.Number(c.GetParameters(), "slot"); ok {
			facts["spell_level"] = body.Itoa(level)
		}
		_, listed := checks.TablesOf(r.Content()).Spells[strings.ToLower(c.Item)]
		known = known || listed
	case ViaAbility:
		if pw := powerNamed(s, c.Item); pw != nil {
			known, m.healing = true, pw.Healing
			m.pay = func() error { return chargePower(r, user, pw) }
		}
	case ViaItem:
		if it := itemNamed(s, c.Item); it != nil {
			known, m.healing, facts["spell"] = true, it.Healing, it.Spell
			if facts["rarity"] == "" {
				facts["rarity"] = it.Rarity
			}
			if it.Charges > 0 {
				m.pay = func() error { return takeOne(r, user, body.CLeft+it.Name, "used") }
			}
		}
	}
	_, stated := c.GetParameters().GetFields()["amount"]
	if !known && !stated && spoken.Word(c.GetParameters(), "healing") == "" {
		return nil, fault.Field("command.patient.item", "%q is not on the sheet of %q%s; or give amount or healing", c.Item, user,
			rules.DidYouMean(c.Item, slices.Concat(body.NamesOf(s.Spells), body.NamesOf(s.Powers), body.NamesOf(s.Items), rules.SortedKeys(checks.TablesOf(r.Content()).Spells))))
	}
	return m, nil
}

// spell is a healing or listed spell of the user's sheet, at the level cast.
func (m *remedy) spell(r *rules.Resolution, c *eventv1.PatientCommand, user string, sp *eventv1.RcrSpell) error {
	level := sp.Level
	if n, ok := spoken.Number(c.GetParameters(), "slot"); ok {
		level = n
	}
	if level < sp.Level { // nine is the most that can be said
		return fault.Field("command.patient.parameters.slot", "must be %d to 9 for %s", sp.Level, sp.Name)
	}
	m.healing = sp.Healing
	if sp.Healing != "" && sp.UpcastDice != "" {
		m.healing += strings.Repeat("+"+sp.UpcastDice, int(level-sp.Level))
	}
	m.facts["spell_level"] = body.Itoa(level)
	switch {
	case body.Limited(sp.Usage):
		m.pay = func() error { return takeOne(r, user, body.UsesOf(sp.Name, sp.Usage), "cast "+sp.Name) }
	case level > 0 && !sp.Innate:
		m.pay = func() error { return takeOne(r, user, body.CSlot+body.Itoa(level), "cast "+sp.Name) }
	}
	return nil
}

func chargePower(r *rules.Resolution, user string, pw *eventv1.RcrPower) error {
	if body.Limited(pw.Usage) {
		if err := takeOne(r, user, body.UsesOf(pw.Name, pw.Usage), "used"); err != nil {
			return err
		}
	}
	if pw.Resource != "" {
		return takeOne(r, user, body.CLeft+pw.Resource, pw.Name)
	}
	return nil
}

// takeOne takes one from a counter of which there must be some left.
func takeOne(r *rules.Resolution, id, counter, why string) error {
	n := r.Count(id, counter)
	if n < 1 {
		return body.Refuse("NONE_LEFT", body.Fallback, "%q has no %s left", id, counter)
	}
	r.Set(id, counter, n-1, why, body.Fallback)
	return nil
}

// apply heals the patients with a remedy: hit points first, then one check
// for all whom it brought enough of them.
//
// rcr.healing.magic-check
func apply(r *rules.Resolution, c *eventv1.PatientCommand, user string, m *remedy) error {
	if m.pay != nil {
		if err := m.pay(); err != nil {
			return err
		}
	}
	if s := checks.TablesOf(r.Content()).Spells[strings.ToLower(m.facts["spell"])]; s.Revives {
		return EachPatient(TendRevive)(r, c)
	}
	amount := int32(0)
	if _, ok := spoken.Number(c.GetParameters(), "amount"); ok || m.healing != "" || spoken.Word(c.GetParameters(), "healing") != "" {
		var err error
		audience := event.Controllers(append([]string{user}, c.Patients...)...)
		if amount, err = healingAmount(r, c.GetParameters(), m, user, audience); err != nil {
			return err
		}
	}
	check := int32(0)
	for _, id := range c.Patients {
		if check > 0 {
			m.facts["check"] = body.Itoa(check)
		}
		if n := healDone(r, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: user, Cause: m.name, Amount: amount, Facts: m.facts}); n > 0 {
			check = n
		}
	}
	return nil
}

func healingAmount(r *rules.Resolution, p *structpb.Struct, m *remedy, user string, audience *eventv1.Audience) (int32, error) {
	_, stated := spoken.Number(p, "amount")
	if stated || spoken.Word(p, "healing") != "" {
		return StatedAmount(r, p, "healing", m.name, user, audience)
	}
	return max(0, r.Roll(rules.RollSpec{Label: "healing", Creature: user, Expression: m.healing, Reason: m.name, Audience: audience,
		Rules: []string{cite.HealingMagicEligible}}).Total), nil
}

// StatedAmount is the parameter amount, or a roll of the parameter that holds
// dice, by whoever heals or harms.
func StatedAmount(r *rules.Resolution, p *structpb.Struct, diceKey, reason, roller string, audience *eventv1.Audience) (int32, error) {
	field := "command.patient.parameters."
	if n, ok := spoken.Number(p, "amount"); ok {
		return n, nil
	}
	expr := spoken.Word(p, diceKey)
	if err := dice.Rollable(expr); err != nil {
		return 0, fault.Field(field+diceKey, "must be dice when there is no amount: %v", err)
	}
	return max(0, r.Roll(rules.RollSpec{Label: diceKey, Creature: roller, Expression: expr, Reason: reason, Audience: audience}).Total), nil
}

// firstAid stabilises the dying: a kit does it for one use, bare hands by a
// DC 10 Medicine check.
//
// rcr.base.death-save-frame, rcr.healing.kit-use-expended
func firstAid(r *rules.Resolution, h *eventv1.Harm, kit bool) error {
	user := r.Creature(h.Source)
	if kit {
		r.Set(user.Id, body.CKit, user.Counters[body.CKit]-1, "stabilises", cite.HealingKitUseExpended)
		if err := stabiliseDone(r, h); err != nil {
			return err
		}
		if body.Feat(r.State(), user, body.FeatHealer, cite.FeatHealerStabilise) {
			Heal(r, h.Target, user.Id, "Healer", 1, cite.FeatHealerStabilise)
		}
		return nil
	}
	bonus, _ := body.SkillBonus(user, "medicine")
	rolled := dice.D20{Label: "stabilise", Creature: user, Reason: "Medicine check to stabilise", Modifiers: []*eventv1.Modifier{body.Mod(bonus, "Medicine", body.Fallback)},
		Edges: medicineEdges(r, user, h), Target: dice.Difficulty(10), Rules: []string{cite.BaseDeathSaveFrame}}.By(r, house.PointCheck+"/medicine", effects.Env{Actor: user, Target: r.Creature(h.Target)}).Roll(r)
	if !rolled.Success() {
		rolled = dice.Fudge(r, "stabilise", user, 10, rolled, nil) // rcr.dice.inspiration-fudge
	}
	if rolled.Success() {
		return stabiliseDone(r, h)
	}
	return nil
}
