package web

import "net/http"

// ServerOf is what a site serves by.
func ServerOf(s *Site) *http.Server { return s.server() }
