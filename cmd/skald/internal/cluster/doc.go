// Package cluster runs the suite as it runs on several machines, and breaks it:
// three NATS servers and two of each service as processes of their own with real
// files, from the configuration of the repository, every link between NATS
// servers and from a service to NATS through a proxy that can cut, hold or delay
// it. Clients fight meanwhile; afterwards everything that was acknowledged must be
// there once. docs/CLUSTER.md says what is checked, and has figures.
//
// It is for tests alone, needs no network, and must never be imported by anything
// that runs. It works on Linux only.
package cluster
