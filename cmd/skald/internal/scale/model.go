package scale

import "math"

// Load is what the tables do.
type Load struct {
	// Tables that exist.
	Tables float64
	// Active is the share of them that play now.
	Active float64
	// PerMinute is how many commands an active table gives a minute.
	PerMinute float64
	// Subjects is how many subjects a table has by and by: an encounter and its
	// dice are two, a patient is one, its place is one.
	Subjects float64
}

// Costs are what was measured (docs/SCALE.md, docs/PERFORMANCE.md).
type Costs struct {
	// CommitBytes is what a command leaves on a stream: the Commit, its share of a
	// record of dice, and what NATS adds to each.
	CommitBytes float64
	// Records is how many messages a command leaves: the Commit and its share of
	// the records of dice.
	Records float64
	// StreamRate is how many guarded, synced messages one stream takes a second
	// from many writers, and NodeRate how many one server takes on many streams.
	StreamRate, NodeRate float64
	// SubjectBytes is the memory that NATS needs for a subject.
	SubjectBytes float64
	// FoldRate is how many records a second a process folds into its projection
	// when it does nothing else, and ServeRate how many commands it serves.
	FoldRate, ServeRate float64
}

// Plan is how it is to be run.
type Plan struct {
	// Replicas of each stream: 1 or 3.
	Replicas float64
	// Owners is how many processes of a service fold each stream.
	Owners float64
	// Busy is the share of a rate that is planned with: the rest is for peaks.
	Busy float64
	// NodeMemory is the memory of a NATS node for subjects, bytes.
	NodeMemory float64
}

// Needs are what comes out.
type Needs struct {
	// Commands and Records a second, over all.
	Commands, Records float64
	// Streams of the journal.
	Streams float64
	// Nodes of NATS, at least as many as replicas.
	Nodes float64
	// SubjectMemory of one node, bytes.
	SubjectMemory float64
	// LogPerDay of one node, bytes.
	LogPerDay float64
	// Processes of 2 cores of each service.
	Processes float64
	// Folding is the share of its time that one process folds.
	Folding float64
	// ReadAgain is how long an owner reads a stream of a month again, seconds.
	ReadAgain float64
}

const (
	day   = 24 * 60 * 60
	month = 30 * day
)

// Of computes what a load needs.
func Of(l Load, c Costs, p Plan) Needs {
	var n Needs
	n.Commands = l.Tables * l.Active * l.PerMinute / 60
	n.Records = n.Commands * c.Records
	subjects := l.Tables * l.Subjects
	byRate := n.Records * p.Replicas / (c.NodeRate * p.Busy) // each replica writes and syncs what the leader does
	byMemory := subjects * c.SubjectBytes * p.Replicas / p.NodeMemory
	n.Nodes = max(p.Replicas, math.Ceil(byRate), math.Ceil(byMemory))
	// A stream lies whole on each of its replicas: fewer would leave nodes empty.
	n.Streams = max(math.Ceil(n.Records/(c.StreamRate*p.Busy)), math.Ceil(n.Nodes/p.Replicas))
	n.SubjectMemory = subjects * c.SubjectBytes * p.Replicas / n.Nodes
	n.LogPerDay = n.Commands * c.CommitBytes * day * p.Replicas / n.Nodes
	// What a process has left from folding, it serves with.
	n.Processes = math.Ceil(n.Commands/(c.ServeRate*p.Busy) + n.Commands*p.Owners/(c.FoldRate*p.Busy))
	n.Processes = max(n.Processes, p.Owners)
	n.Folding = n.Commands * p.Owners / n.Processes / c.FoldRate
	n.ReadAgain = n.Commands / n.Streams * month / c.FoldRate
	return n
}

// Rate is how many messages a second a server takes on so many streams.
func Rate(c Costs, streams float64) float64 { return min(streams*c.StreamRate, c.NodeRate) }
