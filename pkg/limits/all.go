package limits

// Limit is one limit as documentation lists it.
type Limit struct {
	// Group that it belongs to.
	Group string
	// Name is the constant's.
	Name string
	// Value in units.
	Value int64
	// Unit of the value.
	Unit string
	// What it bounds.
	What string
}

// All lists every limit, group by group.
func All() []Limit {
	return []Limit{
		{"Text that callers give", "IDBytes", IDBytes, "bytes", "id of an encounter, a table, a creature or a patient; word that rules keep by name"},
		{"Text that callers give", "NameBytes", NameBytes, "bytes", "name of a creature, a side, a player or a contributor"},
		{"Text that callers give", "LineBytes", LineBytes, "bytes", "reason, note, cause: any other text"},
		{"Text that callers give", "SaidBytes", SaidBytes, "bytes", "text among an action's parameters and facts"},
		{"Text that callers give", "TitleBytes", TitleBytes, "bytes", "title of an encounter"},
		{"Text that callers give", "RequestIDBytes", RequestIDBytes, "bytes", "request id"},
		{"Text that callers give", "TokenBytes", TokenBytes, "bytes", "token of a subject, id of a message on the stream"},
		{"Text that callers give", "LabelBytes", LabelBytes, "bytes", "label of a roll"},
		{"Messages", "StoredBytes", StoredBytes, "bytes", "one stored message (an amendment holds a whole history; an attack takes about 1.4 kB)"},
		{"Messages", "MessageBytes", MessageBytes, "bytes", "one gRPC message"},
		{"Messages", "CommandBytes", CommandBytes, "bytes", "one command"},
		{"Messages", "SheetBytes", SheetBytes, "bytes", "one sheet in YAML or JSON"},
		{"Messages", "ScenarioBytes", ScenarioBytes, "bytes", "one scenario file"},
		{"A fight", "Creatures", Creatures, "creatures", "creatures on one field"},
		{"A fight", "Controllers", Controllers, "names", "players who control a creature"},
		{"A fight", "CoordinateFeet", CoordinateFeet, "feet", "coordinate of a position, in either direction"},
		{"A fight", "PathPoints", PathPoints, "points", "points of the path of an action"},
		{"A fight", "Circumstances", Circumstances, "circumstances", "circumstances stated with an action"},
		{"A fight", "CommandFaces", CommandFaces, "faces", "faces given with a command"},
		{"A fight", "ActionEvents", ActionEvents, "events", "events of one action"},
		{"A fight", "DecisionSeconds", DecisionSeconds, "seconds", "time that a decision may wait before its default"},
		{"A fight", "EntropyGiven", EntropyGiven, "contributions", "contributions of entropy to a new encounter"},
		{"A fight", "DeedPatients", DeedPatients, "patients", "patients that one deed touches"},
		{"Dice", "DiceLength", DiceLength, "bytes", "dice notation"},
		{"Dice", "DiceDepth", DiceDepth, "levels", "nesting of an expression"},
		{"Dice", "DiceElements", DiceElements, "elements", "elements of a pool"},
		{"Dice", "DiceDice", DiceDice, "dice", "dice written in an expression"},
		{"Dice", "DiceSides", DiceSides, "sides", "sides of a die"},
		{"Dice", "DiceExplosions", DiceExplosions, "dice", "further dice that one die sets off by one modifier"},
		{"Dice", "DiceDraws", DiceDraws, "faces", "faces drawn by one evaluation"},
		{"Dice", "OddsWork", OddsWork, "word multiplications", "work of one computation of odds"},
		{"Dice", "OddsOneBytes", OddsOneBytes, "bytes", "memory of one computation of odds"},
		{"Dice", "OddsMemoryBytes", OddsMemoryBytes, "bytes", "memory of all computations of odds at a time (`--odds-memory` of skald-dice)"},
		{"Dice", "OddsWaitSeconds", OddsWaitSeconds, "seconds", "time that a computation waits for memory"},
		{"Dice", "OddsOutcomes", OddsOutcomes, "outcomes", "outcomes in one reply"},
		{"Dice", "DiceWorkPerSecond", DiceWorkPerSecond, "word multiplications a second", "work of the expressions of one principal (`--work` of skald-dice)"},
		{"Dice", "DiceWorkSavedSeconds", DiceWorkSavedSeconds, "seconds", "how much of that can be saved up"},
		{"Dice", "Branches", Branches, "branches", "branches of an epoch"},
		{"Dice", "EntropyMixed", EntropyMixed, "contributions", "contributions of entropy to an epoch"},
		{"Dice", "EntropyBytes", EntropyBytes, "bytes", "one contribution of entropy"},
		{"Dice", "VerifyRolls", VerifyRolls, "rolls", "rolls verified by one call"},
		{"Calls", "ConnectionStreams", ConnectionStreams, "streams", "streams (watches, exports) open on one connection"},
		{"Calls", "PrincipalStreams", PrincipalStreams, "streams", "streams open for one principal (`--streams`)"},
		{"Calls", "ServerStreams", ServerStreams, "streams", "streams open on a server (`--server-streams`)"},
		{"Calls", "ConnectionCalls", ConnectionCalls, "calls", "calls in flight on one connection"},
		{"Calls", "PrincipalCalls", PrincipalCalls, "calls", "calls in flight for one principal (`--calls`)"},
		{"Calls", "TransportStreams", TransportStreams, "streams", "HTTP/2 streams on one connection, beyond which a client waits"},
		{"Calls", "CommandsLeast", CommandsLeast, "commands", "commands under way at a time, however slow they are"},
		{"Calls", "CommandsStart", CommandsStart, "commands", "the same before anything is known of the machine"},
		{"Calls", "CommandsMost", CommandsMost, "commands", "the same however fast they are"},
		{"Calls", "CommandsEach", CommandsEach, "commands", "the same of one caller in one fight"},
		{"Calls", "CommandMillis", CommandMillis, "milliseconds", "median time of a command beyond which fewer are let in at a time"},
		{"Calls", "ReadsLeast", ReadsLeast, "calls", "histories, options, explanations and dry runs under way at a time"},
		{"Calls", "ReadsStart", ReadsStart, "calls", "the same before anything is known of the machine"},
		{"Calls", "ReadsMost", ReadsMost, "calls", "the same however fast they are"},
		{"Calls", "ReadMillis", ReadMillis, "milliseconds", "median time of these beyond which fewer are let in at a time"},
		{"Calls", "QueueMillis", QueueMillis, "milliseconds", "work that may wait to be let in, by the time that it takes to be done; four times that is the longest wait"},
		{"Calls", "RaceAttempts", RaceAttempts, "attempts", "attempts to decide a command whose append loses its race, before it is answered with LOST_RACE"},
		{"Calls", "PageDefault", PageDefault, "entries", "entries of a page that says nothing of its size"},
		{"Calls", "PageMost", PageMost, "entries", "entries of a page"},
		{"Calls", "PageBytes", PageBytes, "bytes", "steps of a page: what is left comes with the next"},
		{"Calls", "Consumers", Consumers, "consumers", "consumers of the stream (one for each process and a few for reads)"},
		{"Calls", "Streams", Streams, "streams", "streams of the journal, over which tables are spread"},
		{"Calls", "ScrubRecordsPerSecond", ScrubRecordsPerSecond, "records", "records that a scrub reads a second, of all replicas together (`--rate` of skald scrub)"},
		{"Calls", "ScrubFindings", ScrubFindings, "findings", "findings that one pass of a scrub lists"},
		{"Memory", "FightMemoryBytes", FightMemoryBytes, "bytes", "fights in memory (`--fight-memory`)"},
		{"Memory", "FoldMemoryBytes", FoldMemoryBytes, "bytes", "what a fold keeps of them when nothing is said"},
		{"Memory", "DiceMemoryBytes", DiceMemoryBytes, "bytes", "encounters' dice in memory"},
		{"Memory", "DiceEncounters", DiceEncounters, "encounters", "the same, counted"},
		{"Memory", "PlacesKept", PlacesKept, "tables", "entries of the directory of tables that a process keeps (about 100 bytes each)"},
		{"Memory", "OddsCacheBytes", OddsCacheBytes, "bytes", "computed odds that are kept (`--odds-cache` of skald-dice)"},
		{"Memory", "FreeRollsBytes", FreeRollsBytes, "bytes", "rolls outside fights that are kept by their request id"},
		{"Memory", "FreeRolls", FreeRolls, "rolls", "the same, counted"},
		{"Memory", "ExpressionsParsed", ExpressionsParsed, "expressions", "expressions that stay parsed"},
		{"Content", "Packs", Packs, "packs", "packs of an encounter"},
		{"Content", "PackBytes", PackBytes, "bytes", "one pack as it is stored"},
		{"Content", "PackFiles", PackFiles, "files", "files of a pack's folder"},
		{"Content", "PackFileBytes", PackFileBytes, "bytes", "one file of a pack"},
		{"Content", "PackEntries", PackEntries, "entries", "entries of one sort in a pack"},
		{"Content", "PackEffects", PackEffects, "effects", "effects of a pack"},
		{"Content", "PackCost", PackCost, "steps", "work of all expressions of a pack, as CEL counts it"},
		{"Content", "EffectsEach", EffectsEach, "effects", "effects of one entry"},
		{"Content", "EffectDepth", EffectDepth, "levels", "effects within effects"},
		{"Content", "ExpressionBytes", ExpressionBytes, "bytes", "one expression"},
		{"Content", "ExpressionCost", ExpressionCost, "steps", "work of one expression"},
		{"Content", "TableRows", TableRows, "rows", "rows of a table in a pack"},
	}
}
