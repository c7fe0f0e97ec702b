package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MLight, of the encounter, is the light that it is fought in: sunlight, bright, dim or dark;
// bright where it is not said.
const MLight = "light"

// CondShining is on whoever carries or is a source of light: ValBright feet of bright
// light and ValDim feet more of dim light among its values.
const (
	CondShining = "shining"
	ValBright   = "bright-feet"
	ValDim      = "dim-feet"
)

// Words of what obscures besides the want of light.
const (
	ObscuredLight = "light"
	ObscuredHeavy = "heavy"
)

// shown is what a word of light is to the eyes: sunlight is bright.
func shown(word string) string {
	if word == LightSun {
		return LightBright
	}
	return word
}

// LightOn is the light that falls on a creature out of the water: as stated, else that
// of the fight or of the sources about it, whichever is brighter. Where nobody knows
// how far a source is, it lights its bearer alone.
//
// rcr.base.light
func LightOn(s *eventv1.State, c *eventv1.Creature, said WaterSaid) string {
	if said.Light != "" {
		return shown(said.Light)
	}
	light := shown(s.GetMarks()[MLight])
	if light == "" || light == LightBright {
		return LightBright
	}
	for _, id := range rules.SortedKeys(s.GetCreatures()) {
		lamp := Condition(s.Creatures[id], CondShining)
		if lamp == nil {
			continue
		}
		feet, known := int32(0), id == c.GetId()
		if !known {
			feet, known = Distance(s.Creatures[id], c)
		}
		switch bright := lamp.Values[ValBright]; {
		case !known:
		case feet <= bright:
			return LightBright
		case feet <= bright+lamp.Values[ValDim]:
			light = LightDim
		}
	}
	return light
}

// Apparent is what light so many feet away is to the eyes of a creature: darkvision
// within its range takes dim light for bright and the dark for dim, truesight needs
// none; feet below 0 when nobody knows how far.
//
// rcr.base.light
func Apparent(c *eventv1.Creature, light string, feet int32) string {
	senses := SheetOf(c).GetSenses()
	switch {
	case senses["truesight"] > 0 && senses["truesight"] >= feet:
		return LightBright
	case senses["darkvision"] <= 0 || senses["darkvision"] < feet:
		return light
	case light == LightDark:
		return LightDim
	}
	return LightBright
}

// lit tells whether light and what obscures let a creature see another. Under water
// other rules say so.
//
// rcr.base.light
func lit(s *eventv1.State, c, other *eventv1.Creature, feet int32, said WaterSaid) bool {
	if UnderWater(s, other, said) {
		return true
	}
	return said.Obscured != ObscuredHeavy && Apparent(c, LightOn(s, other, said), feet) != LightDark
}

// Turned is what is stated as it bears on the one that looks back: the light on the
// actor is its own where that is said.
func (w WaterSaid) Turned() WaterSaid {
	if w.OwnLight != "" {
		w.Light, w.OwnLight = w.OwnLight, w.Light
	}
	return w
}

// LookingAt is what is stated of a look at a creature, with the light that falls on it
// where none is said.
//
// rcr.base.light
func LookingAt(s *eventv1.State, looker, at *eventv1.Creature, said WaterSaid) WaterSaid {
	if said.Light == "" && !UnderWater(s, looker, said) && !UnderWater(s, at, said) {
		said.Light = LightOn(s, at, said)
	}
	return said
}

// HardToSee tells what a check by sight is made in out of the water: dim where it is
// hampered, dark where nothing is seen at all, bright elsewhere.
//
// rcr.base.light
func HardToSee(s *eventv1.State, c *eventv1.Creature, said WaterSaid) string {
	if UnderWater(s, c, said) {
		return LightBright
	}
	light := Apparent(c, LightOn(s, c, said), 0)
	switch said.Obscured {
	case ObscuredHeavy:
		return LightDark
	case ObscuredLight:
		return darker(light, LightDim)
	}
	return light
}
