package limits

// Text that callers give.
const (
	// IDBytes: id of an encounter, a table, a creature or a patient; word that rules keep by name, bytes.
	IDBytes = 64
	// NameBytes: name of a creature, a side, a player or a contributor, bytes.
	NameBytes = 128
	// LineBytes: reason, note, cause: any other text, bytes.
	LineBytes = 1000
	// SaidBytes: text among an action's parameters and facts, bytes.
	SaidBytes = 500
	// TitleBytes: title of an encounter, bytes.
	TitleBytes = 256
	// RequestIDBytes: request id, bytes.
	RequestIDBytes = 128
	// TokenBytes: token of a subject, id of a message on the stream, bytes.
	TokenBytes = 128
	// LabelBytes: label of a roll, bytes.
	LabelBytes = 256
)

// Messages.
const (
	// StoredBytes: one stored message (an amendment holds a whole history; an attack takes about 1.4 kB), bytes.
	StoredBytes = 8 << 20
	// MessageBytes: one gRPC message, bytes.
	MessageBytes = 9 << 20
	// CommandBytes: one command, bytes.
	CommandBytes = 256 << 10
	// SheetBytes: one sheet in YAML or JSON, bytes.
	SheetBytes = 1 << 20
	// ScenarioBytes: one scenario file, bytes.
	ScenarioBytes = 4 << 20
)

// A fight.
const (
	// Creatures: creatures on one field, creatures.
	Creatures = 200
	// SheetParts: parts of a number on a sheet, parts.
	SheetParts = 20
	// Controllers: players who control a creature, names.
	Controllers = 20
	// CoordinateFeet: coordinate of a position, in either direction, feet.
	CoordinateFeet = 100_000
	// PathPoints: points of the path of an action, points.
	PathPoints = 1000
	// OptionSquares: squares that an option lists as within reach, squares.
	OptionSquares = 400
	// OptionFilter: actions and groups that options are asked for, names.
	OptionFilter = 100
	// Circumstances: circumstances stated with an action, circumstances.
	Circumstances = 100
	// StandingOrders: standing orders of a creature with conditions, or of an encounter
	// for sides and monsters, orders.
	StandingOrders = 200
	// CommandFaces: faces given with a command, faces.
	CommandFaces = 4000
	// ActionEvents: events of one action, events.
	ActionEvents = 20_000
	// DecisionSeconds: time that a decision may wait before its default, seconds.
	DecisionSeconds = 604_800
	// ContestClaimBytes: what a contest claims as a change, bytes.
	ContestClaimBytes = 8 << 10
	// OpenContests: contests of one claimant that wait in an encounter, contests.
	OpenContests = 8
	// Contests: contests of one claimant in an encounter, contests.
	Contests = 500
	// TakenBack: commands that one take-back is about, commands.
	TakenBack = 50
	// SavePoints: save points of an encounter, names.
	SavePoints = 100
	// PreviewRuns: ways that the preview of a command follows, runs of the rules.
	PreviewRuns = 150
	// DeedPatients: patients that one deed touches, patients.
	DeedPatients = 20
)

// Dice.
const (
	// DiceLength: dice notation, bytes.
	DiceLength = 256
	// DiceDepth: nesting of an expression, levels.
	DiceDepth = 32
	// DiceElements: elements of a pool, elements.
	DiceElements = 64
	// DiceDice: dice written in an expression, dice.
	DiceDice = 2000
	// DiceSides: sides of a die, sides.
	DiceSides = 1_000_000
	// DiceExplosions: further dice that one die sets off by one modifier, dice.
	DiceExplosions = 100
	// DiceDraws: faces drawn by one evaluation, faces.
	DiceDraws = 20_000
	// OddsWork: work of one computation of odds, word multiplications.
	OddsWork = 1_000_000_000
	// OddsOneBytes: memory of one computation of odds, bytes.
	OddsOneBytes = 64 << 20
	// OddsMemoryBytes: memory of all computations of odds at a time (--odds-memory of skald-dice), bytes.
	OddsMemoryBytes = 128 << 20
	// OddsWaitSeconds: time that a computation waits for memory, seconds.
	OddsWaitSeconds = 5
	// OddsOutcomes: outcomes in one reply, outcomes.
	OddsOutcomes = 10_000
	// DiceWorkPerSecond: work of the expressions of one principal (--work of skald-dice), word multiplications a second.
	DiceWorkPerSecond = 200_000_000
	// DiceWorkSavedSeconds: how much of that can be saved up, seconds.
	DiceWorkSavedSeconds = 10
	// Branches: branches of an epoch, branches.
	Branches = 512
	// EntropyMixed: contributions of entropy to an epoch, contributions.
	EntropyMixed = 64
	// EntropyBytes: one contribution of entropy, bytes.
	EntropyBytes = 1024
	// VerifyRolls: rolls verified by one call, rolls.
	VerifyRolls = 10_000
)

