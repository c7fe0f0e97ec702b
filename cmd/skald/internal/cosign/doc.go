// Package cosign is a witness over a server's log: it asks for checkpoints, holds
// each against the last one that it saw, and signs those that extend it. (Package
// witness is another thing: what the files of a data folder say of its journal.)
//
// It must never sign two checkpoints of which one does not extend the other, and
// never forget the last one that it signed.
package cosign
