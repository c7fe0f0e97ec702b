// Package archive keeps a second copy of every record of a stream outside NATS:
// plain append-only segments with checksums, in a folder or an object store, from
// which a stream can be made again.
//
// It must never run ahead of the log, never mix two logs, never drop a record that
// it holds, and never stop the server: where it can not write it says so and
// tries again. What is damaged is kept aside before it is made again.
package archive
