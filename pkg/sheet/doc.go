// Package sheet reads and writes creature sheets as YAML or JSON. The fields
// are those of skald.event.v1.Sheet under their proto names (snake_case; the
// lowerCamelCase names of protojson are read too), so the contract is the one
// description of the format. Every mistake in a document is reported with the
// path of its field and its line.
//
// It never judges what a sheet says: whether numbers make sense is for the rule
// system that the sheet is played under. It never fills in a value either.
package sheet
