// Package rpctest is for tests of services that hand messages to each other directly
// ([rpc.Direct]): it runs a package's tests over both ways ([Main]), connects as the way
// says ([Dial]), and shows that nobody writes into what was handed over ([Witness]).
//
// It must never be part of a program.
package rpctest
