package feed

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// passwordBytes of randomness are in a password that Password makes.
const passwordBytes = 24

// leastPassword is how long one must be that somebody else made, bytes.
const leastPassword = 12

// Password reads the password of readers from a file, or makes one there that its
// owner alone may read.
func Password(path string) (string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		raw := make([]byte, passwordBytes)
		rand.Read(raw) //nolint:errcheck // never fails
		made := base64.RawURLEncoding.EncodeToString(raw)
		if err := os.WriteFile(path, []byte(made+"\n"), 0o600); err != nil {
			return "", fmt.Errorf("feed: %w", err)
		}
		return made, nil
	}
	if err != nil {
		return "", fmt.Errorf("feed: %w", err)
	}
	password := strings.TrimRight(string(data), "\r\n")
	if len(password) < leastPassword || strings.ContainsAny(password, "\r\n") {
		return "", fmt.Errorf("feed: %s: want one line of at least %d bytes", path, leastPassword)
	}
	if strings.HasPrefix(password, "$2") { // NATS would take it for a digest
		return "", fmt.Errorf("feed: %s: a password may not begin with $2", path)
	}
	return password, nil
}
