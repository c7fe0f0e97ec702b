// Package shards spreads a service over the streams of the journal: which stream
// a table's calls go to, which streams this process folds, and which other
// process serves a table whose stream it does not fold.
//
// A shard is a service over one stream. It is opened when it is this process's
// work, or when a call needs it, and closed when it has been idle and is not its
// work. A call for a table that another process serves is handed on to it once;
// when none of those answers, the shard is opened here and the call served.
//
// What it must never do: be needed for correctness. Two processes may serve one
// table at the same time, since the guard on each subject decides who wins.
// It must not hand on a call that was handed on to it, and never look into a
// call beyond its table.
package shards
