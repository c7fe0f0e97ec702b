// Command errordetails writes the contracts of google.rpc's error details, as this
// module links them, as a set of descriptors to standard output: generators of other
// languages take them from there, and no copy of the .proto files is kept. It must
// never write any other contract.
package main
