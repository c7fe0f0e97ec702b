// Command client plays a fight over gRPC as the back end of a table would: it
// creates an encounter from shipped sheets, watches it as a player, chooses
// from the options, answers decisions, amends a roll and ends the fight.
//
//	./skald up
//	go run ./cmd/skald/examples/client -system rcr -sheets fighter,orc
//
// It is an example to read and to copy from. It must use nothing but the
// contracts and packages that other modules can import.
package main
