// Package auth says who calls and what the caller may: bearer tokens and the
// keys that they are checked with ([Verifier]), the one table of methods and
// permissions, and the interceptors that hold every call against both and write
// into each request on whose behalf it really is ([Guard]). It also has the
// identity by which the services know each other ([ServiceKey]), which no caller's
// token can be, and makes keys and tokens ([NewKey], [Signer]).
//
// What it must never do: widen what a token says by what a request says, answer
// differently for things that exist and things that do not, accept an algorithm
// that the key was not made for, or log a token.
package auth
