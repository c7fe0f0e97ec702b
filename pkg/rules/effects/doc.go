// Package effects carries out what content does: feats, worn and held things,
// conditions, injuries and house rules have typed effects (skald.content.v1),
// which are compiled once into a [Book] and asked for by the rule systems at
// their hook points.
//
// A rule system says what it carries out ([Support]); content that wants more is
// refused when it is checked, so that no effect is passed over in silence. Every
// answer names the rule that it comes from ([Cite]), for the events.
//
// Invariants:
//
//   - I1: a Book is a function of its packs and its base; asking it changes
//     nothing, and the same question has the same answer in the same order.
//   - I2: a nil Book, and one without effects of the kind that is asked for,
//     answers nothing and allocates nothing.
//   - I3: expressions see a [contentv1.Scene] and nothing else: no clock, no
//     files, no regular expressions, no floating point; what they may cost is
//     bounded when they are compiled and again when they run.
//
// It must never know a rule system, emit an event or roll dice: what an answer
// means is the system's to carry out. It must not know gRPC, NATS or bbolt.
package effects
