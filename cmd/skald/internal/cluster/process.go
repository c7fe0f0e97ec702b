//go:build linux

package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Process is a program that is started, killed, stopped and started again.
type Process struct {
	// Name of it, and of its log.
	Name string

	path string
	args []string
	env  []string
	log  string

	mu    sync.Mutex
	cmd   *exec.Cmd
	ended chan struct{}
}

// Start starts it; its output is appended to its log.
func (p *Process) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()                                                         //nolint:errcheck // the process has its own
	fmt.Fprintf(out, "=== started %s\n", time.Now().Format(time.RFC3339Nano)) //nolint:errcheck // only for people
	cmd := exec.Command(p.path, p.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), p.env...), out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // none outlives the test
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cluster: starting %s: %w", p.Name, err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }() //nolint:errcheck // ends with the process; how it ended is in its log
	p.cmd, p.ended = cmd, ended
	return nil
}

// Running tells whether it runs.
func (p *Process) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Signal sends a signal to it, if it runs.
func (p *Process) Signal(s syscall.Signal) {
	if p.Running() {
		p.cmd.Process.Signal(s) //nolint:errcheck // it may be gone
	}
}

// Kill ends it as a power cut would for the process, and waits.
func (p *Process) Kill() { p.end(syscall.SIGKILL) }

// Terminate asks it to end, and waits; after 20 s it is killed.
func (p *Process) Terminate() { p.end(syscall.SIGTERM) }

func (p *Process) end(s syscall.Signal) {
	p.Signal(s)
	p.mu.Lock()
	ended := p.ended
	p.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		p.Signal(syscall.SIGKILL)
		<-ended
	}
}
