package replica

// keptRequests is how many request ids a replica knows by itself at the least, when
// it has applied so many Commits.
const keptRequests = 512

// Request is what a request id led to.
type Request struct {
	// Digest of the request.
	Digest []byte
	// Version of its Commit.
	Version uint64
}

// Request finds what a request id led to (aggregate.RequestKey) among the Commits
// that were applied last. Where it is not among them, a Commit of a version up to
// before may hold it: a store tells.
func (r *Replica) Request(key string) (q Request, known bool, before uint64) {
	q, known = r.requests[key]
	return q, known, r.forgotten
}

// Begin sets the version at which the replica stands as a store gave it: it
// knows no request ids of Commits up to there.
func (r *Replica) Begin(version uint64) { r.Version, r.forgotten = version, version }

// Past says that the replica is one of the past, without the viewers' numbers: it has
// no transcripts, which go by these.
func (r *Replica) Past() {
	r.past = true
	// order-free: each is set by itself
	for _, v := range r.Views {
		v.Transcript = nil
	}
}

// request notes one, and forgets those of long ago when there are many.
func (r *Replica) request(key string, q Request) {
	r.requests[key] = q
	if len(r.requests) <= 2*keptRequests {
		return
	}
	// order-free: each is looked at by itself
	for k, q := range r.requests {
		if q.Version+keptRequests <= r.Version {
			delete(r.requests, k)
			r.forgotten = max(r.forgotten, q.Version)
		}
	}
}
