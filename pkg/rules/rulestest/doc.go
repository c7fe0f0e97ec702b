// Package rulestest is the test support of the rule systems: a table at which
// a fight is played by the rules of any [rules.System], with dice that the
// test names face by face, and a driver that plays fights at random.
//
// A [Table] carries out commands as the encounter service does (suspending at
// open decisions, running again with the answers, doing harm in a run of its
// own), without a service, a journal or a clock. Every face given must be
// rolled and every face rolled must be given, so that a test says exactly
// which dice a rule takes.
//
// What must hold in every system is checked after every command, whoever wrote
// the test: the events survive their encoding, folding them over the state
// before gives the state after, a refusal changes nothing, and running the
// command again from its recorded inputs gives the same events.
//
// It is for tests alone and is imported by nothing else. It must never name a
// rule system or know a rule: what is a system's own (sheets, settings,
// declarations) stays in that system's tests. It must never draw randomness
// or read the environment by itself; a test hands in what it needs of them.
package rulestest
