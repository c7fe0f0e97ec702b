package attest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// DefaultName is that of a server's keys when none is given.
const DefaultName = "skald"

// endorseLine begins the note by which a key names the one after it.
const endorseLine = "skald/key/v1\n"

// ErrThere says that a file of keys need not be made anew: it signs.
var ErrThere = errors.New("attest: the file of keys is there and signs")

// ErrPermissions says that others than the owner can read a file of keys.
var ErrPermissions = errors.New("attest: others can read the file of keys")

// PublicKey is a key by which heads and checkpoints are, or were, signed.
type PublicKey struct {
	// Verifier as package note writes it.
	Verifier string
	// Current: the server signs by it now.
	Current bool
	// Endorsement is a note that names this key, signed by the key before it; empty
	// for the first.
	Endorsement string
}

// Endorsed checks that the key before signed the endorsement of a key. Errors wrap
// ErrBad.
func (k PublicKey) Endorsed(before note.Verifier) error {
	n, err := open(k.Endorsement, note.VerifierList(before))
	if err != nil {
		return err
	}
	if n.Text != endorseLine+k.Verifier+"\n" {
		return fmt.Errorf("%w: the note names another key", ErrBad)
	}
	return nil
}

// Verifiers of keys as a server lists them. Errors wrap ErrBad.
func Verifiers(keys ...string) (note.Verifiers, error) {
	var out []note.Verifier
	for _, k := range keys {
		v, err := note.NewVerifier(k)
		if err != nil {
			return nil, fmt.Errorf("%w: key %q: %v", ErrBad, k, err)
		}
		out = append(out, v)
	}
	return note.VerifierList(out...), nil
}

// Keys are a server's keys in a file that only its owner can read: a line each,
// oldest first, "retired VERIFIER" or "signs SIGNER VERIFIER", and after each but
// the first "endorsed BASE64". A file that is changed beside the running server is
// read again.
type Keys struct {
	path string

	mu     sync.Mutex
	stamp  string // of the file as read
	signer note.Signer
	keys   []PublicKey
}

// ReadKeys reads a file of keys. Errors may be fs.ErrNotExist, ErrBad or
// ErrPermissions.
func ReadKeys(path string) (*Keys, error) {
	k := &Keys{path: path}
	if err := k.read(); err != nil {
		return nil, err
	}
	return k, nil
}

// ParseKeys reads keys from the text of such a file. Errors wrap ErrBad.
func ParseKeys(text string) (*Keys, error) {
	signer, keys, err := parseKeys([]byte(text))
	if err != nil {
		return nil, err
	}
	return &Keys{signer: signer, keys: keys}, nil
}

// OpenKeys reads a file of keys; when there is none, it makes one with a key of the
// name, from random, and its folder. Errors may be ErrBad or ErrPermissions.
func OpenKeys(path, name string, random io.Reader) (*Keys, error) {
	k, err := ReadKeys(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	if err := begin(path, name, nil, random); err != nil && !errors.Is(err, fs.ErrExist) { // another process was first
		return nil, err
	}
	return ReadKeys(path)
}

// begin makes a file with a key of the name that no key before it endorses.
func begin(path, name string, retired []string, random io.Reader) error {
	signer, verifier, err := note.GenerateKey(random, name)
	if err != nil {
		return fmt.Errorf("attest: making a key: %w", err)
	}
	var b strings.Builder
	for _, v := range retired {
		b.WriteString("retired " + v + "\n")
	}
	b.WriteString("signs " + signer + " " + verifier + "\n")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("attest: writing keys: %w", err)
	}
	return create(path, b.String())
}

