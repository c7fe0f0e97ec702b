package console

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files are the files of the page, index.html at the top.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a name that is no path
		return dist
	}
	return files
}
