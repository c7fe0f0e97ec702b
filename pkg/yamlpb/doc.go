// Package yamlpb reads YAML into messages of the contracts under their proto names
// (the lowerCamelCase names of protojson are read too) and reports every mistake
// with the path of its field and its line.
//
// It must never judge what a message says, nor fill in a value.
package yamlpb
