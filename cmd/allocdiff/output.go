package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/allocdiff/allocdiff/plot"
	"github.com/allocdiff/allocdiff/profile"
)

// output is a file to be written. Files appear whole or not at all, and all of
// them only once everything has been rendered.
type output struct {
	name  string
	bytes []byte
	made  bool // the folder is made if need be
}

// bundle is what a review needs, for -o DIR/.
var bundle = []string{"report.png", "report-dark.png", "report.md", "report.json", "report.csv"}

// isFolder reports whether an -o argument means a folder.
func isFolder(name string) bool {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// checkOutputs refuses names whose format is not known, and those in folders that
// do not exist, before any work is done.
func (c *config) checkOutputs() error {
	for _, name := range c.outputs {
		if isFolder(name) {
			continue
		}
		switch filepath.Ext(name) {
		case ".png", ".svg", ".md", ".json", ".csv", ".txt":
		default:
			return fmt.Errorf("-o %s: the name tells no format; end it in .png, .svg, .md, .json, .csv, .txt, or / for a folder", name)
		}
	}
	return checkFolders(c.outputs)
}

// checkFolders refuses files in folders that do not exist: of those, only the ones
// that are named are made.
func checkFolders(names []string) error {
	for _, name := range names {
		dir := filepath.Dir(name)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && !isFolder(name) {
			return &writeError{fmt.Errorf("writing %s: there is no folder %s; make it first, or give -o %s/ for the whole review in it", name, dir, dir)}
		}
	}
	return nil
}

// machine reports whether any result is for machines, which want every row.
func (c *config) machine() bool {
	if c.format == "json" || c.format == "csv" {
		return true
	}
	for _, name := range c.outputs {
		if ext := filepath.Ext(name); ext == ".json" || ext == ".csv" || isFolder(name) {
			return true
		}
	}
	return false
}

// reports are the same comparison at two lengths.
type reports struct {
	people   *profile.Report // the rows that are shown
	machines *profile.Report // every row of every table; nil if nobody asked
}

// render makes all files in memory.
func (c *config) render(r reports) ([]output, error) {
	var files []output
	for _, name := range c.outputs {
		if !isFolder(name) {
			b, err := c.file(r, name, c.page.Theme, nil)
			if err != nil {
				return nil, err
			}
			files = append(files, output{name: name, bytes: b})
			continue
		}
		for _, part := range bundle {
			theme := plot.Light
			if part == "report-dark.png" {
				theme = plot.Dark
			}
			b, err := c.file(r, part, theme, bundle[:2])
			if err != nil {
				return nil, err
			}
			files = append(files, output{filepath.Join(name, part), b, true})
		}
	}
	return files, nil
}

// file renders one file; its extension says how.
func (c *config) file(r reports, name string, theme plot.Theme, images []string) ([]byte, error) {
	var b bytes.Buffer
	page := c.page
	page.Theme = theme
	var err error
	switch filepath.Ext(name) {
	case ".png":
		err = plot.PNG(&b, r.people, page)
	case ".svg":
		err = plot.SVG(&b, r.people, page)
	default:
		err = c.print(&b, r, strings.TrimPrefix(filepath.Ext(name), "."), images)
	}
	return b.Bytes(), err
}

// print writes one of the text formats, named as --format or an extension does.
func (c *config) print(w io.Writer, r reports, format string, images []string) error {
	o := printOptions{rows: c.rows, confidence: c.confidence, images: images}
	if c.rows == 0 {
		o.rows = math.MaxInt
	}
	switch format {
	case "md", "markdown":
		return printMarkdown(w, r.people, o)
	case "json":
		return printJSON(w, r.machines)
	case "csv":
		return printCSV(w, r.machines)
	}
	return printText(w, r.people, o)
}

// save writes the files, all of them or none: each under a temporary name first,
// and none gets its own name before all are whole.
func save(files []output) (err error) {
	temporary := make([]string, len(files))
	defer func() {
		for _, name := range temporary {
			if err != nil && name != "" {
				_ = os.Remove(name) // nothing half-written stays behind
			}
		}
	}()
	for i, f := range files {
		if temporary[i], err = f.write(); err != nil {
			return f.cannot(err)
		}
		if info, e := os.Stat(f.name); e == nil && info.IsDir() {
			err = fmt.Errorf("%s is a folder: write %s/ for a whole review in it, or choose another name", f.name, f.name)
			return err
		}
	}
	for i, f := range files {
		if err = os.Rename(temporary[i], f.name); err != nil {
			return f.cannot(err)
		}
		temporary[i] = ""
	}
	return nil
}

// write puts the bytes into a temporary file beside the output. The name of
// that file is returned as soon as there is one, with an error too.
func (f output) write() (temporary string, err error) {
	dir := filepath.Dir(f.name)
	if f.made {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", err
		}
	}
	t, err := os.CreateTemp(dir, ".allocdiff-*")
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.bytes)
	return t.Name(), errors.Join(err, t.Chmod(0o644), t.Close())
}

// cannot says that a file could not be written, and why, without the temporary
// name, which means nothing to the reader.
func (f output) cannot(err error) error {
	why := err
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		why = path.Err
	case errors.As(err, &link):
		why = link.Err
	}
	return &writeError{fmt.Errorf("writing %s: no file can be made in %s: %w; choose a folder that can be written to", f.name, filepath.Dir(f.name), why)}
}
