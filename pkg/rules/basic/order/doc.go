// Package order holds surprise, declarations, holding an action and opening
// doors.
//
// It must never carry a declared action out.
package order
