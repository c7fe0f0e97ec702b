// Package mounts decides mounted combat: who rides what and who has control, how a
// rider and its mount share a turn, what may be ordered of a mount, what throws a
// rider, saddles, and the training of mounts.
//
// Who rides is a relation of whoever sits on a mount (body.RelRides). The chapters
// below tell of damage, falls and thrusts by body.Befall; nothing below may import
// this package. It must never move the turn on: the system's package does.
package mounts
