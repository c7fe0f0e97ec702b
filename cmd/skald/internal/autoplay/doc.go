// Package autoplay plays a fight by itself: whoever's turn it is attacks the
// nearest enemy that its options list, walks there when nobody is in reach, and
// every decision takes its default. It is for demonstrations and for load.
//
// It must never look at anything but what the server offers: what it does is
// what a front end could do.
package autoplay
