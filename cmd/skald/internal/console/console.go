package console

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files are the files of the page, index.html at the top, and the shipped sheets of
// each rule system as sheets/SYSTEM.json.
func Files() (fs.FS, error) {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	return withSheets(page)
}
