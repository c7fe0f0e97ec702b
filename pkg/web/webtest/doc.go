// Package webtest calls a server as a browser's client does, for tests: a connection
// over Connect or gRPC-Web that the generated clients of gRPC can use, so that one test
// runs over every way.
//
// What it must never do: be part of a program.
package webtest
