package engine

// FollowAlong is what a ruling does with the fights that it reached.
var FollowAlong = (*Engine).followAlong
