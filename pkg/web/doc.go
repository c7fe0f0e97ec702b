// Package web answers browsers, and whoever speaks HTTP, for a server of package
// rpc: every method that the server has, over Connect and gRPC-Web, as JSON and as
// protobuf, unary and streaming ([Site]), and the page that such a browser shows
// ([Page]). There is one server behind both ways: what may be called, by whom and how
// often, what a text may hold and what is counted is decided there, once, whichever
// way a call came.
//
// What stands here is what only the web has: which page of which origin may call
// (a page on the internet must not drive a server on the reader's own machine), what
// goes into caches and what does not, and connections that stay open for hours
// through proxies.
//
// What it must never do: carry out a method by itself, answer a call that the server
// would refuse, take a token from anywhere but the header of a call, or let a
// connection stand that neither sends nor takes anything in its time.
package web