// Calls.
const (
	// ConnectionStreams: streams (watches, exports) open on one connection, streams.
	ConnectionStreams = 200
	// PrincipalStreams: streams open for one principal (--streams), streams.
	PrincipalStreams = 200
	// ServerStreams: streams open on a server (--server-streams), streams.
	ServerStreams = 20_000
	// ConnectionCalls: calls in flight on one connection, calls.
	ConnectionCalls = 200
	// PrincipalCalls: calls in flight for one principal (--calls), calls.
	PrincipalCalls = 200
	// TransportStreams: HTTP/2 streams on one connection, beyond which a client waits, streams.
	TransportStreams = 1000
	// CommandsLeast: commands under way at a time, however slow they are, commands.
	CommandsLeast = 8
	// CommandsStart: the same before anything is known of the machine, commands.
	CommandsStart = 32
	// CommandsMost: the same however fast they are, commands.
	CommandsMost = 1024
	// CommandsEach: the same of one caller in one fight, commands.
	CommandsEach = 2
	// CommandMillis: median time of a command beyond which fewer are let in at a time, milliseconds.
	CommandMillis = 250
	// ReadsLeast: histories, options, explanations and dry runs under way at a time, calls.
	ReadsLeast = 4
	// ReadsStart: the same before anything is known of the machine, calls.
	ReadsStart = 16
	// ReadsMost: the same however fast they are, calls.
	ReadsMost = 256
	// ReadMillis: median time of these beyond which fewer are let in at a time, milliseconds.
	ReadMillis = 150
	// QueueMillis: work that may wait to be let in, by the time that it takes to be done; four times that is the longest wait, milliseconds.
	QueueMillis = 100
	// RaceAttempts: attempts to decide a command whose append loses its race, before it is answered with LOST_RACE, attempts.
	RaceAttempts = 24
	// PageDefault: entries of a page that says nothing of its size, entries.
	PageDefault = 100
	// PageMost: entries of a page, entries.
	PageMost = 1000
	// PageBytes: steps of a page: what is left comes with the next, bytes.
	PageBytes = 2 << 20
	// Consumers: consumers of the stream (one for each process and a few for reads), consumers.
	Consumers = 256
	// Streams: streams of the journal, over which tables are spread, streams.
	Streams = 64
	// ScrubRecordsPerSecond: records that a scrub reads a second, of all replicas together (`--rate` of skald scrub), records.
	ScrubRecordsPerSecond = 20_000
	// ScrubFindings: findings that one pass of a scrub lists, findings.
	ScrubFindings = 1000
)

