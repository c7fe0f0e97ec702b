package allinone

import "github.com/nats-io/nats.go"

// FeedConn is the connection of the feed's writer.
func (s *Stack) FeedConn() *nats.Conn { return s.feed.conn }
