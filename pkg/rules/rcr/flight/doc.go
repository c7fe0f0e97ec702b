// Package flight holds the chapter of flight: what flying costs, hovering, dives,
// falls and their arrest, collisions, weather and loads, flight by magic, and the
// feats of flyers.
//
// It must never order a turn.
package flight
