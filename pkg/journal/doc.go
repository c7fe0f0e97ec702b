// Package journal is the append-only log that every Skald service writes to and
// reads from: one JetStream stream, used through one small interface ([Log]).
//
// It appends under a guard (the stream sequence of the subject's last record),
// resolves lost acknowledgements by reading back, reads and tails without gap or
// duplicate, creates the stream with settings that can not lose history, and
// refuses to run on a stream whose settings have since been weakened. It also
// starts the embedded server of the all-in-one binary.
//
// What it must never do: look inside a record's bytes (payloads are opaque here,
// rules and protobuf live elsewhere), append without a guard, report success for
// a record that it has not seen acknowledged or read back, answer an outcome
// check from a replica that may lag, delete or rewrite history except by the
// explicit administrator's [Journal.Purge], or retry for ever.
//
// Durability. A record is durable when Append returns only if the server syncs
// each write. The embedded server does ([StartEmbedded]). An external server must
// be started with "sync_interval: always"; no API call tells whether it was, so
// that is a duty of the deployment and can not be checked here.
//
// Protection. Deny flags do not stop an administrator's credentials from
// changing or deleting the stream: only an administrator may be allowed to use
// $JS.API.STREAM.{CREATE,UPDATE,DELETE,PURGE,MSG.DELETE}.>, and only the owning
// services may publish on the stream's subjects. A publish without a guard by
// anybody else is stored all the same; it reaches readers as a [Record] whose ID
// may be empty, and they must verify the continuity of what they read.
package journal
