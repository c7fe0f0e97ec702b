// Package recheck is what deciding a record again needs, whatever the record is of:
// dice that are those of the record, and comparing what was decided with what is on
// record, field by field.
//
// It must never decide anything, and knows no service.
package recheck