// Memory.
const (
	// FightMemoryBytes: fights in memory (--fight-memory), bytes.
	FightMemoryBytes = 512 << 20
	// FoldMemoryBytes: what a fold keeps of them when nothing is said, bytes.
	FoldMemoryBytes = 64 << 20
	// InlineAmendmentBytes: new history of an amendment that stands in its Commit, and of
	// those of one ruling in records of patients together; a longer one stands on a
	// branch, bytes.
	InlineAmendmentBytes = 4 << 20
	// AmendmentBytes: new history of an amendment in one record, all parts of its branch
	// together, bytes.
	AmendmentBytes = 512 << 20
	// RulingRecords: fights and records of patients that one ruling is part of, records.
	RulingRecords = 500
	// RulingSteps: times that a ruling goes on from the records to a fight, steps.
	RulingSteps = 1000
	// PastMemoryBytes: states of the past that were asked for last, when nothing is said, bytes.
	PastMemoryBytes = 32 << 20
	// DiceMemoryBytes: encounters' dice in memory, bytes.
	DiceMemoryBytes = 64 << 20
	// DiceEncounters: the same, counted, encounters.
	DiceEncounters = 65_536
	// PlacesKept: entries of the directory of tables that a process keeps, tables.
	PlacesKept = 200_000
	// BookBytes: compiled books of packs that are kept, of each service, bytes.
	BookBytes = 64 << 20
	// OddsCacheBytes: computed odds that are kept (--odds-cache of skald-dice), bytes.
	OddsCacheBytes = 32 << 20
	// FreeRollsBytes: rolls outside fights that are kept by their request id, bytes.
	FreeRollsBytes = 32 << 20
	// FreeRolls: the same, counted, rolls.
	FreeRolls = 10_000
	// ExpressionsParsed: expressions that stay parsed, expressions.
	ExpressionsParsed = 1024
)

// Content.
const (
	// Packs: packs of an encounter, packs.
	Packs = 16
	// ImportBytes: one record that is imported, with its packs, bytes.
	ImportBytes = 128 << 20
	// RecordLineBytes: one line of an exported file, bytes.
	RecordLineBytes = 16 << 20
	// Imports: imports that are being given to a service at a time, imports.
	Imports = 4
	// PackBytes: one pack as it is stored, bytes.
	PackBytes = 4 << 20
	// PackFiles: files of a pack's folder, files.
	PackFiles = 1000
	// PackFileBytes: one file of a pack, bytes.
	PackFileBytes = 1 << 20
	// PackEntries: entries of one sort in a pack, entries.
	PackEntries = 2000
	// PackEffects: effects of a pack, effects.
	PackEffects = 10_000
	// PackCost: work of all expressions of a pack, steps.
	PackCost = 1_000_000
	// EffectsEach: effects of one entry, effects.
	EffectsEach = 50
	// ExpressionBytes: one expression, bytes.
	ExpressionBytes = 500
	// ExpressionCost: work of one expression, steps.
	ExpressionCost = 10_000
	// TableRows: rows of a table in a pack, rows.
	TableRows = 1000
	// PackFilesBytes: all files of a pack, bytes.
	PackFilesBytes = 6 << 20
	// PackProblems: problems of a pack that one answer lists, problems.
	PackProblems = 200
	// TablePacks: packs that a table keeps, packs.
	TablePacks = 500
	// TablePersons: names of persons that a table keeps, names.
	TablePersons = 1000
)

// The web.
const (
	// WebConnections: connections open on the web's listener, connections.
	WebConnections = 4096
	// WebHeaderBytes: header of a request, bytes.
	WebHeaderBytes = 32 << 10
	// WebHeaderSeconds: time for the header of a request, and for the first one of a connection to begin, seconds.
	WebHeaderSeconds = 10
	// WebBodySeconds: time for the body of a request, seconds.
	WebBodySeconds = 60
	// WebIdleSeconds: time of a connection between two requests, seconds.
	WebIdleSeconds = 120
	// WebWriteSeconds: time for taking the next 32 KiB of an answer, seconds.
	WebWriteSeconds = 30
)

// The feed.
const (
	// FeedMessageBytes: one message of the feed; a longer step is named without its body, bytes.
	FeedMessageBytes = 16 << 20
	// FeedConnections: connections of readers, connections.
	FeedConnections = 1000
	// FeedSubscriptions: subscriptions of one connection, subscriptions.
	FeedSubscriptions = 1000
	// FeedConsumers: consumers of the feed's stream, consumers.
	FeedConsumers = 1000
	// FeedPendingBytes: what waits for a reader that is slow, before it is cut off, bytes.
	FeedPendingBytes = 64 << 20
)
