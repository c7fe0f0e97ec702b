// Package spark is the rule system "spark": a d20 system whose round has two
// halves. In the first everybody declares in secret and moves; in the second
// all d20s are thrown together and the effects follow in a computed order.
//
// # How a round runs
//
// The declaring phase makes every combatant that can act active. A declaration
// is begun for its creature's controllers alone; passing is EndTurn. The last
// declaration sets off the rest of the round within the same action:
// everything is revealed, moves are made in the order of declaring with the
// attacks they provoke, counterspells are announced, all d20s are thrown and
// the fumbles settled (throw.go), the effects are applied in order (slot.go),
// and the next declaring phase begins. What must be decided on the way is asked.
//
// A natural 1 on an attack goes to one of two tables: 2d4 by the weapon's class
// (fumble.go), or a d20 by the kind of weapon where the table of players has
// chosen the alternate one (alt.go, alt_gear.go, alt_body.go).
//
// What can be done is declared to the kernel in actions.go, with the words that are
// left in fields.go and ways.go; what judges a declaration stands in declare.go,
// aims.go and bonus.go. What situations give to rolls and what conditions mean are
// tables of the book (situations.go, conditions.go).
//
// All lasting state is in shared events: counters, marks, conditions, things begun
// and items named in names.go. Within the running round the plan is a value of type
// fray, made anew by each run.
//
// It must never read a clock, draw randomness, or import another rule system.
package spark
