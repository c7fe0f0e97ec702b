// Package srd5e turns monster records in the JSON format of the public
// 5e-database project into sheets for the system "rcr". A record is part
// structure, part prose; where both say the same the prose is read too, since
// saving throws and conditions of an attack stand nowhere else.
//
// Records only name spells; what the best known do in a fight stands in a list
// of the importer's own.
//
// It never drops anything silently: each value of a record ends up on the
// sheet, agrees with one that does, or stands in the Report with the reason. It
// never invents what a record does not say, and it ships no records.
package srd5e
