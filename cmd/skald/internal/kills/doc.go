// Package kills tests what the suite promises when a process is killed in the
// middle of a step: its tests run the suite as a process of its own, kill that at
// every point of every kind of command, start it again on the same folder, and
// hold what it then says against a run that nobody disturbed. It holds no code of
// its own and must never be imported.
package kills
