// Package aggregate is the plumbing that the services share: how an encounter, a
// patient or the dice of either is named on the log, where its record stands,
// how a Commit is sealed and appended under its guard, what becomes of a lost
// race, how a broken record closes what it belongs to, who asks and under which
// request id, and how rows of a projection are written.
//
// A service brings what it decides and what it folds; everything between that and
// the log is here, once. It must never know a rule system, gRPC or what an
// aggregate means, and must never append without a guard.
package aggregate
