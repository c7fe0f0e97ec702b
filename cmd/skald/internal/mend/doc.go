// Package mend makes a journal whole again from every copy of its records: the
// blocks themselves, the archive, the projections, the folders of other servers.
//
// It builds a new journal beside the old one, with every record at its own
// sequence, reads it back, and puts it in the old one's place, which is kept.
// What no copy has is reported, sequence by sequence.
//
// It must never change or remove what it found, choose between two copies without
// saying so, or fill a place with anything but a record that some copy holds or a
// mark that says that it is lost.
package mend
