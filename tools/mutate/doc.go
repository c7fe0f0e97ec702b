// Command mutate proves that the tests would notice: it changes the code at
// places that it draws, one change at a time, and says which changes no test
// finds. A change is a condition negated, one arm of a compound condition
// dropped, a comparison or a number moved, a call left out or a cell of a table
// changed. It works over the overlay of the go command: it must never write into
// the tree that it reads.
//
//	go run ./tools/mutate -n 40 -seed 7 pkg/rules/basic services/injury
//	go run ./tools/mutate -list pkg/rules/basic
//	go run ./tools/mutate -only pkg/rules/basic/strike/hit.go:41
//	go run ./tools/mutate -pinned
//	go run ./tools/mutate -survey -own pkg/rules/basic
//
// All that were drawn are woven into one build, in which an environment variable
// switches one on (weave.go, switch.go.txt); in which tests each would give another
// value is noted once, and only those are run, without the longer random play (-short). What
// cannot be woven in, and all of them with -apart, has its tests built anew.
//
// Tests are run from near to far until one fails: the package itself, its folder's
// neighbours, the second opinion on rcr, the rule systems, what the scenarios expect;
// then what only compares with what came out before, which are the digests of the
// scenarios and of the rules' own tests, and the recorded fights; then whoever imports it. What nothing but the
// second kind finds is told apart, as drifted: it is noticed, and no test says what
// the rule is. A change that would differ in none of them is told as unreached; it survives too. What survives
// and changes nothing that anybody could see is listed, with the reason, in
// equivalent.csv, and no longer counts. Changes that must be found, whatever is
// drawn, are listed in pinned.csv.
package main
