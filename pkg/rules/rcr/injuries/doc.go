// Package injuries holds harm, wounds, death and their treatment.
//
// It must never know whose turn it is.
package injuries
