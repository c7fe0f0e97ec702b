// Command feed prints what happens in every encounter, as the feed tells it, and
// checks the chain of transcripts as it reads: docs/FEED.md. It needs nothing of Skald
// but the addresses and hashes that are written down there.
//
// It must never use a package of this repository: it shows what a stranger needs.
package main
