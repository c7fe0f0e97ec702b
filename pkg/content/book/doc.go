// Package book reads the files of one rule book: rules.yaml and the tables under
// tables/. Each table is there once; what decides by it and what prints it read
// the same file.
//
// It must never interpret what it reads, and it reads nothing but the files
// that it was made of.
package book
