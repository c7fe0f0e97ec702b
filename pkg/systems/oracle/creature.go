package oracle

// Roll is a die of so many sides thrown; every face that a ruling takes comes
// through it, in the order in which people at a table would throw.
type Roll func(sides int) int

// Life of a creature.
type Life string

// What a creature's life can be.
const (
	Alive  Life = "alive"
	Dying  Life = "dying"
	Stable Life = "stable"
	Dead   Life = "dead"
)

// Defense is a resistance, an immunity or a vulnerability.
type Defense struct {
	// Type of damage.
	Type string
	// Nonmagical: magical attacks go past it.
	Nonmagical bool
}

// Creature is all that the oracle knows of one.
type Creature struct {
	// ID that sources of conditions name it by.
	ID string
	// Character falls and may be wounded; anything else is dead at 0.
	Character bool
	// Level of the character, 1 to 20.
	Level int
	// AC is the armour class.
	AC int
	// Shield in hand: nothing, "shield", "buckler", "arm guard".
	Shield string
	// HP, Max and Temp are hit points.
	HP, Max, Temp int
	// HitDie is the sides of its hit dice.
	HitDie int
	// Scores are the ability scores, SaveBonus total bonuses that differ from
	// them.
	Scores, SaveBonus map[string]int
	// Resist, Immune and Vulnerable by type of damage.
	Resist, Immune, Vulnerable []Defense
	// Exhaustion, Wounds, Successes and Failures are counts.
	Exhaustion, Wounds, Successes, Failures int
	// Life of it.
	Life Life
	// Conditions with the id of their source, empty where none matters.
	Conditions map[string]string
}

// Has tells whether it has a condition.
func (c *Creature) Has(name string) bool {
	_, ok := c.Conditions[name]
	return ok
}

// Modifier of an ability: half of what is above 10, rounded down.
func (c *Creature) Modifier(ability string) int {
	n := c.Scores[ability] - 10
	if n < 0 {
		return -((1 - n) / 2)
	}
	return n / 2
}

// incapacitated: can take neither actions nor reactions.
func (c *Creature) incapacitated() bool {
	for _, n := range []string{"incapacitated", "paralyzed", "petrified", "stunned", "unconscious", "helpless"} {
		if c.Has(n) {
			return true
		}
	}
	return c.Life != Alive
}

// stuck: its speed is 0.
func (c *Creature) stuck() bool {
	return c.Has("grappled") || c.Has("restrained") || c.incapacitated() && !c.Has("incapacitated")
}

// dodges: the dodge helps, as long as it is able and its speed is not 0.
func (c *Creature) dodges() bool { return c.Has("dodging") && !c.incapacitated() && !c.stuck() }

// lies: it is down at 0 hit points.
func (c *Creature) lies() bool { return c.Life == Dying || c.Life == Stable }

// cannotResist: Strength and Dexterity saving throws fail by themselves.
func (c *Creature) cannotResist() bool {
	for _, n := range []string{"paralyzed", "petrified", "stunned", "unconscious", "helpless"} {
		if c.Has(n) {
			return true
		}
	}
	return c.lies()
}
