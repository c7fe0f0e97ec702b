package library

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// ReadFolder reads the files of a pack's folder for sending them. Hidden files
// and folders are left out. Errors are those of the file system and limits.
func ReadFolder(dir fs.FS) ([]*encounterv1.PackFile, error) {
	var out []*encounterv1.PackFile
	size := 0
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch hidden := name != "." && strings.HasPrefix(path.Base(name), "."); {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden || !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if size += int(min(info.Size(), limits.PackFilesBytes+1)); size > limits.PackFilesBytes {
			return fault.Limit("bytes of a pack's files", limits.PackFilesBytes, int64(size))
		}
		if len(out) == limits.PackFiles {
			return fault.Limit("files of a pack", limits.PackFiles, limits.PackFiles+1)
		}
		data, err := fs.ReadFile(dir, name)
		out = append(out, &encounterv1.PackFile{Path: name, Content: data})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("library: reading a pack's folder: %w", err)
	}
	return out, nil
}

// Folder is the files of a request as a file system that is read only. What is
// wrong with their paths, and limits, are faults that name the field.
func Folder(files []*encounterv1.PackFile) (fs.FS, error) {
	if len(files) > limits.PackFiles {
		return nil, fault.Limit("files of a pack", limits.PackFiles, int64(len(files)))
	}
	out := folder{"": nil}
	size := 0
	for i, f := range files {
		field := fmt.Sprintf("files[%d].path", i)
		if size += len(f.Content); size > limits.PackFilesBytes {
			return nil, fault.Limit("bytes of a pack's files", limits.PackFilesBytes, int64(size))
		}
		if !fs.ValidPath(f.Path) || f.Path == "." || len(f.Path) > limits.TitleBytes {
			return nil, fault.Field(field, "%q is no path of a file in the folder", f.Path)
		}
		if _, twice := out[f.Path]; twice {
			return nil, fault.Field(field, "%q is there twice", f.Path)
		}
		out[f.Path] = &memFile{name: path.Base(f.Path), data: f.Content}
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if known, ok := out[dir]; ok && known != nil {
				return nil, fault.Field(field, "%q is a file and a folder", dir)
			}
			out[dir] = nil
		}
	}
	return out, nil
}

// folder is files by path; nil is a folder, "" the top.
type folder map[string]*memFile

// Open implements fs.FS.
func (d folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	key := strings.TrimPrefix(name, ".")
	f, ok := d[key]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case f == nil:
		return &opened{info: &memFile{name: path.Base(name), dir: true}, list: d.list(key)}, nil
	}
	return &opened{info: f, Reader: bytes.NewReader(f.data)}, nil
}

// list is what stands in a folder, by name.
func (d folder) list(key string) []fs.DirEntry {
	var out []fs.DirEntry
	// order-free: sorted below
	for name, f := range d {
		if parent := strings.TrimPrefix(path.Dir(name), "."); name == "" || parent != key {
			continue
		}
		if f == nil {
			f = &memFile{name: path.Base(name), dir: true}
		}
		out = append(out, fs.FileInfoToDirEntry(f))
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out
}

// memFile is a file, or what is known of a folder.
type memFile struct {
	name string
	dir  bool
	data []byte
}

// Name implements fs.FileInfo.
func (f *memFile) Name() string { return f.name }

// Size implements fs.FileInfo.
func (f *memFile) Size() int64 { return int64(len(f.data)) }

// Mode implements fs.FileInfo.
func (f *memFile) Mode() fs.FileMode {
	if f.dir {
		return fs.ModeDir | 0o500
	}
	return 0o400
}

// ModTime implements fs.FileInfo.
func (f *memFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (f *memFile) IsDir() bool { return f.dir }

// Sys implements fs.FileInfo.
func (f *memFile) Sys() any { return nil }

// opened is an open file or folder.
type opened struct {
	*bytes.Reader
	info *memFile
	list []fs.DirEntry
}

// Stat implements fs.File.
func (o *opened) Stat() (fs.FileInfo, error) { return o.info, nil }

// Read implements fs.File.
func (o *opened) Read(p []byte) (int, error) {
	if o.info.dir {
		return 0, &fs.PathError{Op: "read", Path: o.info.name, Err: fs.ErrInvalid}
	}
	return o.Reader.Read(p)
}

// Close implements fs.File.
func (o *opened) Close() error { return nil }

// ReadDir implements fs.ReadDirFile.
func (o *opened) ReadDir(n int) ([]fs.DirEntry, error) {
	if !o.info.dir {
		return nil, &fs.PathError{Op: "readdir", Path: o.info.name, Err: fs.ErrInvalid}
	}
	if n <= 0 {
		all := o.list
		o.list = nil
		return all, nil
	}
	if len(o.list) == 0 {
		return nil, io.EOF
	}
	some := o.list[:min(n, len(o.list))]
	o.list = o.list[len(some):]
	return some, nil
}
