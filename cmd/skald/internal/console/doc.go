// Package console holds the page that `skald up` serves to browsers: built files, as
// they are sent.
//
// What it must never do: hold anything but what may be public, or need more than Go
// to be built into the program.
package console
