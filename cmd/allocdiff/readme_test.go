package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

var (
	shellRE   = regexp.MustCompile("(?s)```sh\n(.*?)```")
	runRE     = regexp.MustCompile(`(^|\| )allocdiff `)
	helpRE    = regexp.MustCompile("(?s)`allocdiff --help`:\n\n```\n(.*?)```")
	ticketRE  = regexp.MustCompile(`(?m)^\| \[?([A-Z]+-[0-9]+).* \| ([^|]*) \|$`)
	recipesOn = filepath.Join("..", "..", "examples", "CASSANDRA-21285")
)

// elsewhere are the lines of README.md that other programs run.
var elsewhere = []string{
	"go test ./...",
	"jfrconv -o pprof --alloc --total -t before.jfr before.pb.gz",
	"jfrconv -o pprof --alloc --total -t after.jfr after.pb.gz",
	"for i in 1 2 3 4 5; do for side in before after; do",
	"  (cd $side && go test -run '^$' -bench Reads -benchtime 10000x -memprofilerate 4096 -memprofile ../$side-$i.pb.gz)",
	"done; done",
	"go test -run '^$' -bench 'Peer|Growth|PNG' -timeout 2h ./cmd/allocdiff",
	"go test -run '^$' -bench Fleet -timeout 1h ./cmd/allocdiff -fleet 2000",
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadmeUsage(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run(nil, &stdout, &stderr, []string{"--help"}); status != exitDone || stderr.Len() > 0 {
		t.Fatalf("--help: got status %d and %q on standard error, want 0 and nothing", status, &stderr)
	}
	m := helpRE.FindStringSubmatch(readme(t))
	if m == nil {
		t.Fatal("README.md has no block with the output of allocdiff --help")
	}
	if got, want := m[1], stdout.String(); got != want {
		t.Errorf("the usage in README.md differs from --help; put this there:\n%s\n%s", firstDifference(got, want), want)
	}
}

// TestReadmeCommands types the commands of README.md into a shell, in a folder
// with copies of the bundled profiles under the names that the recipes use.
func TestReadmeCommands(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "bin", "allocdiff")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the command: %v\n%s", err, out)
	}
	t.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	for _, side := range []string{"before", "after"} {
		from := filepath.Join(recipesOn, side)
		if err := os.CopyFS(filepath.Join(work, side), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		copyFile(t, filepath.Join(from, "alloc-1.pb.gz"), filepath.Join(work, side+".pb.gz"))
		for _, run := range []string{"-1", "-2"} {
			copyFile(t, filepath.Join(from, "alloc"+run+".pb.gz"), filepath.Join(work, side+run+".pb.gz"))
		}
	}
	if err := os.Symlink(examples, filepath.Join(work, "examples")); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "/debug/pprof/heap?gc=1" {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, filepath.Join(work, "after.pb.gz"))
	}))
	defer server.Close()

	var others []string
	ran := 0
	for _, block := range shellRE.FindAllStringSubmatch(readme(t), -1) {
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSuffix(line, "\n")
			command := strings.Replace(line, "go run ./cmd/allocdiff", "allocdiff", 1)
			if !runRE.MatchString(command) {
				others = append(others, line)
				continue
			}
			shell := exec.Command("sh", "-c", strings.ReplaceAll(command, "http://localhost:6060", server.URL))
			var stdout, stderr bytes.Buffer
			shell.Dir, shell.Stdout, shell.Stderr = work, &stdout, &stderr
			if err := shell.Run(); err != nil || stdout.Len() == 0 || stderr.Len() > 0 {
				t.Errorf("%s: got %v, %d bytes on standard output, %q on standard error; want success, a report and nothing", line, err, stdout.Len(), &stderr)
			}
			ran++
		}
	}
	if ran < 15 {
		t.Errorf("got %d commands to run from README.md, want at least 15: has its form changed?", ran)
	}
	if !slices.Equal(others, elsewhere) {
		t.Errorf("lines of README.md that are not run here: got\n%s\nwant\n%s", strings.Join(others, "\n"), strings.Join(elsewhere, "\n"))
	}
	for _, name := range []string{"report.png", "diff.png", "diff.csv", "review/report.md", "review/report.json", "review/report-dark.png"} {
		if info, err := os.Stat(filepath.Join(work, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: got %v, want the file that the recipes write", name, err)
		}
	}
}

// TestReadmeTickets checks the results that README.md states against the
// profiles that they are from.
func TestReadmeTickets(t *testing.T) {
	rows := ticketRE.FindAllStringSubmatch(readme(t), -1)
	if len(rows) != 5 {
		t.Fatalf("got %d rows of tickets in README.md, want 5", len(rows))
	}
	for _, row := range rows {
		ticket, got := row[1], row[2]
		folder := filepath.Join("..", "..", "examples", ticket)
		want := "not recorded yet"
		if _, err := os.Stat(filepath.Join(folder, "after")); err == nil {
			want = "bytes " + changeOf(t, folder, profile.AllocSpace) + ", CPU time " + changeOf(t, folder, profile.CPU)
		}
		if got != want {
			t.Errorf("%s: got %q in README.md, want %q", ticket, got, want)
		}
	}
	if alt := "allocated bytes per operation " + changeOf(t, recipesOn, profile.AllocSpace) + ", real;"; !strings.Contains(readme(t), alt) {
		t.Errorf("the text of the picture in README.md does not say %q", alt)
	}
}

// changeOf is the change of a ticket's total as README.md writes it.
func changeOf(t *testing.T, folder string, metric profile.Metric) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := []string{"-f", "json", filepath.Join(folder, "before"), filepath.Join(folder, "after")}
	if status := run(nil, &stdout, &stderr, args); status != exitDone {
		t.Fatalf("%q: got status %d and %s", args, status, &stderr)
	}
	var r profile.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Metrics {
		switch {
		case m.Metric != metric:
		case !m.Total.Verdict.Real():
			return "~"
		default:
			return strings.ReplaceAll(fmt.Sprintf("%+.1f %%", *m.Total.Percent), "-", "−")
		}
	}
	t.Fatalf("%q: no %s in the report", args, metric)
	return ""
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
