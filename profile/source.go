package profile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Source is one side of a comparison before anything is read: its label and
// its inputs, sorted by name.
type Source struct {
	Label  string
	Inputs []Input
}

// An Input is one profile that can be opened: a file, standard input or a URL.
type Input struct {
	// Name is the path as the user can find it, "-" or the URL without a
	// password. It stands in front of every error about the input.
	Name string

	open func() (io.ReadSeekCloser, error)
}

// A Finder turns the arguments of a command line into sources. Use one Finder
// for all sides, because standard input can be read only once. The zero value
// has no standard input and looks into folders but not into their subfolders.
type Finder struct {
	Stdin     io.Reader     // what "-" means; nil makes "-" an error
	Recursive bool          // take the profiles of subfolders too
	Timeout   time.Duration // limit for one URL, added to its seconds=N; 0 means 60 s

	stdinTaken bool
}

// Source is the side that the arguments name together. Each is a file, a
// folder (the profiles in it), a glob, "-" or an http(s) URL, with an optional
// "label=" in front. A path that exists wins over the reading as label=path.
// The label of the side is the first one given, else the first argument and how
// many more there are.
//
// In a folder, files that are known not to be profiles by their name are
// passed over: hidden files, README, and the extensions .md, .txt, .json,
// .csv, .html, .png, .svg. A folder or glob without any profile is an error.
func (f *Finder) Source(args ...string) (Source, error) {
	if len(args) == 0 {
		return Source{}, errors.New("no profile named")
	}
	var s Source
	byDefault := args[0]
	for i, arg := range args {
		label, path := CutLabel(arg)
		if s.Label == "" {
			s.Label = label
		}
		inputs, err := f.inputs(path)
		if err != nil {
			return Source{}, err
		}
		if i == 0 && isURL(path) {
			byDefault = inputs[0].Name // without the password
		}
		s.Inputs = append(s.Inputs, inputs...)
	}
	if s.Label == "" {
		s.Label = byDefault
		if n := len(args) - 1; n > 0 {
			s.Label += fmt.Sprintf(" + %d more", n)
		}
	}
	slices.SortStableFunc(s.Inputs, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}

// CutLabel splits "label=path". An existing path that holds a "=" is a path,
// and so is a URL; a label holds no separator, so "a/b=c/x" is a path.
func CutLabel(arg string) (label, path string) {
	label, path, ok := strings.Cut(arg, "=")
	if !ok || label == "" || path == "" || strings.ContainsAny(label, `/\`) || isURL(arg) {
		return "", arg
	}
	if _, err := os.Stat(arg); err == nil {
		return "", arg
	}
	if matches, err := filepath.Glob(arg); err == nil && len(matches) > 0 {
		return "", arg
	}
	return label, path
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

func (f *Finder) inputs(path string) ([]Input, error) {
	switch {
	case path == "-":
		in, err := f.stdin()
		return []Input{in}, err
	case isURL(path):
		in, err := f.url(path)
		return []Input{in}, err
	}
	info, err := os.Stat(path)
	if err != nil && strings.ContainsAny(path, "*?[") {
		return f.glob(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file or folder", path)
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return f.folder(path)
	}
	return []Input{fileInput(path, info)}, nil
}

func (f *Finder) folder(dir string) ([]Input, error) {
	var inputs []Input
	passed := 0
	root := strings.TrimRight(dir, string(filepath.Separator)) + string(filepath.Separator) // WalkDir does not enter a link otherwise
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == root:
			return nil
		case d.IsDir() && (!f.Recursive || isHidden(path)):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		case !mayBeProfile(path):
			passed++
			return nil
		}
		info, err := os.Stat(path) // follows links, unlike d.Info
		if err != nil {
			return err
		}
		if !info.IsDir() {
			inputs = append(inputs, fileInput(path, info))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing the folder: %w", err)
	}
	if len(inputs) == 0 {
		others := "other files"
		if passed == 1 {
			others = "other file"
		}
		return nil, fmt.Errorf("%s: no profile in this folder (%d %s passed over; name a file to read it all the same)", dir, passed, others)
	}
	return inputs, nil
}

func (f *Finder) glob(pattern string) ([]Input, error) {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: malformed pattern (quote a name that holds *, ? or [ with a backslash)", pattern)
	}
	var inputs []Input
	for _, path := range matches {
		// A pattern such as *.txt says what it wants; * does not.
		if ext := filepath.Ext(path); !mayBeProfile(path) && (ext == "" || ext != filepath.Ext(pattern)) {
			continue
		}
		in, err := f.inputs(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in...)
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("%s: no profile matches", pattern)
	}
	return inputs, nil
}

func isHidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// mayBeProfile is false for the files that lie beside profiles: notes,
// benchmark text, summaries and pictures.
func mayBeProfile(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	if isHidden(path) || strings.HasPrefix(base, "readme") {
		return false
	}
	switch filepath.Ext(base) {
	case ".md", ".txt", ".json", ".csv", ".html", ".png", ".svg":
		return false
	}
	return true
}

// fileInput reads regular files in place. Pipes and devices cannot be read
// twice, so their bytes are kept.
func fileInput(path string, info fs.FileInfo) Input {
	open := func() (io.ReadSeekCloser, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, cause(err)
		}
		return file, nil
	}
	if info.Mode().IsRegular() {
		return Input{Name: path, open: open}
	}
	return keptInput(path, func() ([]byte, error) {
		file, err := open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		return readLimited(file)
	})
}

func (f *Finder) stdin() (Input, error) {
	if f.Stdin == nil {
		return Input{}, errors.New("-: there is no standard input here")
	}
	if f.stdinTaken {
		return Input{}, errors.New("-: standard input can be read only once; name a file for the other profile")
	}
	f.stdinTaken = true
	return keptInput("-", func() ([]byte, error) { return readLimited(f.Stdin) }), nil
}

// keptInput reads its bytes when it is first opened and keeps them.
func keptInput(name string, read func() ([]byte, error)) Input {
	once := sync.OnceValues(read)
	return Input{Name: name, open: func() (io.ReadSeekCloser, error) {
		data, err := once()
		if err != nil {
			return nil, err
		}
		return bytesReader(data), nil
	}}
}

func (f *Finder) url(address string) (Input, error) {
	timeout := f.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return Input{}, fmt.Errorf("%s: %w", address, cause(err))
	}
	// A server profiles for the time it is asked to before it answers.
	if d, err := time.ParseDuration(req.URL.Query().Get("seconds") + "s"); err == nil && d > 0 {
		timeout += d
	}
	client := &http.Client{Timeout: timeout}
	return keptInput(req.URL.Redacted(), func() ([]byte, error) { return fetch(client, req) }), nil
}