// Replace makes a file of keys anew when it is lost or can not be read: what was
// there is kept beside it. The verifiers of lost keys, as far as they are known,
// stay listed before the new one; none of them endorses it, which is how the break
// shows. It returns the new verifier. Errors wrap ErrBad for a verifier that is
// none, and ErrThere for a file that still signs.
func Replace(path, name string, lost []string, random io.Reader) (string, error) {
	if _, err := Verifiers(lost...); err != nil {
		return "", err
	}
	switch _, err := ReadKeys(path); {
	case err == nil:
		return "", fmt.Errorf("%w: %s", ErrThere, path)
	case errors.Is(err, ErrBad):
		if err := aside(path); err != nil {
			return "", err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err := begin(path, name, lost, random); err != nil {
		return "", err
	}
	k, err := ReadKeys(path)
	if err != nil {
		return "", err
	}
	return k.keys[len(k.keys)-1].Verifier, nil
}

// aside renames a file that can not be read, over nothing.
func aside(path string) error {
	for n := 1; ; n++ {
		to := fmt.Sprintf("%s.broken-%d", path, n)
		switch err := os.Link(path, to); {
		case errors.Is(err, fs.ErrExist):
		case err != nil:
			return fmt.Errorf("attest: keeping a file of keys: %w", err)
		default:
			return os.Remove(path)
		}
	}
}

// create writes a file that must not be there, whole or not at all.
func create(path, data string) error {
	tmp, err := whole(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(tmp) //nolint:errcheck // a leftover is no file of keys
	if err := os.Link(tmp, path); err != nil {
		return fmt.Errorf("attest: writing keys: %w", err)
	}
	return nil
}

// whole writes a file beside another, synced; CreateTemp gives it mode 0600.
func whole(path, data string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return "", fmt.Errorf("attest: writing keys: %w", err)
	}
	_, err = f.WriteString(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(f.Name()) //nolint:errcheck // the error that matters is the other
		return "", fmt.Errorf("attest: writing keys: %w", err)
	}
	return f.Name(), nil
}

// Rotate makes a new key in a file, under the name of the last, and retires that:
// it stays listed, and signs nothing but the new one's name. A running server takes
// it over by itself. It returns the new verifier.
func Rotate(path string, random io.Reader) (string, error) {
	k := &Keys{path: path}
	if err := k.read(); err != nil {
		return "", err
	}
	signer, verifier, err := note.GenerateKey(random, k.signer.Name())
	if err != nil {
		return "", fmt.Errorf("attest: making a key: %w", err)
	}
	endorsed, err := note.Sign(&note.Note{Text: endorseLine + verifier + "\n"}, k.signer)
	if err != nil {
		return "", fmt.Errorf("attest: endorsing a key: %w", err)
	}
	var b strings.Builder
	for i, old := range k.keys {
		k.line(&b, i, "retired "+old.Verifier)
	}
	k.keys = append(k.keys, PublicKey{Endorsement: string(endorsed)})
	k.line(&b, len(k.keys)-1, "signs "+signer+" "+verifier)
	tmp, err := whole(path, b.String())
	if err != nil {
		return "", err
	}
	if err := os.Rename(tmp, path); err != nil {
		return "", fmt.Errorf("attest: writing keys: %w", err)
	}
	return verifier, nil
}

func (k *Keys) line(b *strings.Builder, i int, line string) {
	b.WriteString(line + "\n")
	if e := k.keys[i].Endorsement; e != "" {
		b.WriteString("endorsed " + base64.StdEncoding.EncodeToString([]byte(e)) + "\n")
	}
}

// read reads the file, if they are of one, when it is another than the last time.
func (k *Keys) read() error {
	if k.path == "" {
		return nil
	}
	info, err := os.Stat(k.path)
	if err != nil {
		return fmt.Errorf("attest: reading keys: %w", err)
	}
	stamp := fmt.Sprint(info.Size(), info.ModTime().Format(time.RFC3339Nano))
	if stamp == k.stamp {
		return nil
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%w: %s has mode %o, want 600", ErrPermissions, k.path, info.Mode().Perm())
	}
	data, err := os.ReadFile(k.path)
	if err != nil {
		return fmt.Errorf("attest: reading keys: %w", err)
	}
	signer, keys, err := parseKeys(data)
	if err != nil {
		return fmt.Errorf("%w (%s)", err, k.path)
	}
	k.stamp, k.signer, k.keys = stamp, signer, keys
	return nil
}

func parseKeys(data []byte) (signer note.Signer, keys []PublicKey, err error) {
	s := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; s.Scan(); n++ {
		switch words := strings.Fields(s.Text()); {
		case len(words) == 0:
		case len(words) == 2 && words[0] == "retired":
			_, err = note.NewVerifier(words[1])
			keys = append(keys, PublicKey{Verifier: words[1]})
		case len(words) == 3 && words[0] == "signs" && signer == nil:
			signer, err = signs(words[1], words[2])
			keys = append(keys, PublicKey{Verifier: words[2], Current: true})
		case len(words) == 2 && words[0] == "endorsed" && len(keys) > 0:
			var e []byte
			e, err = base64.StdEncoding.DecodeString(words[1])
			keys[len(keys)-1].Endorsement = string(e)
			err = errors.Join(err, follows(keys))
		default:
			err = errors.New("not understood")
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%w: line %d of a file of keys: %v", ErrBad, n, err)
		}
	}
	if signer == nil {
		return nil, nil, fmt.Errorf("%w: a file of keys without one that signs", ErrBad)
	}
	return signer, keys, s.Err()
}

// signs reads both halves of a key, which must belong together.
func signs(private, verifier string) (note.Signer, error) {
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, err
	}
	v, err := note.NewVerifier(verifier)
	if err != nil {
		return nil, err
	}
	signed, err := note.Sign(&note.Note{Text: endorseLine}, signer)
	if err != nil {
		return nil, err
	}
	_, err = note.Open(signed, note.VerifierList(v))
	return signer, err
}

// follows checks that the last of keys is endorsed by the one before it.
func follows(keys []PublicKey) error {
	if len(keys) < 2 {
		return errors.New("an endorsement of the first key")
	}
	before, err := note.NewVerifier(keys[len(keys)-2].Verifier)
	if err != nil {
		return err
	}
	return keys[len(keys)-1].Endorsed(before)
}

// Sign signs a text, which ends with a newline.
func (k *Keys) Sign(text string) (string, error) {
	signer, _, err := k.now()
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return "", fmt.Errorf("attest: signing: %w", err)
	}
	return string(signed), nil
}

// Public lists the keys, the oldest first.
func (k *Keys) Public() ([]PublicKey, error) {
	_, keys, err := k.now()
	return keys, err
}

// Name is that of the server.
func (k *Keys) Name() (string, error) {
	signer, _, err := k.now()
	if err != nil {
		return "", err
	}
	return signer.Name(), nil
}

func (k *Keys) now() (note.Signer, []PublicKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(); err != nil && k.signer == nil {
		return nil, nil, err
	} // a file that is gone or half changed takes nothing from who runs
	return k.signer, append([]PublicKey(nil), k.keys...), nil
}

// Cosign adds a signature to a note whose own signatures were checked.
func (k *Keys) Cosign(n *note.Note) (string, error) {
	signer, _, err := k.now()
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(&note.Note{Text: n.Text, Sigs: n.Sigs}, signer)
	if err != nil {
		return "", fmt.Errorf("attest: cosigning: %w", err)
	}
	return string(signed), nil
}
