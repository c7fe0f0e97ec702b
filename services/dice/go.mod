module github.com/skaldrpg/skald/services/dice

go 1.26.0

require (
	github.com/skaldrpg/skald/pkg v0.0.0
	github.com/skaldrpg/skald/proto v0.0.0
)

replace github.com/skaldrpg/skald/proto => ../../proto

replace github.com/skaldrpg/skald/pkg => ../../pkg
