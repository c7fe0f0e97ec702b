package tape

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
)

var (
	// ErrSealed is returned for sealed bytes that do not open: not a seal, for
	// another encounter, by another master key, or changed.
	ErrSealed = errors.New("tape: sealed root does not open")
	// ErrMaster rejects a master key without an id, or with one too long.
	ErrMaster = errors.New("tape: master key needs an id of 1 to 255 bytes")
)

// Master is the key that seals roots at rest. Its id is stored in the clear
// with what it sealed, so that keys can be rotated: to rotate, open with the
// old key and seal with the new.
type Master struct {
	ID  string // 1 to 255 bytes
	Key [32]byte
}

// String shows the id and hides the key (T5).
func (m Master) String() string { return m.ID + " " + hidden }

// GoString hides the key (T5).
func (m Master) GoString() string { return m.String() }

const sealVersion = 1

// Seal encrypts a root for storage with AES-256-GCM. The nonce is 12 bytes
// read from random, which must be a cryptographic source. The result is
//
//	version 1 (1 byte) || length of id (1 byte) || id || nonce || ciphertext and tag
//
// with str(domain) || str(encounter) || str(id) as associated data.
func Seal(master Master, root Root, encounter string, random io.Reader) ([]byte, error) {
	aead, err := master.aead()
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := io.ReadFull(random, nonce); err != nil {
		return nil, fmt.Errorf("tape: seal: nonce: %w", err)
	}
	out := append([]byte{sealVersion, byte(len(master.ID))}, master.ID...)
	out = append(out, nonce...)
	return aead.Seal(out, nonce, root[:], sealedFor(encounter, master.ID)), nil
}

// Unseal decrypts what Seal wrote for the encounter.
func Unseal(master Master, sealed []byte, encounter string) (Root, error) {
	aead, err := master.aead()
	if err != nil {
		return Root{}, err
	}
	id, err := SealedBy(sealed)
	if err != nil {
		return Root{}, err
	}
	if id != master.ID {
		return Root{}, fmt.Errorf("%w: sealed by key %q, not %q", ErrSealed, id, master.ID)
	}
	rest := sealed[2+len(id):]
	if len(rest) != aead.NonceSize()+len(Root{})+aead.Overhead() {
		return Root{}, fmt.Errorf("%w: %d bytes", ErrSealed, len(sealed))
	}
	nonce, text := rest[:aead.NonceSize()], rest[aead.NonceSize():]
	plain, err := aead.Open(nil, nonce, text, sealedFor(encounter, id))
	if err != nil {
		return Root{}, fmt.Errorf("%w: %w", ErrSealed, err)
	}
	return Root(plain), nil
}

// SealedBy returns the id of the master key that sealed a root.
func SealedBy(sealed []byte) (string, error) {
	if len(sealed) < 3 || sealed[0] != sealVersion || sealed[1] == 0 || len(sealed) < 2+int(sealed[1]) {
		return "", fmt.Errorf("%w: no seal of version %d", ErrSealed, sealVersion)
	}
	return string(sealed[2 : 2+int(sealed[1])]), nil
}

// sealedFor binds a seal to its encounter and key.
func sealedFor(encounter, id string) []byte {
	b := appendString(nil, domainSeal)
	b = appendString(b, encounter)
	return appendString(b, id)
}

// aead returns the cipher of the key.
func (m Master) aead() (cipher.AEAD, error) {
	if m.ID == "" || len(m.ID) > 255 {
		return nil, ErrMaster
	}
	block, err := aes.NewCipher(m.Key[:])
	if err != nil {
		return nil, fmt.Errorf("tape: seal: %w", err)
	}
	return cipher.NewGCM(block)
}
