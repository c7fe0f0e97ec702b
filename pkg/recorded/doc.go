// Package recorded holds fights as builds of the past stored them, and what
// every viewer knew at their end: today's folds are held to them by tests. Each
// set is named for the month whose build recorded it, and holds one file a rule
// system.
//
// A set is never changed once it is there. It must never be used outside tests
// and tools, and never know rules or folds: what it gives is bytes as stored.
package recorded
