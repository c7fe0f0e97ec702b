// Package feed publishes the encounters of one stream of the record into the feed
// (pkg/feed), from what the projection holds: whatever happens to the feed, the
// record does not wait for it.
//
// It has no state that counts but the feed's own: where the messages of an encounter
// end says where to go on. It must never read a step as anybody but a spectator.
package feed
