package declaring

import (
	"maps"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// A way to do something that its words make is listed as an option of its own
// where those words change what else is left. The listing says them like a command.
var (
	sayThrow        = said("throw", structpb.NewBoolValue(true))
	sayStand        = said("stand", structpb.NewBoolValue(true))
	sayStandThrow   = said("stand", structpb.NewBoolValue(true), "throw", structpb.NewBoolValue(true))
	sayOffHand      = said("bonus", structpb.NewStringValue(sayOff))
	sayCracked      = confirmed(sayOffHand)
	sayStandCracked = confirmed(sayOffHand, sayStand)
	sayThrowCracked = confirmed(sayOffHand, sayThrow)
	sayAllCracked   = confirmed(sayOffHand, sayStandThrow)
	sayDifficulty   = said("dc", structpb.NewNumberValue(UsualDC))
	sayDifficultOff = said("dc", structpb.NewNumberValue(UsualDC), "bonus", structpb.NewStringValue(sayOff))
	sayDifficultBad = confirmed(sayDifficultOff)
)

// sayOff begins the word for an off-hand attack, which its weapon ends.
const sayOff = "off-hand:"

func said(pairs ...any) *structpb.Struct {
	fields := map[string]*structpb.Value{}
	for i := 0; i < len(pairs); i += 2 {
		fields[pairs[i].(string)] = pairs[i+1].(*structpb.Value)
	}
	return &structpb.Struct{Fields: fields}
}

// confirmed are ways together, and the word for a cracked weapon.
func confirmed(ways ...*structpb.Struct) *structpb.Struct {
	all := said(UseCracked, structpb.NewBoolValue(true))
	for _, way := range ways {
		maps.Copy(all.Fields, way.Fields)
	}
	return all
}

// offHanded tells whether an off-hand attack goes with it.
func offHanded(at *play.At) bool {
	bonus, _ := spoken.Words(at.Take.GetParameters(), "bonus")
	return len(bonus) > 0 && offHand(bonus[0])
}

// thrown tells whether a weapon is shot or thrown.
func thrown(at *play.At, w *eventv1.SparkWeapon) bool { return at.Truth("throw") || w.ReachFeet == 0 }

// furtherAttacks are the further ways to attack with each weapon: thrown where it
// can also be used in melee, rising first where that leaves fewer attacks, and with a
// cracked weapon in the off hand.
func furtherAttacks(at *play.At) []*eventv1.Option {
	var out []*eventv1.Option
	if GlanceOf(at).MayDeclare() != nil {
		return nil
	}
	for _, w := range body.SheetOf(at.Actor).Weapons {
		at.Take.Item = w.Name
		throws := w.ReachFeet > 0 && w.RangeFeet > 0
		rises, both := standsApart(at, w, false), throws && standsApart(at, w, true)
		for _, way := range []struct {
			words *structpb.Struct
			is    bool
		}{{sayStand, rises}, {sayThrow, throws}, {sayStandThrow, both}, {sayCracked, risksOff(at, w, false, false)}, {sayStandCracked, rises && risksOff(at, w, false, true)},
			{sayThrowCracked, throws && risksOff(at, w, true, false)}, {sayAllCracked, both && risksOff(at, w, true, true)}} {
			if at.Take.Parameters = way.words; way.is {
				out = appendLegal(out, at.Option())
			}
		}
	}
	at.Take.Parameters = nil
	return out
}

// furtherCharges are charges with each weapon beside a cracked one in the off hand.
func furtherCharges(at *play.At) []*eventv1.Option {
	var out []*eventv1.Option
	if GlanceOf(at).MayDeclare() != nil {
		return nil
	}
	for _, name := range meleeWeapons(at) {
		if at.Take.Item = name; risksOff(at, body.WeaponOf(at.Actor, name), false, false) {
			at.Take.Parameters = sayCracked
			out = appendLegal(out, at.Option())
		}
	}
	at.Take.Parameters = nil
	return out
}

// risksOff tells whether an attack with a cracked weapon in the off hand goes with one
// with a sound weapon that is ready, as an option of its own. throw: that one is thrown;
// stands: the attacker stands up first.
//
// spark.action.off-hand-attack, spark.fumble.weapon-cracked
func risksOff(at *play.At, w *eventv1.SparkWeapon, throw, stands bool) bool {
	c, kind := at.Actor, at.Action.ID
	if body.IsCracked(c, w.Name) || needed(c, w, throw || w.ReachFeet == 0) != "" || stands && staysDown(at.State, kind, sayOff) {
		return false
	}
	return slices.ContainsFunc(GlanceOf(at).bonus(), func(n string) bool { return crackedOff(c, n) })
}

// furtherDeeds are deeds beside an off-hand attack, whose target must be named, and
// for a thing to be broken those of a DC that is stated.
//
// spark.action.off-hand-attack, spark.item.hardness-check
func furtherDeeds(at *play.At) []*eventv1.Option {
	if GlanceOf(at).MayDeclare() != nil {
		return nil
	}
	var sound, risky bool
	for _, n := range GlanceOf(at).bonus() {
		cracked := crackedOff(at.Actor, n)
		sound, risky = sound || offHand(n) && !cracked, risky || cracked
	}
	bash := at.Action.ID == KindBash
	var ways []*structpb.Struct
	for _, way := range []struct {
		words *structpb.Struct
		is    bool
	}{{sayOffHand, sound}, {sayCracked, risky}, {sayDifficulty, bash}, {sayDifficultOff, bash && sound}, {sayDifficultBad, bash && risky}} {
		if way.is {
			ways = append(ways, way.words)
		}
	}
	var out []*eventv1.Option
	items := []string{""}
	if at.Action.Items != nil && len(ways) > 0 {
		items = at.Action.Items(at)
	}
	for _, item := range items {
		at.Take.Item = item
		for _, way := range ways {
			at.Take.Parameters = way
			out = appendLegal(out, at.Option())
		}
	}
	at.Take.Parameters = nil
	return out
}

// appendLegal leaves out what is refused: without its words it could not be told
// from the plain way.
func appendLegal(list []*eventv1.Option, o *eventv1.Option) []*eventv1.Option {
	if !o.Legal {
		return list
	}
	return append(list, o)
}

// standsApart tells whether standing up is an option of its own, because it
// leaves fewer attacks than staying down.
//
// spark.condition.prone, spark.action.no-full-attack-with-full-move
func standsApart(at *play.At, w *eventv1.SparkWeapon, throw bool) bool {
	if !Prone(at.State, at.Actor) {
		return false
	}
	ranged := throw || w.ReachFeet == 0
	need := needed(at.Actor, w, ranged)
	return attackLimit(at.Actor, w, ranged) > 1 && !(need != "" && staysDown(at.State, KindAttack, need))
}

// staysDown tells whether a bonus action leaves no standing up beside a deed.
//
// spark.action.bonus, spark.fumble.alt-ammo-accident
func staysDown(s *eventv1.State, kind, bonus string) bool {
	return strings.HasPrefix(bonus, "gather:") || takesAttack(kind) && body.Defaults.Value(s, body.SetBonusWithBoth) == "deny"
}

func attackName(at *play.At) string {
	title := at.Action.Title
	switch rising, throw := at.Truth("stand"), at.Truth("throw"); {
	case rising && throw:
		title = "Stand up and throw"
	case rising:
		title = "Stand up and attack"
	case throw:
		title = "Throw"
	}
	return title + withOff(at)
}

// withOff names the off-hand attack that an option is listed with; empty for none.
func withOff(at *play.At) string {
	switch {
	case !offHanded(at):
		return ""
	case at.Truth(UseCracked):
		return ", and attack with a cracked weapon in the off hand"
	}
	return ", and attack with the off hand"
}

func attackRule(at *play.At) string {
	if at.Truth("stand") {
		return body.RuleProne
	}
	return cite.ActionAttack
}

// besides is the title of a deed, with the off-hand attack that goes with it.
func besides(at *play.At) string {
	title := at.Action.Title
	if _, given := at.Number("dc"); given { // nothing else is listed with one
		title = "Bash a thing of a given DC"
	}
	return title + withOff(at)
}
