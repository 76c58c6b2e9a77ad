package profile

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// files makes a folder with the named files, each holding its own name.
func files(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSource(t *testing.T) {
	dir := files(t,
		"run/b.pb.gz", "run/a.prof", "run/summary.json", "run/stress.txt", "run/README", "run/README.md",
		"run/report.png", "run/.hidden.pb.gz", "run/deep/c.pb.gz", "run/.git/d.pb.gz",
		"notes/stress.txt", "notes/summary.json", "text/heap.txt", "label=x.pb.gz", "[a].pb.gz")
	if err := os.Symlink("run", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		recursive bool
		args      []string
		label     string
		inputs    []string
		err       string
	}{
		{name: "file", args: []string{"run/b.pb.gz"}, label: "run/b.pb.gz", inputs: []string{"run/b.pb.gz"}},
		{name: "named file of any extension", args: []string{"text/heap.txt"}, label: "text/heap.txt", inputs: []string{"text/heap.txt"}},
		{name: "folder", args: []string{"run"}, label: "run", inputs: []string{"run/a.prof", "run/b.pb.gz"}},
		{name: "link to a folder", args: []string{"link"}, label: "link", inputs: []string{"link/a.prof", "link/b.pb.gz"}},
		{name: "folder, recursive", recursive: true, args: []string{"run"}, label: "run", inputs: []string{"run/a.prof", "run/b.pb.gz", "run/deep/c.pb.gz"}},
		{name: "label", args: []string{"before=run"}, label: "before", inputs: []string{"run/a.prof", "run/b.pb.gz"}},
		{name: "existing file with =", args: []string{"label=x.pb.gz"}, label: "label=x.pb.gz", inputs: []string{"label=x.pb.gz"}},
		{name: "glob that matches a name with =", args: []string{"label=*.gz"}, label: "label=*.gz", inputs: []string{"label=x.pb.gz"}},
		{name: "label of a file with =", args: []string{"new=label=x.pb.gz"}, label: "new", inputs: []string{"label=x.pb.gz"}},
		{name: "file named like a pattern", args: []string{"[a].pb.gz"}, label: "[a].pb.gz", inputs: []string{"[a].pb.gz"}},
		{name: "glob", args: []string{"run/*"}, label: "run/*", inputs: []string{"run/a.prof", "run/b.pb.gz", "run/deep/c.pb.gz"}},
		{name: "glob with extension", args: []string{"after=text/*.txt"}, label: "after", inputs: []string{"text/heap.txt"}},
		{name: "several, sorted", args: []string{"run/b.pb.gz", "x=run/a.prof"}, label: "x", inputs: []string{"run/a.prof", "run/b.pb.gz"}},
		{name: "several without a label", args: []string{"run/b.pb.gz", "run/a.prof", "text/heap.txt"}, label: "run/b.pb.gz + 2 more", inputs: []string{"run/a.prof", "run/b.pb.gz", "text/heap.txt"}},
		{name: "missing", args: []string{"nowhere.pb.gz"}, err: "nowhere.pb.gz: no such file or folder"},
		{name: "missing after label", args: []string{"x=nowhere.pb.gz"}, err: "nowhere.pb.gz: no such file or folder"},
		{name: "no label with a separator", args: []string{"a/b=c.pb.gz"}, err: "a/b=c.pb.gz: no such file or folder"},
		{name: "folder without profiles", args: []string{"notes"}, err: "notes: no profile in this folder (2 other files passed over"},
		{name: "folder with one other file", args: []string{"text"}, err: "text: no profile in this folder (1 other file passed over; name"},
		{name: "glob without match", args: []string{"run/*.prom"}, err: "run/*.prom: no profile matches"},
		{name: "malformed glob", args: []string{"run/[.gz"}, err: "malformed pattern"},
		{name: "no standard input", args: []string{"-"}, err: "no standard input"},
		{name: "nothing", err: "no profile named"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(dir)
			f := &Finder{Recursive: tt.recursive}
			s, err := f.Source(tt.args...)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("Source(%q): got error %v, want one with %q", tt.args, err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("Source(%q): %v", tt.args, err)
			}
			var got []string
			for _, in := range s.Inputs {
				got = append(got, in.Name)
				name := strings.Replace(in.Name, "link/", "run/", 1)
				if text := readInput(t, in); !strings.HasSuffix(name, text) && !strings.HasSuffix(text, name) {
					t.Errorf("input %q holds %q", in.Name, text)
				}
			}
			if s.Label != tt.label || !slices.Equal(got, tt.inputs) {
				t.Errorf("Source(%q): got %q %q, want %q %q", tt.args, s.Label, got, tt.label, tt.inputs)
			}
		})
	}
}

func readInput(t *testing.T, in Input) string {
	t.Helper()
	r, err := in.open()
	if err != nil {
		t.Fatalf("opening %s: %v", in.Name, err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("reading %s: %v", in.Name, err)
	}
	return string(data)
}

func TestSourceStdin(t *testing.T) {
	f := &Finder{Stdin: strings.NewReader("profile")}
	s, err := f.Source("after=-")
	if err != nil {
		t.Fatal(err)
	}
	if s.Label != "after" || len(s.Inputs) != 1 || s.Inputs[0].Name != "-" {
		t.Fatalf("got %+v, want one input - with label after", s)
	}
	for i := range 2 { // an input can be opened again
		if got := readInput(t, s.Inputs[0]); got != "profile" {
			t.Errorf("reading %d: got %q, want %q", i+1, got, "profile")
		}
	}
	if _, err := f.Source("-"); err == nil || !strings.Contains(err.Error(), "only once") {
		t.Errorf("second -: got error %v, want one with %q", err, "only once")
	}
}

func TestSourceURL(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		switch r.URL.Path {
		case "/slow":
			select {
			case <-time.After(10 * time.Second):
			case <-r.Context().Done():
			}
		case "/heap":
			_, _ = io.WriteString(w, "profile of "+r.URL.RawQuery)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	f := &Finder{Timeout: 200 * time.Millisecond}
	s, err := f.Source(server.URL + "/heap?gc=1")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, want := readInput(t, s.Inputs[0]), "profile of gc=1"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if requests != 1 {
		t.Errorf("got %d requests for two readings, want 1", requests)
	}
	for _, tt := range []struct{ url, want string }{
		{server.URL + "/none", "the server answered 404 Not Found"},
		{server.URL + "/slow", "Client.Timeout exceeded"},
		{"http://127.0.0.1:1/heap", "connection refused"},
	} {
		s, err := f.Source("x=" + tt.url)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Inputs[0].open()
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), tt.url) {
			t.Errorf("GET %s: got error %v, want one line with %q and without the address", tt.url, err, tt.want)
		}
	}
	if s, err = f.Source("http://user:secret@127.0.0.1:1/"); err != nil || strings.Contains(s.Inputs[0].Name, "secret") {
		t.Errorf("name of a URL with a password: got %+v, %v", s.Inputs, err)
	}
	if _, err = f.Source("http://[::1/"); err == nil {
		t.Error("a malformed URL was taken")
	}
}
