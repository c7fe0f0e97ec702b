package api

// Feeds is how many audiences there are.
func (s *Server) Feeds() int {
	s.feeds.mu.Lock()
	defer s.feeds.mu.Unlock()
	return len(s.feeds.of)
}

// Kept is how many rulings are kept.
func (r *Rulings) Kept() int { return r.shelf.Held().Values }
