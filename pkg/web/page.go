package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Page serves the files of a built page: index.html for every path that is a place
// in the page, the files for themselves.
type Page struct {
	index *file
	files map[string]*file
}

// file is one file of the page with the forms in which it is sent.
type file struct {
	name, kind string
	forever    bool // its name changes with its content
	plain      form
	brotli     form // as it was built; empty when it was not
	gzip       func() form
}

// form is what is sent, with what names it.
type form struct {
	data []byte
	etag string
}

// index is the file that stands for the page.
const index = "index.html"

// hashed are names that change with the content, as Vite and others make them.
var hashed = regexp.MustCompile(`[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$`)

// NewPage reads the files of a page. base is the path below which browsers find it,
// with a slash at both ends; index.html is told by a <base> element.
func NewPage(files fs.FS, base string) (*Page, error) {
	p := &Page{files: map[string]*file{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if name == index {
			data = withBase(data, base)
		}
		p.files[name] = newFile(name, data)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("web: page: %w", err)
	}
	for name, f := range p.files { // order-free: each stands for itself
		if name == index { // what was built has no base
			continue
		}
		if built := p.files[name+".br"]; built != nil {
			f.brotli = built.plain
		}
		if built := p.files[name+".gz"]; built != nil {
			f.gzip = func() form { return built.plain }
		}
	}
	for name := range p.files { // order-free: each stands for itself
		if strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz") {
			delete(p.files, name)
		}
	}
	if p.index = p.files[index]; p.index == nil {
		return nil, errors.New("web: page: there is no " + index)
	}
	return p, nil
}

func newFile(name string, data []byte) *file {
	f := &file{name: name, kind: mime.TypeByExtension(path.Ext(name)), forever: name != index && hashed.MatchString(name), plain: newForm(data)}
	switch path.Ext(name) { // the same everywhere, whatever the machine's tables say
	case ".js", ".mjs":
		f.kind = "text/javascript; charset=utf-8"
	case ".webmanifest":
		f.kind = "application/manifest+json"
	case ".map":
		f.kind = "application/json"
	case "":
		f.kind = "text/plain; charset=utf-8"
	}
	f.gzip = sync.OnceValue(func() form {
		if !f.compresses() {
			return form{}
		}
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) //nolint:errcheck // the level exists
		w.Write(data)                                           //nolint:errcheck // a buffer takes everything
		w.Close()                                               //nolint:errcheck // as above
		if out.Len() >= len(data) {
			return form{}
		}
		return newForm(out.Bytes())
	})
	return f
}

func newForm(data []byte) form {
	sum := sha256.Sum256(data)
	return form{data, `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`}
}

// compresses tells whether a file is worth it.
func (f *file) compresses() bool {
	if len(f.plain.data) < minCompress {
		return false
	}
	kind, _, _ := strings.Cut(f.kind, ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "+xml") || kind == "application/wasm"
}

// baseElement is the element that says where relative addresses begin.
var baseElement = regexp.MustCompile(`(?i)<base\b[^>]*>`)

// withBase puts the base into a page.
func withBase(page []byte, base string) []byte {
	element := []byte(`<base href="` + html.EscapeString(base) + `">`)
	if at := baseElement.FindIndex(page); at != nil {
		return bytes.Join([][]byte{page[:at[0]], page[at[1]:]}, element)
	}
	if head := regexp.MustCompile(`(?i)<head\b[^>]*>`).FindIndex(page); head != nil {
		return bytes.Join([][]byte{page[:head[1]], page[head[1]:]}, element)
	}
	return append(element, page...)
}

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET and HEAD here; calls go to /SERVICE/METHOD.", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	f := p.files[name]
	if f == nil && (name == "" || isPlace(r)) {
		f = p.index
	}
	if f == nil {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "There is nothing here.", http.StatusNotFound)
		return
	}
	f.serve(w, r)
}

// isPlace tells whether a path may be a place in the page: a person's browser asks for
// it, as for a page.
func isPlace(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") && !strings.HasPrefix(r.URL.Path, "/assets/")
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	sent := f.plain
	if f.brotli.data != nil && accepts(r, "br") {
		h.Set("Content-Encoding", "br")
		sent = f.brotli
	} else if packed := f.gzip(); packed.data != nil && accepts(r, "gzip") {
		h.Set("Content-Encoding", "gzip")
		sent = packed
	}
	h.Set("ETag", sent.etag)
	http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(sent.data))
}

// accepts tells whether a request takes an encoding.
func accepts(r *http.Request, encoding string) bool {
	for one := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, quality, _ := strings.Cut(one, ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			q := strings.ReplaceAll(quality, " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}
