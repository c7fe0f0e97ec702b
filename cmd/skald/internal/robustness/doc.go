// Package robustness tests what the suite promises when things go wrong: its
// tests kill a real process of the suite while it works, and play every rule
// system at random over the public API. It holds no code of its own and must
// never be imported.
package robustness
