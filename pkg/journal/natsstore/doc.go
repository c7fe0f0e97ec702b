// Package natsstore reads the folders in which a NATS server keeps its JetStream
// streams (nats-server 2.15: blocks of records, each with a highwayhash), says
// what is wrong with them by file and place, and hands over every record that is
// whole, also those behind a damaged place.
//
// It exists because the server itself cuts files and removes streams when it
// meets damage on opening them: what it must never meet is looked for here first.
//
// It must never write, create, rename or remove anything, trust the server's
// index (index.db), or hand over a record whose checksum it has not verified.
package natsstore
