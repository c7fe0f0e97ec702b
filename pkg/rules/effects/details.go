package effects

import (
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// kindOf is the kind of an effect; 0 when it does nothing. Members of the oneof
// stand in the order of the kinds.
func kindOf(e *contentv1.Effect) Kind {
	m := e.ProtoReflect()
	f := m.WhichOneof(m.Descriptor().Oneofs().ByName("what"))
	if f == nil {
		return 0
	}
	for k := Kind(1); k < kinds; k++ {
		if protoreflect.Name(k.String()) == f.Name() {
			return k
		}
	}
	return 0
}

func kindNames() []string {
	out := make([]string, 0, kinds-1)
	for k := Kind(1); k < kinds; k++ {
		out = append(out, k.String())
	}
	return out
}

// details compiles what is particular to a kind.
func (k *compiler) details(field string, e *effect, at scope) {
	s := &k.base.Support
	switch w := e.src.What.(type) {
	case *contentv1.Effect_Modifier:
		k.at(field+".to", e, w.Modifier.To)
		e.amount = k.amount(field+".amount", w.Modifier.Amount, w.Modifier.Dice == "")
		k.dice(field+".dice", w.Modifier.Dice)
		if w.Modifier.Type != "" {
			k.unknown(field+".type", "damage type", w.Modifier.Type, s.DamageTypes)
		}
	case *contentv1.Effect_Edge:
		k.at(field+".to", e, w.Edge.To)
		k.unknown(field+".direction", "direction", w.Edge.Direction, []string{"advantage", "disadvantage"})
	case *contentv1.Effect_Cost:
		k.unknown(field+".action", "action", w.Cost.Action, s.Actions)
		if w.Cost.Counter != "" {
			k.unknown(field+".counter", "counter", w.Cost.Counter, s.Counters)
		}
		e.amount = k.amount(field+".amount", w.Cost.Amount, true)
	case *contentv1.Effect_NoProvoke:
		k.maybe(field+".action", "action", w.NoProvoke.Action, s.Actions)
	case *contentv1.Effect_Speed:
		k.maybe(field+".mode", "mode", w.Speed.Mode, []string{"walk", "climb", "swim", "fly", "burrow"})
		e.amount = k.amount(field+".feet", w.Speed.Feet, true)
	case *contentv1.Effect_Resistance:
		k.some(field+".types", len(w.Resistance.Types))
		k.words(field+".types", "damage type", w.Resistance.Types, s.DamageTypes, true)
		e.amount = k.amount(field+".less", w.Resistance.Less, false)
	case *contentv1.Effect_Immunity:
		k.some(field+".types", len(w.Immunity.Types)+len(w.Immunity.Conditions))
		k.words(field+".types", "damage type", w.Immunity.Types, s.DamageTypes, true)
		k.words(field+".conditions", "condition", w.Immunity.Conditions, k.conditions(), false)
	case *contentv1.Effect_ExtraAction:
		known := s.Extra
		if known == nil {
			known = s.Counters
		}
		k.unknown(field+".counter", "counter", w.ExtraAction.Counter, known)
		e.amount = k.amount(field+".amount", w.ExtraAction.Amount, false)
	case *contentv1.Effect_Reroll:
		k.at(field+".to", e, w.Reroll.To)
		if w.Reroll.UpTo < 0 || w.Reroll.AtLeast < 0 || w.Reroll.UpTo > 0 == (w.Reroll.AtLeast > 0) {
			k.wrong(field, "give either up_to or at_least, above 0")
		}
	case *contentv1.Effect_Replace:
		k.unknown(field+".action", "action", w.Replace.Action, s.Actions)
		k.unknown(field+".by", "action", w.Replace.By, s.Actions)
	case *contentv1.Effect_CriticalRange:
		e.amount = k.amount(field+".from", w.CriticalRange.From, true)
	case *contentv1.Effect_Set:
		k.at(field+".value", e, w.Set.Value)
		e.amount = k.amount(field+".amount", w.Set.Amount, true)
	case *contentv1.Effect_Bar:
		k.maybe(field+".action", "action", w.Bar.Action, s.Actions)
	case *contentv1.Effect_Aura:
		k.aura(field, e, w.Aura, at)
	default:
		k.happening(field, e, at)
	}
}

// happening compiles what is particular to a kind that happens.
func (k *compiler) happening(field string, e *effect, at scope) {
	s := &k.base.Support
	switch w := e.src.What.(type) {
	case *contentv1.Effect_Condition:
		k.unknown(field+".condition", "condition", w.Condition.Condition, k.conditions())
		e.amount = k.amount(field+".rounds", w.Condition.Rounds, false)
		if w.Condition.SaveEnds && !at.saves {
			k.wrong(field+".save_ends", "there is no saving throw: it stands under none")
		}
	case *contentv1.Effect_Damage:
		k.dice(field+".dice", w.Damage.Dice)
		e.amount = k.amount(field+".amount", w.Damage.Amount, w.Damage.Dice == "")
		k.maybe(field+".type", "damage type", w.Damage.Type, s.DamageTypes)
	case *contentv1.Effect_Healing:
		k.dice(field+".dice", w.Healing.Dice)
		e.amount = k.amount(field+".amount", w.Healing.Amount, w.Healing.Dice == "")
	case *contentv1.Effect_TemporaryHitPoints:
		k.dice(field+".dice", w.TemporaryHitPoints.Dice)
		e.amount = k.amount(field+".amount", w.TemporaryHitPoints.Amount, w.TemporaryHitPoints.Dice == "")
	case *contentv1.Effect_Use:
		k.named(field+".resource", w.Use.Resource)
		e.amount = k.amount(field+".amount", w.Use.Amount, false)
	case *contentv1.Effect_Hook:
		known := s.Hooks
		if known == nil {
			known = []string{}
		}
		k.unknown(field+".name", "hook", w.Hook.Name, known)
		if s.CheckHook != nil && slices.Contains(known, w.Hook.Name) {
			if err := s.CheckHook(w.Hook.Name, w.Hook.Values); err != nil {
				k.wrong(field+".values", "%s", err)
			}
		}
	case *contentv1.Effect_Save:
		k.unknown(field+".save", "saving throw", w.Save.Save, s.Saves)
		e.amount = k.amount(field+".dc", w.Save.Dc, !s.OwnSaves)
		if at.saves {
			k.wrong(field, "a saving throw cannot come of a saving throw")
			return
		}
		under := scope{cite: e.cite, slot: at.slot, trigger: e.src.Trigger, saves: true, aura: at.aura}
		k.some(field+".failed", len(w.Save.Failed)+len(w.Save.Passed))
		e.nested = k.list(field+".failed", w.Save.Failed, under)
		e.passed = k.list(field+".passed", w.Save.Passed, under)
	}
}

func (k *compiler) aura(field string, e *effect, w *contentv1.Aura, at scope) {
	if at.aura {
		k.wrong(field, "an aura cannot stand in an aura")
		return
	}
	e.amount = k.amount(field+".feet", w.Feet, true)
	k.unknown(field+".who", "who", w.Who, []string{"allies", "enemies", "others", "all"})
	k.some(field+".effects", len(w.Effects))
	e.nested = k.list(field+".effects", w.Effects, scope{cite: e.cite, slot: at.slot, aura: true})
}

// maybe checks a word that may be left out.
func (k *compiler) maybe(field, what, got string, known []string) {
	if got != "" {
		k.unknown(field, what, got, known)
	}
}

func (k *compiler) some(field string, n int) {
	if n == 0 {
		k.wrong(field, "missing")
	}
}

func (k *compiler) named(field, got string) {
	if got == "" {
		k.wrong(field, "missing")
	}
}
