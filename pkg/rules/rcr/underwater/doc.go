// Package underwater holds the chapter on fights under water: what water the fight
// is in, who is under it, breath, spells spoken there, dives from above, and the
// swimming that tires. What water gives to rolls stands with the other situations
// of the book, what it does to sight and fire in body and injuries.
//
// It must never deal damage or order a turn.
package underwater
