// Package celesia is the rule system "celesia": Legends of Celesia, a d20 game
// in which a turn is three acts, reactions answer reactions, and a victim may
// take a crippling injury in place of damage.
//
// It owns what the rules with ids "celesia." say, as far as they are built.
// All state is in the encounter; the system itself holds nothing. The
// circumstances that give advantage or disadvantage and the crippling injuries
// are tables in the folder tables.
//
// What no map shows the caller states as facts of an action: distance and feet;
// threatened_by, approaches, beside (whom a cleave can go on to) and bystanders
// (whom a reckless attack may hit), each a list of creature ids; into_melee,
// flanked, precision, difficult, dark, blocked, concealment ("total"),
// ability_damage, strenuous (a free action that costs a disabled creature a
// point) and deck. A creature comes in mounted with mounted_on or ridden_by. A
// circumstance of the kind "declined" says that the roller takes one die in place
// of the advantage that is left.
//
// An action of 2 or 3 acts is begun with a part of them by the parameter commit
// and goes on with finish-action; free actions alone come between. Readying takes
// the readied action's own targets, way and parameters beside its trigger; a
// trigger "stated" is set off by the game master with set-off. Before the fight
// the game master may call for reactive-check, whose parameter awareness settles
// who is surprised.
//
// It must never read a clock, draw randomness, start a goroutine, or know
// gRPC, NATS, bbolt or another rule system.
package celesia
