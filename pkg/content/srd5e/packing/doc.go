// Package packing makes a pack for rcr of the equipment, conditions and spells of
// the System Reference Document 5.1, in the JSON format of the public 5e-database
// project: weapons, armour, conditions, and those spells whose data are
// structured.
//
// It never drops anything silently: what an entry cannot express stands in the
// pack's REPORT.md with the reason. It never invents what a record does not say.
package packing
