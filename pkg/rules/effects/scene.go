package effects

import (
	"cel.dev/cel-go/cel"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/rules/grid"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// scene is what an expression sees: a contentv1.Scene whose parts are made when
// they are asked for.
type scene struct {
	book         *Book
	env          *Env
	self, source *eventv1.Creature
	base         int32
	beings       map[*eventv1.Creature]*contentv1.Being
	settings     map[string]string
}

var nobody = &contentv1.Being{}

// ResolveName gives a variable of an expression.
func (s *scene) ResolveName(name string) (any, bool) {
	switch name {
	case "self":
		return s.being(s.self), true
	case "actor":
		return s.being(s.env.Actor), true
	case "target":
		return s.being(s.env.Target), true
	case "source":
		return s.being(s.source), true
	case "weapon":
		w := s.env.Weapon
		return &contentv1.Arm{Name: w.Name, Use: w.Use, Tags: w.Tags}, true
	case "roll":
		r := s.env.Roll
		return &contentv1.Throw{Point: r.Point, Natural: int64(r.Natural), Total: int64(r.Total), Success: r.Success, Critical: r.Critical}, true
	case "distance":
		return s.distance(), true
	case "round":
		return int64(s.env.State.GetRound()), true
	case "settings":
		return s.inForce(), true
	case "damage_type":
		return s.env.DamageType, true
	case "damage":
		return int64(s.env.Damage), true
	case "spell":
		return s.env.Spell, true
	case "action":
		return s.env.Action, true
	case "base", "cost", "feet", "from":
		return int64(s.base), true
	}
	return nil, false
}

// Parent is none: a scene stands alone.
func (s *scene) Parent() cel.Activation { return nil }

func (s *scene) distance() int64 {
	switch {
	case s.env.Distance != 0:
		return max(-1, int64(s.env.Distance))
	default:
		return int64(apart(s.env.Actor, s.env.Target))
	}
}

// apart is how far two creatures are from each other in feet; -1 when that is
// not known.
func apart(a, b *eventv1.Creature) int32 {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return -1
	}
	return grid.Distance(a.Position, side(a.Size), b.Position, side(b.Size))
}

// side is the side in feet of the space of a creature by its size word.
func side(size string) int32 {
	switch size {
	case "large":
		return 10
	case "huge":
		return 15
	case "gargantuan":
		return 20
	case "colossal":
		return 30
	}
	return grid.Square
}

func (s *scene) inForce() map[string]string {
	if s.settings == nil {
		s.settings = make(map[string]string, len(s.book.base.Settings))
		// order-free: maps are copied into a map
		for id, value := range s.book.base.Settings {
			s.settings[id] = value
		}
		// order-free: as above
		for id, value := range s.book.settings {
			s.settings[id] = value
		}
		// order-free: as above
		for id, value := range s.env.State.GetSettings() {
			s.settings[id] = value
		}
	}
	return s.settings
}

func (s *scene) being(c *eventv1.Creature) *contentv1.Being {
	if c == nil {
		return nobody
	}
	b := s.beings[c]
	if b == nil {
		b = beingOf(c)
		if s.beings == nil {
			s.beings = map[*eventv1.Creature]*contentv1.Being{}
		}
		s.beings[c] = b
	}
	return b
}

// beingOf is a creature as expressions see it. Fields of the system's section
// count by their names, so that no system is known here.
func beingOf(c *eventv1.Creature) *contentv1.Being {
	b := &contentv1.Being{Id: c.Id, Name: c.Name, Side: c.Side, Size: c.Size, Hp: int64(c.GetHp()), HpMax: int64(c.GetHpMax()),
		HpTemp: int64(c.GetHpTemp()), Counters: c.Counters, Abilities: map[string]int64{}, Dead: c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD,
		Feats: featsOf(c.Sheet), Wears: c.Sheet.GetWears(), Spells: spellsOf(c.Sheet), Played: len(c.Controllers) > 0}
	// order-free: a map is copied into a map
	for name, score := range c.Sheet.GetAbilities() {
		b.Abilities[name] = int64(score)
	}
	for _, k := range c.Conditions {
		b.Conditions = append(b.Conditions, k.Name)
	}
	for _, k := range c.Injuries {
		b.Injuries = append(b.Injuries, k.Kind)
	}
	if m := section(c.Sheet); m != nil {
		b.Level = numberOf(m, "level", "hit_dice")
		b.Bonus = numberOf(m, "proficiency_bonus", "base_attack", "attack_bonus")
		if f := m.Descriptor().Fields().ByName("creature_type"); f != nil {
			b.Kind = m.Get(f).String()
		}
	}
	return b
}

// numberOf is the first of the fields that is there and is not 0.
func numberOf(m protoreflect.Message, names ...protoreflect.Name) int64 {
	for _, name := range names {
		if f := m.Descriptor().Fields().ByName(name); f != nil && f.Kind() == protoreflect.Int32Kind {
			if n := m.Get(f).Int(); n != 0 {
				return n
			}
		}
	}
	return 0
}

// section is the system's section of a sheet; nil when there is none.
func section(sheet *eventv1.Sheet) protoreflect.Message {
	if sheet == nil {
		return nil
	}
	m := sheet.ProtoReflect()
	f := m.WhichOneof(m.Descriptor().Oneofs().ByName("section"))
	if f == nil {
		return nil
	}
	return m.Get(f).Message()
}

// featsOf are the feats of a sheet: those of the common core, then feats,
// features, traits and tags of its section.
func featsOf(sheet *eventv1.Sheet) []string {
	m := section(sheet)
	if m == nil {
		return sheet.GetFeats()
	}
	out := sheet.Feats[:len(sheet.Feats):len(sheet.Feats)]
	for _, name := range []protoreflect.Name{"feats", "features", "traits", "tags"} {
		f := m.Descriptor().Fields().ByName(name)
		if f == nil {
			continue
		}
		list := m.Get(f).List()
		for i := range list.Len() {
			out = append(out, wordOf(f, list.Get(i)))
		}
	}
	return out
}

// spellsOf are the names of the spells of a sheet's section.
func spellsOf(sheet *eventv1.Sheet) []string {
	m := section(sheet)
	if m == nil {
		return nil
	}
	f := m.Descriptor().Fields().ByName("spells")
	if f == nil {
		return nil
	}
	var out []string
	list := m.Get(f).List()
	for i := range list.Len() {
		out = append(out, wordOf(f, list.Get(i)))
	}
	return out
}

// wordOf is a word, or the name of a message.
func wordOf(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	if f.Message() == nil {
		return v.String()
	}
	if name := f.Message().Fields().ByName("name"); name != nil {
		return v.Message().Get(name).String()
	}
	return ""
}

var _ proto.Message = (*contentv1.Scene)(nil)
