// Package demo is `skald demo`: a fight that plays itself, and the proof that
// what was recorded of it holds. The fight is data, in fight.yaml.
//
// It must need nothing outside the program.
package demo
