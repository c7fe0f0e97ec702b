package console

import (
	"encoding/json"
	"io/fs"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestFilesHaveThePageAndEverySheet(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(files, "index.html"); err != nil {
		t.Error(err)
	}
	folders, err := fs.ReadDir(sheets.FS, ".")
	if err != nil || len(folders) == 0 {
		t.Fatalf("sheets: %d folders, %v", len(folders), err)
	}
	for _, folder := range folders {
		data, err := fs.ReadFile(files, "sheets/"+folder.Name()+".json")
		if err != nil {
			t.Fatal(err)
		}
		var all []json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		if want := len(sheets.List(folder.Name())); len(all) != want {
			t.Errorf("%s: %d sheets, want %d", folder.Name(), len(all), want)
		}
		for _, one := range all {
			var s eventv1.Sheet
			if err := protojson.Unmarshal(one, &s); err != nil || s.Id == "" {
				t.Errorf("%s: %v: %s", folder.Name(), err, one)
			}
		}
	}
}
