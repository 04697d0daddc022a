package fakeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxBody bounds a request. The largest ones seen are compactions of a few
// hundred kilobytes.
const maxBody = 64 << 20

// Server is a running stand-in. All methods may be called while it serves.
type Server struct {
	url  string
	http *http.Server

	mu         sync.Mutex
	script     Script
	turn       int
	agentTurns map[string]int
	requests   []Request
	faults     []string
	messages   int
}

// Start serves a script on a free port of loopback until Close.
func Start(script Script) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	s := &Server{url: "http://" + listener.Addr().String()}
	s.Play(script)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.answer)
	mux.HandleFunc("POST /v1/messages/count_tokens", s.countTokens)
	mux.HandleFunc("/", s.anythingElse)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go s.http.Serve(listener) // ends with Close
	return s, nil
}

// URL is the base address, without a final slash.
func (s *Server) URL() string { return s.url }

// Close stops serving. Answers under way are cut off after a second.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}

// Play starts a script from its first turn, in the middle of a session too.
// What was recorded stays.
func (s *Server) Play(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.turn, s.agentTurns = script, 0, make(map[string]int)
}

// Requests gives the recorded requests of one kind, oldest first.
func (s *Server) Requests(kind Kind) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Request
	for _, r := range s.requests {
		if r.Kind == kind {
			found = append(found, r)
		}
	}
	return found
}

// All gives every recorded request, oldest first.
func (s *Server) All() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Faults says what went past the script: requests that nothing was scripted
// for, bodies that could not be read, answers that could not be sent.
func (s *Server) Faults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.faults...)
}

// take records a request and chooses its answer.
func (s *Server) take(body []byte) (Request, Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := parse(body, s.script.Agents)
	if err != nil {
		s.faults = append(s.faults, fmt.Sprintf("a request that cannot be read: %v", err))
		return r, Turn{}, err
	}
	s.requests = append(s.requests, r)
	switch r.Kind {
	case Side:
		return r, Turn{Text: sideAnswer}, nil
	case Compaction:
		summary := s.script.Summary
		if summary.Text == "" {
			summary.Text = DefaultSummary
		}
		return r, summary, nil
	case Agent:
		n := s.agentTurns[r.Key]
		s.agentTurns[r.Key]++
		return r, s.next(s.script.Agents[r.Key], n, "subagent "+r.Key), nil
	default:
		n := s.turn
		s.turn++
		return r, s.next(s.script.Turns, n, "the main conversation"), nil
	}
}

func (s *Server) next(turns []Turn, n int, whose string) Turn {
	if n < len(turns) {
		return turns[n]
	}
	s.faults = append(s.faults, fmt.Sprintf("request %d of %s, and only %d are scripted", n+1, whose, len(turns)))
	return Turn{Text: Unscripted}
}

func (s *Server) answer(w http.ResponseWriter, hr *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, maxBody))
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	r, turn, err := s.take(body)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	select {
	case <-time.After(turn.Delay):
	case <-hr.Context().Done(): // interrupted, or the server closes
		return
	}
	if turn.Status != 0 && turn.Status != http.StatusOK {
		writeError(w, turn.Status, turn.Text)
		return
	}
	m, err := newMessage(s.nextID(), r.Model, turn)
	if err != nil {
		s.fault(err.Error())
		writeError(w, http.StatusInternalServerError, err.Error())
		return
	}
	if !r.stream {
		writeJSON(w, http.StatusOK, m)
		return
	}
	if err := m.stream(w); err != nil {
		s.fault(fmt.Sprintf("stream an answer: %v", err))
	}
}

func (s *Server) fault(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, what)
}

func (s *Server) nextID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages++
	return s.messages
}

// countTokens answers with the usual rule of thumb.
func (s *Server) countTokens(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	writeJSON(w, http.StatusOK, map[string]int64{"input_tokens": n / 4})
}

// anythingElse keeps the client content: it probes the address and would
// fetch settings and flags.
func (s *Server) anythingElse(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, struct{}{})
}

func writeError(w http.ResponseWriter, status int, message string) {
	kind := "api_error"
	if status == http.StatusBadRequest {
		kind = "invalid_request_error"
	}
	writeJSON(w, status, map[string]any{
		"type":  "error",
		"error": map[string]string{"type": kind, "message": message},
	})
}

// writeJSON ignores a client that has gone: there is nobody left to tell.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
