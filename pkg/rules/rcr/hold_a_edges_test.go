package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// edgeCase is a roll of a creature a in a situation, in which a rule gives an edge or does not.
// b, an enemy, is what it rolls against.
type edgeCase struct {
	kind  string
	asked body.Asked
	a, b  []func(*eventv1.Sheet)
	on    []string // conditions of a
	onB   []string
	do    func(s *eventv1.State)
	self  bool // the effect saved against is its own
	given bool
	edge  string // the rule that gives it
}

// creatureOf makes a creature of a sheet at a place; it is not hurt.
func creatureOf(s *eventv1.Sheet, x, y int32, conditions ...string) *eventv1.Creature {
	c := &eventv1.Creature{Id: s.Id, Side: s.Side, Sheet: s, Size: s.Size, Hp: new(int32), HpMax: new(int32), Counters: map[string]int64{}, Marks: map[string]string{}, Position: &eventv1.Position{X: x, Y: y}}
	*c.Hp, *c.HpMax = s.HitPoints, s.HitPoints
	for _, name := range conditions {
		c.Conditions = append(c.Conditions, &eventv1.Condition{Id: name, Name: name})
	}
	return c
}

func (c edgeCase) run(t *testing.T) {
	t.Helper()
	a, b := creatureOf(fighter("a", "party", c.a...), 0, 0, c.on...), creatureOf(fighter("b", "monsters", c.b...), 5, 0, c.onB...)
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": a, "b": b}, Active: []string{"a"}, Marks: map[string]string{}, Settings: map[string]string{}}
	if c.do != nil {
		c.do(s)
	}
	target := b
	if c.self {
		target = a
	}
	found := slices.ContainsFunc(body.EdgesOf(s, c.kind, a, target, c.asked), func(e *eventv1.Edge) bool { return e.Rule == c.edge })
	if found != c.given {
		t.Errorf("the edge by %s is given: %v", c.edge, found)
	}
}

func runEdges(t *testing.T, cases map[string]edgeCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { c.run(t) })
	}
}

// said is what a command says of the light on its target and on whoever acts.
func said(light, own string) body.WaterSaid { return body.WaterSaid{Light: light, OwnLight: own} }

