// A receiver for Earshot webhooks in Go, without dependencies.
//
//	VERIFY_TOKEN=… SIGNING_SECRET=… go run receiver.go
//
// It listens on http://127.0.0.1:8787/webhook (PORT changes that), answers the verification request, and prints
// every event with a valid signature. Without SIGNING_SECRET it accepts every request: use that only for testing.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

// Events have at most 300 KiB; anything larger than this is not from Earshot.
const maxBytes = 1024 * 1024

var (
	verifyToken   = os.Getenv("VERIFY_TOKEN")
	signingSecret = os.Getenv("SIGNING_SECRET")
	// Processed events. Keep them in your database: an event can arrive twice, even after a restart.
	seen sync.Map
)

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8787"
	}
	http.HandleFunc("/webhook", func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			confirm(w, r)
		case http.MethodPost:
			receive(w, r)
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://127.0.0.1:%s/webhook\n", port)
	log.Fatal(http.Serve(listener, nil))
}

// The verification request: the bare challenge as the body means yes.
func confirm(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if query.Get("hub.mode") != "subscribe" || !isSame(query.Get("hub.verify_token"), verifyToken) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, query.Get("hub.challenge"))
	fmt.Println("confirmed")
}

type envelope struct {
	Event string `json:"event"`
	Data  any    `json:"data"`
}

func receive(w http.ResponseWriter, r *http.Request) {
	// The signature is over these bytes: check it before they are parsed.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if !isSigned(body, r.Header.Get("X-Hub-Signature")) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	id := r.Header.Get("webhook-id")
	var event envelope
	if json.Unmarshal(body, &event) != nil || id == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// Respond within 5 seconds and do the work afterwards. Store the event before you respond.
	w.WriteHeader(http.StatusOK)
	if _, isKnown := seen.LoadOrStore(id, true); isKnown {
		return
	}
	go handle(event)
}

func handle(event envelope) {
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	encoder.Encode(event.Data)
	fmt.Printf("verified %s %s\n", event.Event, strings.TrimSpace(data.String()))
}

func isSigned(body []byte, header string) bool {
	if signingSecret == "" {
		return true
	}
	mac := hmac.New(sha256.New, []byte(signingSecret))
	mac.Write(body)
	return isSame(header, "sha256="+hex.EncodeToString(mac.Sum(nil)))
}

// Compares in constant time.
func isSame(given, expected string) bool {
	return hmac.Equal([]byte(given), []byte(expected))
}
