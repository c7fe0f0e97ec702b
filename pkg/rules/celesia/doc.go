// Package celesia is the rule system "celesia": Legends of Celesia, a d20 game
// in which a turn is three acts, reactions answer reactions, and a victim may
// take a crippling injury in place of damage.
//
// It owns what the rules with ids "celesia." say, as far as they are built.
// All state is in the encounter; the system itself holds nothing. The
// circumstances that give advantage or disadvantage and the crippling injuries
// are tables in the folder tables.
//
// What commands may say beyond their fixed fields is the table words.csv: for each
// action its parameters and facts, with types, values and whose matter they are;
// what is not in it is refused. Readying takes the words of the readied action
// beside its own. What no map shows the game master states as facts. Conditions
// whose names begin with "effect." are those of the table's own making: of their
// values acts, defense and dodge count. A circumstance of the kind "declined" says
// that the roller takes one die in place of the advantage that is left.
//
// Where an invisible creature stands and moves is told to those who control it,
// who hold it or whom it holds, and to its rider or mount; when it is seen again,
// to everyone. How well a creature hides (Stealth) its controllers alone are told.
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