// rcr.trait.sunlight-sensitivity, rcr.trait.sunlight-weakness, rcr.trait.light-sensitivity: which
// rolls sunlight and bright light hamper: the light on the creature counts, that of the fight where
// nothing else is said, and under water only what is said.
func TestThoseWhomLightHampers(t *testing.T) {
	sun := func(s *eventv1.State) { s.Marks[body.MLight] = body.LightSun }
	day := func(s *eventv1.State) { s.Marks[body.MLight] = body.LightBright }
	dusk := func(s *eventv1.State) { s.Marks[body.MLight] = body.LightDim }
	under := func(w body.WaterSaid) body.WaterSaid { yes := true; w.Under = &yes; return w }
	blow := func(w body.WaterSaid) body.Asked {
		return body.Asked{Attack: body.AttackKind{Melee: true, Distance: 5, Water: w, Blow: fighter("x", "").GetRcr().Attacks[0]}}
	}
	sees := func(skill, purpose string) body.Asked {
		return body.Asked{Ability: "wisdom", Skill: skill, Purpose: purpose}
	}
	sensitive, weak, dazzled := []func(*eventv1.Sheet){trait(body.TraitSunSensitive)}, []func(*eventv1.Sheet){trait(body.TraitSunWeakness)}, []func(*eventv1.Sheet){trait(body.TraitLightSensitive)}
	const bySun, byWeakness, byLight = cite.TraitSunlightSensitivity, cite.TraitSunlightWeakness, cite.TraitLightSensitivity
	runEdges(t, map[string]edgeCase{
		"an attack in the sun":                         {kind: body.RollAttack, asked: blow(said("", "")), a: sensitive, do: sun, edge: bySun, given: true},
		"an attack by day":                             {kind: body.RollAttack, asked: blow(said("", "")), a: sensitive, do: day, edge: bySun},
		"an attack, nothing is said":                   {kind: body.RollAttack, asked: blow(said("", "")), a: sensitive, edge: bySun},
		"an attack of another in the sun":              {kind: body.RollAttack, asked: blow(said("", "")), do: sun, edge: bySun},
		"an attack, said to be in the sun":             {kind: body.RollAttack, asked: blow(said(body.LightSun, "")), a: sensitive, do: dusk, edge: bySun, given: true},
		"an attack, said to be in the shade":           {kind: body.RollAttack, asked: blow(said(body.LightBright, "")), a: sensitive, do: sun, edge: bySun},
		"an attack out of the sun":                     {kind: body.RollAttack, asked: blow(said(body.LightDim, body.LightSun)), a: sensitive, edge: bySun, given: true},
		"an attack into the sun":                       {kind: body.RollAttack, asked: blow(said(body.LightSun, body.LightDim)), a: sensitive, do: sun, edge: bySun},
		"an attack under water":                        {kind: body.RollAttack, asked: blow(under(said("", ""))), a: sensitive, do: sun, edge: bySun},
		"an attack under water, said to be in the sun": {kind: body.RollAttack, asked: blow(under(said("", body.LightSun))), a: sensitive, edge: bySun, given: true},
		"it looks about":                               {kind: body.RollCheckOf, asked: sees("perception", ""), a: sensitive, do: sun, edge: bySun, given: true},
		"it looks":                                     {kind: body.RollCheckOf, asked: sees("perception", "sight"), a: sensitive, do: sun, edge: bySun, given: true},
		"it listens":                                   {kind: body.RollCheckOf, asked: sees("perception", "hearing"), a: sensitive, do: sun, edge: bySun},
		"it ponders":                                   {kind: body.RollCheckOf, asked: sees("insight", ""), a: sensitive, do: sun, edge: bySun},
		"another looks":                                {kind: body.RollCheckOf, asked: sees("perception", "sight"), do: sun, edge: bySun},
		"it looks, said to be in the shade":            {kind: body.RollCheckOf, asked: body.Asked{Skill: "perception", Water: said("", body.LightDim)}, a: sensitive, do: sun, edge: bySun},
		"a sensitive one saves":                        {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom"}, a: sensitive, do: sun, edge: bySun},

		"a weak one attacks":                    {kind: body.RollAttack, asked: blow(said("", "")), a: weak, do: sun, edge: byWeakness, given: true},
		"a weak one listens":                    {kind: body.RollCheckOf, asked: sees("perception", "hearing"), a: weak, do: sun, edge: byWeakness, given: true},
		"a weak one ponders at dusk":            {kind: body.RollCheckOf, asked: sees("insight", ""), a: weak, do: dusk, edge: byWeakness},
		"a weak one saves":                      {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom"}, a: weak, do: sun, edge: byWeakness, given: true},
		"a weak one saves at dusk":              {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom"}, a: weak, do: dusk, edge: byWeakness},
		"a weak one saves, said to be in shade": {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom", Water: said(body.LightDim, body.LightSun)}, a: weak, do: sun, edge: byWeakness},
		"a weak one saves, said to be in sun":   {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom", Water: said(body.LightSun, body.LightDim)}, a: weak, edge: byWeakness, given: true},
		"another saves":                         {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom"}, do: sun, edge: byWeakness},

		"one dazzled attacks, nothing is said": {kind: body.RollAttack, asked: blow(said("", "")), a: dazzled, edge: byLight, given: true},
		"one dazzled attacks in the sun":       {kind: body.RollAttack, asked: blow(said("", "")), a: dazzled, do: sun, edge: byLight, given: true},
		"one dazzled attacks at dusk":          {kind: body.RollAttack, asked: blow(said("", "")), a: dazzled, do: dusk, edge: byLight},
		"one dazzled attacks out of the dark":  {kind: body.RollAttack, asked: blow(said(body.LightBright, body.LightDark)), a: dazzled, edge: byLight},
		"one dazzled attacks into the dark":    {kind: body.RollAttack, asked: blow(said(body.LightDark, body.LightBright)), a: dazzled, do: dusk, edge: byLight, given: true},
		"one dazzled looks":                    {kind: body.RollCheckOf, asked: sees("perception", "sight"), a: dazzled, edge: byLight, given: true},
		"one dazzled listens":                  {kind: body.RollCheckOf, asked: sees("perception", "hearing"), a: dazzled, edge: byLight},
		"another attacks in bright light":      {kind: body.RollAttack, asked: blow(said("", "")), edge: byLight},
		"one dazzled deep under water attacks": {kind: body.RollAttack, asked: blow(deep(500)), a: dazzled, edge: byLight},
		"one dazzled just under water attacks": {kind: body.RollAttack, asked: blow(deep(5)), a: dazzled, edge: byLight, given: true},
	})
}

// deep is under water at a depth.
func deep(feet int32) body.WaterSaid {
	yes := true
	return body.WaterSaid{Under: &yes, Depth: &feet}
}

// rcr.trait.danger-sense, rcr.trait.gnome-cunning, rcr.trait.magic-resistance,
// rcr.trait.keen-senses, rcr.trait.reckless-attack, rcr.injury.row2-crippled-saves,
// rcr.flight.adv-descent-advantage, rcr.flight.adv-upward-ranged, rcr.mount.bareback-disadvantage,
// rcr.base.fifth-edition-fallback: what speaks for or against a roll, and what it does not go with.
func TestWhatGivesAnEdge(t *testing.T) {
	by := func(names ...string) []func(*eventv1.Sheet) { return []func(*eventv1.Sheet){trait(names...)} }
	dex, str := body.Asked{Ability: "dexterity"}, body.Asked{Ability: "strength"}
	magic := func(ability string, is bool) body.Asked { return body.Asked{Ability: ability, Magic: is} }
	hears := func(purpose string) body.Asked {
		return body.Asked{Ability: "wisdom", Skill: "perception", Purpose: purpose}
	}
	strike := func(change func(k *body.AttackKind)) body.Asked {
		k := body.AttackKind{Melee: true, Distance: 5, Blow: &eventv1.RcrAttack{Name: "x", ReachFeet: 5}}
		if change != nil {
			change(&k)
		}
		return body.Asked{Attack: k}
	}
	fine := func(k *body.AttackKind) { k.Blow.Properties = []string{"finesse"} }
	nimble := func(dexterity int32) []func(*eventv1.Sheet) {
		return []func(*eventv1.Sheet){ability("strength", 14), ability("dexterity", dexterity)}
	}
	afar := func(k *body.AttackKind) { k.Melee, k.Distance = false, 60 }
	spell := func(k *body.AttackKind) { k.Spell, k.Blow.Spell = true, true }
	skies := func(id string) func(s *eventv1.State) {
		return func(s *eventv1.State) {
			s.Settings[cite.FlightAdvToggle], s.Active = "on", []string{id}
			s.Creatures["a"].Counters[body.CDescended] = 20
		}
	}
	wounds := func(id string, n int64) func(s *eventv1.State) {
		return func(s *eventv1.State) { s.Creatures[id].Counters[body.CWounds] = n }
	}
	beside := func(side string, conditions ...string) func(s *eventv1.State) {
		return func(s *eventv1.State) { s.Creatures["c"] = creatureOf(fighter("c", side), 10, 0, conditions...) }
	}
	runEdges(t, map[string]edgeCase{
		"danger sense":                      {kind: body.RollSaveOf, asked: dex, a: by(body.TraitDangerSense), edge: cite.TraitDangerSense, given: true},
		"danger sense, blinded":             {kind: body.RollSaveOf, asked: dex, a: by(body.TraitDangerSense), on: []string{body.CondBlinded}, edge: cite.TraitDangerSense},
		"danger sense, deafened":            {kind: body.RollSaveOf, asked: dex, a: by(body.TraitDangerSense), on: []string{body.CondDeafened}, edge: cite.TraitDangerSense},
		"danger sense, incapacitated":       {kind: body.RollSaveOf, asked: dex, a: by(body.TraitDangerSense), on: []string{body.CondIncapacitated}, edge: cite.TraitDangerSense},
		"danger sense, of strength":         {kind: body.RollSaveOf, asked: str, a: by(body.TraitDangerSense), edge: cite.TraitDangerSense},
		"no danger sense":                   {kind: body.RollSaveOf, asked: dex, edge: cite.TraitDangerSense},
		"cunning against magic, wits":       {kind: body.RollSaveOf, asked: magic("intelligence", true), a: by(body.TraitGnomeCunning), edge: cite.TraitGnomeCunning, given: true},
		"cunning against magic, will":       {kind: body.RollSaveOf, asked: magic("wisdom", true), a: by(body.TraitGnomeCunning), edge: cite.TraitGnomeCunning, given: true},
		"cunning against magic, self":       {kind: body.RollSaveOf, asked: magic("charisma", true), a: by(body.TraitGnomeCunning), edge: cite.TraitGnomeCunning, given: true},
		"cunning against magic, body":       {kind: body.RollSaveOf, asked: magic("constitution", true), a: by(body.TraitGnomeCunning), edge: cite.TraitGnomeCunning},
		"cunning against no magic":          {kind: body.RollSaveOf, asked: magic("wisdom", false), a: by(body.TraitGnomeCunning), edge: cite.TraitGnomeCunning},
		"no cunning":                        {kind: body.RollSaveOf, asked: magic("wisdom", true), edge: cite.TraitGnomeCunning},
		"resistance to magic":               {kind: body.RollSaveOf, asked: magic("strength", true), a: by(body.TraitMagicResist), edge: cite.TraitMagicResistance, given: true},
		"resistance to what is no magic":    {kind: body.RollSaveOf, asked: magic("strength", false), a: by(body.TraitMagicResist), edge: cite.TraitMagicResistance},
		"no resistance to magic":            {kind: body.RollSaveOf, asked: magic("strength", true), edge: cite.TraitMagicResistance},
		"keen hearing and smell: it hears":  {kind: body.RollCheckOf, asked: hears("hearing"), a: by("keen hearing and smell"), edge: cite.TraitKeenSenses, given: true},
		"keen hearing and smell: it sniffs": {kind: body.RollCheckOf, asked: hears("smell"), a: by("Keen Hearing and Smell"), edge: cite.TraitKeenSenses, given: true},
		"keen hearing and smell: it looks":  {kind: body.RollCheckOf, asked: hears("sight"), a: by("keen hearing and smell"), edge: cite.TraitKeenSenses},
		"keen hearing, by no sense":         {kind: body.RollCheckOf, asked: hears(""), a: by("keen hearing"), edge: cite.TraitKeenSenses},
		"a trait of another name":           {kind: body.RollCheckOf, asked: hears("hearing"), a: by("false hearing"), edge: cite.TraitKeenSenses},
		"it may be keen on nothing":         {kind: body.RollCheckOf, asked: hears(""), a: by("keen"), edge: cite.TraitKeenSenses},
		"keen hearing, another skill":       {kind: body.RollCheckOf, asked: body.Asked{Skill: "insight", Purpose: "hearing"}, a: by("keen hearing"), edge: cite.TraitKeenSenses},

		"reckless: by strength":               {kind: body.RollAttack, asked: strike(nil), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack, given: true},
		"reckless: in another's turn":         {kind: body.RollAttack, asked: strike(nil), on: []string{body.CondReckless}, do: func(s *eventv1.State) { s.Active = []string{"b"} }, edge: cite.TraitRecklessAttack},
		"reckless: from afar":                 {kind: body.RollAttack, asked: strike(afar), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack},
		"reckless: a touch that is a spell":   {kind: body.RollAttack, asked: strike(spell), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack},
		"reckless: a fine blade of the deft":  {kind: body.RollAttack, asked: strike(fine), a: nimble(16), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack},
		"reckless: a fine blade, as strong":   {kind: body.RollAttack, asked: strike(fine), a: nimble(14), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack, given: true},
		"reckless: a fine blade, stronger":    {kind: body.RollAttack, asked: strike(fine), a: nimble(12), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack, given: true},
		"reckless: a rough blade of the deft": {kind: body.RollAttack, asked: strike(nil), a: nimble(16), on: []string{body.CondReckless}, edge: cite.TraitRecklessAttack, given: true},
		"not reckless":                        {kind: body.RollAttack, asked: strike(nil), edge: cite.TraitRecklessAttack},

		"the effect of one crippled": {kind: body.RollSaveOf, asked: dex, do: wounds("b", 2), edge: cite.InjuryRow2CrippledSaves, given: true},
		"the effect of one hale":     {kind: body.RollSaveOf, asked: dex, edge: cite.InjuryRow2CrippledSaves},
		"its own effect, crippled":   {kind: body.RollSaveOf, asked: dex, do: wounds("a", 2), self: true, edge: cite.InjuryRow2CrippledSaves},
		"another's effect, crippled": {kind: body.RollSaveOf, asked: dex, do: wounds("a", 2), edge: cite.InjuryRow2CrippledSaves},

		"it has come down 20 feet":          {kind: body.RollAttack, asked: strike(nil), do: skies("a"), edge: cite.FlightAdvDescentAdvantage, given: true},
		"it has come down 15":               {kind: body.RollAttack, asked: strike(nil), do: func(s *eventv1.State) { skies("a")(s); s.Creatures["a"].Counters[body.CDescended] = 15 }, edge: cite.FlightAdvDescentAdvantage},
		"it has come down, a spell":         {kind: body.RollAttack, asked: strike(spell), do: skies("a"), edge: cite.FlightAdvDescentAdvantage},
		"it has come down, another's turn":  {kind: body.RollAttack, asked: strike(nil), do: skies("b"), edge: cite.FlightAdvDescentAdvantage},
		"it has come down, the rule is off": {kind: body.RollAttack, asked: strike(nil), do: func(s *eventv1.State) { skies("a")(s); s.Settings[cite.FlightAdvToggle] = "off" }, edge: cite.FlightAdvDescentAdvantage},
		"a shot 20 feet up":                 {kind: body.RollAttack, asked: strike(func(k *body.AttackKind) { afar(k); k.Higher = 20 }), do: skies("a"), edge: cite.FlightAdvUpwardRanged, given: true},
		"a shot 19 feet up":                 {kind: body.RollAttack, asked: strike(func(k *body.AttackKind) { afar(k); k.Higher = 19 }), do: skies("a"), edge: cite.FlightAdvUpwardRanged},
		"a blow 20 feet up":                 {kind: body.RollAttack, asked: strike(func(k *body.AttackKind) { k.Higher = 20 }), do: skies("a"), edge: cite.FlightAdvUpwardRanged},

		"a pack: an ally beside the target": {kind: body.RollAttackAllies, asked: strike(nil), a: by("pack tactics"), do: beside("party"), edge: cite.BaseFifthEditionFallback, given: true},
		"a pack: nobody":                    {kind: body.RollAttackAllies, asked: strike(nil), a: by("pack tactics"), edge: cite.BaseFifthEditionFallback},
		"a pack: another enemy":             {kind: body.RollAttackAllies, asked: strike(nil), a: by("pack tactics"), do: beside("monsters"), edge: cite.BaseFifthEditionFallback},
		"a pack: an ally who cannot act":    {kind: body.RollAttackAllies, asked: strike(nil), a: by("pack tactics"), do: beside("party", body.CondIncapacitated), edge: cite.BaseFifthEditionFallback},
		"an enemy close by a shot":          {kind: body.RollAttack, asked: strike(func(k *body.AttackKind) { afar(k); k.CloseEnemy = true }), edge: cite.BaseFifthEditionFallback, given: true},
		"an enemy close by a blow":          {kind: body.RollAttack, asked: strike(func(k *body.AttackKind) { k.CloseEnemy = true }), edge: cite.BaseFifthEditionFallback},

		"it dodges":                {kind: body.RollSaveOf, asked: dex, on: []string{body.CondDodging}, edge: cite.BaseFifthEditionFallback, given: true},
		"it does not":              {kind: body.RollSaveOf, asked: dex, edge: cite.BaseFifthEditionFallback},
		"it dodges, of strength":   {kind: body.RollSaveOf, asked: str, on: []string{body.CondDodging}, edge: cite.BaseFifthEditionFallback},
		"it dodges, held":          {kind: body.RollSaveOf, asked: dex, on: []string{body.CondDodging, body.CondGrappled}, edge: cite.BaseFifthEditionFallback},
		"it dodges and cannot act": {kind: body.RollSaveOf, asked: dex, on: []string{body.CondDodging, body.CondIncapacitated}, edge: cite.BaseFifthEditionFallback},
	})
}

// rcr.mount.bareback-disadvantage, rcr.mount.military-advantage: a saddle weighs on the throw that
// keeps its rider up, and on no other.
func TestSaddlesKeepRidersUp(t *testing.T) {
	f := rides(t, human(), beast(saddle("")), orc())
	s, a := f.State, f.Creature("a")
	for name, c := range map[string]struct {
		who     *eventv1.Creature
		purpose string
		given   bool
	}{"to stay mounted": {a, "stay-mounted", true}, "another throw": {a, "stay-up", false}, "who does not ride": {f.Creature("b"), "stay-mounted", false}} {
		edges := body.EdgesOf(s, body.RollSaveOf, c.who, f.Creature("b"), body.Asked{Ability: "dexterity", Purpose: c.purpose})
		if got := slices.ContainsFunc(edges, func(e *eventv1.Edge) bool { return e.Rule == cite.MountBarebackDisadvantage }); got != c.given {
			t.Errorf("%s: %v", name, edges)
		}
	}
}
