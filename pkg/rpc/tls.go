package rpc

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// TLSFiles names PEM files. The zero value means plain text.
type TLSFiles struct {
	// Cert and Key are the own certificate (chain) and key: required of a
	// server, a client certificate otherwise.
	Cert, Key string
	// CA are the authorities that the other side must be signed by. On a server
	// it asks every client for a certificate (mTLS); a client without it trusts
	// the system's roots.
	CA string
	// ServerName is what a client expects in the server's certificate; empty
	// means the host dialled.
	ServerName string
	// Enabled turns TLS on in a client that names no file.
	Enabled bool
}

// Server is the configuration for a server; nil when no file is named.
func (t TLSFiles) Server() (*tls.Config, error) {
	if t.Cert == "" && t.Key == "" && t.CA == "" && !t.Enabled {
		return nil, nil
	}
	if t.Cert == "" || t.Key == "" {
		return nil, errors.New("rpc: tls: a server needs both a certificate and a key file")
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS13}
	if err := t.pair(cfg); err != nil {
		return nil, err
	}
	if t.CA != "" {
		pool, err := t.pool()
		if err != nil {
			return nil, err
		}
		cfg.ClientCAs, cfg.ClientAuth = pool, tls.RequireAndVerifyClientCert
	}
	return cfg, nil
}

// Client is the configuration for a client; nil when TLS is off.
func (t TLSFiles) Client() (*tls.Config, error) {
	if t == (TLSFiles{}) {
		return nil, nil
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS13, ServerName: t.ServerName}
	if t.Cert != "" || t.Key != "" {
		if err := t.pair(cfg); err != nil {
			return nil, err
		}
	}
	if t.CA != "" {
		pool, err := t.pool()
		if err != nil {
			return nil, err
		}
		cfg.RootCAs = pool
	}
	return cfg, nil
}

func (t TLSFiles) pair(cfg *tls.Config) error {
	pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
	if err != nil {
		return fmt.Errorf("rpc: tls: certificate %s: %w", t.Cert, err)
	}
	cfg.Certificates = []tls.Certificate{pair}
	return nil
}

func (t TLSFiles) pool() (*x509.CertPool, error) {
	pem, err := os.ReadFile(t.CA)
	if err != nil {
		return nil, fmt.Errorf("rpc: tls: authorities: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("rpc: tls: authorities: no certificate in %s", t.CA)
	}
	return pool, nil
}
