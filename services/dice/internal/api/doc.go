// Package api implements the dice service's calls: it checks requests, finds
// the faces through the ledger, and answers in the words of the contract.
//
// It returns plain errors and faults; pkg/rpc turns them into statuses. It must
// never answer with a face whose tape was not recorded first, and never with a
// seed that the ledger did not give out.
package api
