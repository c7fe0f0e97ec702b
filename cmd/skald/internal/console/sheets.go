package console

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/content/sheets"
)

// withSheets are the files of the page and, beside them, the shipped sheets of each
// rule system in one file, sheets/SYSTEM.json: a list of skald.event.v1.Sheet. Nothing
// about a rule system stands in the page itself.
func withSheets(page fs.FS) (fs.FS, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if err := w.AddFS(page); err != nil {
		return nil, fmt.Errorf("console: the page: %w", err)
	}
	folders, err := fs.ReadDir(sheets.FS, ".")
	if err != nil {
		return nil, fmt.Errorf("console: sheets: %w", err)
	}
	for _, folder := range folders {
		system := folder.Name()
		data, err := sheetsOf(system)
		if err != nil {
			return nil, err
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: "sheets/" + system + ".json", Method: zip.Store})
		if err != nil {
			return nil, fmt.Errorf("console: sheets of %s: %w", system, err)
		}
		if _, err := io.Copy(f, bytes.NewReader(data)); err != nil {
			return nil, fmt.Errorf("console: sheets of %s: %w", system, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("console: the page: %w", err)
	}
	return zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
}

// sheetsOf are the shipped sheets of a rule system, as JSON of the contracts.
func sheetsOf(system string) ([]byte, error) {
	all := []json.RawMessage{}
	for _, name := range sheets.List(system) {
		s, err := sheets.Get(system, name)
		if err != nil {
			return nil, fmt.Errorf("console: sheet %s of %s: %w", name, system, err)
		}
		data, err := protojson.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("console: sheet %s of %s: %w", name, system, err)
		}
		all = append(all, data)
	}
	return json.Marshal(all)
}
