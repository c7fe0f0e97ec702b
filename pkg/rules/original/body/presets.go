package body

import (
	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Presets are the names that the document gives to settings.
var Presets = toggles.NewPresets(Settings, content.Book().File)
