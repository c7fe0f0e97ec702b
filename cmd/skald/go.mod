module github.com/skaldrpg/skald/cmd/skald

go 1.26.0

require (
	github.com/skaldrpg/skald/pkg v0.0.0
	github.com/skaldrpg/skald/proto v0.0.0
	github.com/skaldrpg/skald/services/dice v0.0.0
	github.com/skaldrpg/skald/services/encounter v0.0.0
	github.com/skaldrpg/skald/services/injury v0.0.0
)

replace github.com/skaldrpg/skald/proto => ../../proto

replace github.com/skaldrpg/skald/pkg => ../../pkg

replace github.com/skaldrpg/skald/services/dice => ../../services/dice

replace github.com/skaldrpg/skald/services/encounter => ../../services/encounter

replace github.com/skaldrpg/skald/services/injury => ../../services/injury
