package oracle

// Blunder is what a critical fail of spark does, typed from the document's table of 2d4.
type Blunder struct {
	// Weapon is what becomes of the weapon: "", "broken", "cracked", "dropped", "chipped".
	Weapon string
	// Barred are the rounds after this one without an attack.
	Barred int
	// Self, Other and Target are the shares of damage in halves that the attacker, a
	// bystander and the target take: 1 is half, 2 full, 4 double.
	Self, Other, Target int
	// OwnDie is a d4 of damage to the attacker instead.
	OwnDie bool
	// Bump: into somebody, whose attack or magic of the round is ruined.
	Bump bool
	// Flies: 2d10 feet, in some direction.
	Flies bool
	// Injury that stays: "", "sprain", "wrist".
	Injury string
	// Missile is lost; String snaps.
	Missile, String bool
	// Open: the document does not say who is struck where there is one bystander and the
	// target: anybody in range at random.
	Open bool
}

var trip, drop, bump, flies = Blunder{Barred: 2}, Blunder{Weapon: "dropped"}, Blunder{Bump: true}, Blunder{Weapon: "dropped", Flies: true}

// Blunders are the rows of the table by weapon class, from a sum of 2 to one of 8.
var Blunders = map[string][7]Blunder{
	"M": {{Weapon: "broken"}, {Missile: true}, drop, {Open: true, Missile: true}, trip, {Missile: true}, {String: true}},
	"S": {{Weapon: "chipped"}, bump, drop, trip, bump, flies, {Weapon: "broken", Target: 4}},
	"B": {{OwnDie: true}, {OwnDie: true}, drop, bump, trip, {Weapon: "cracked"}, flies},
	"P": {trip, {Other: 1}, drop, {Other: 1}, drop, flies, {Other: 2}},
	"F": {{Barred: 1}, {Self: 1}, {Injury: "sprain"}, {Other: 1}, {Other: 2}, {Injury: "wrist"}, {Other: 2}},
}

// BlunderOf is the row of two four-sided dice.
func BlunderOf(class string, one, two int) Blunder { return Blunders[class][one+two-2] }

// Share is so many halves of damage, rounded down.
func Share(damage, halves int) int { return damage * halves / 2 }
