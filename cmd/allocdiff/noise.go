package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"

	"github.com/allocdiff/allocdiff/plot"
	"github.com/allocdiff/allocdiff/profile"
)

// noiseSchemaText describes what printNoiseJSON writes beyond schema.txt.
//
//go:embed noise-schema.txt
var noiseSchemaText string

// measureNoise is `allocdiff noise FILE...`: how much runs of one build differ,
// what change would be seen, and what to do to see less.
func measureNoise(s streams, args []string) (int, error) {
	c, err := parse(s, args)
	if err != nil {
		return 0, err
	}
	c.command = commandLine(append([]string{"noise"}, args...))
	if err := c.checkNoise(); err != nil {
		return 0, err
	}
	source, side, err := c.oneSide(s)
	if err != nil {
		return 0, err
	}
	o := profile.ReportOptions{Rows: c.rows, Title: c.title}
	if c.machine() {
		o.Rows = 0
	}
	r, err := profile.NewNoiseReport(side, o)
	if err != nil {
		return 0, err
	}
	if r.Empty() {
		return 0, fmt.Errorf("no samples: %s holds none; record longer or sample more often", source.Label)
	}
	if c.strict && len(r.Warnings) > 0 {
		return 0, fmt.Errorf("%s (--strict)", r.Warnings[0])
	}
	if r.Split, err = profile.CheckSplit(source, side); err != nil {
		return 0, err
	}
	r.Version, r.Command = version(), c.command
	return exitDone, c.deliverNoise(s, r)
}

// checkNoise refuses what means something for a comparison only.
func (c *config) checkNoise() error {
	switch {
	case len(c.before) == 0 || c.after != nil:
		return errors.New("noise: want FILE..., the runs of one build; see allocdiff --help")
	case len(c.gates) > 0:
		return errors.New("noise: --fail-on is for comparisons; see allocdiff --help")
	case c.opts.Merge:
		return errors.New("noise: --merge makes one profile of all runs, which leaves no scatter to measure")
	case c.opts.OpsBefore != c.opts.OpsAfter:
		return errors.New("noise: there is one side, so --ops wants one N")
	case c.format != "text" && c.format != "json":
		return fmt.Errorf("noise: --format %s: want text or json", c.format)
	}
	for _, name := range c.outputs {
		switch ext := filepath.Ext(name); {
		case isFolder(name):
			return fmt.Errorf("noise: -o %s: is a folder; name a .png, .svg, .json or .txt file", name)
		case ext != ".png" && ext != ".svg" && ext != ".json" && ext != ".txt":
			return fmt.Errorf("noise: -o %s: want a name that ends in .png, .svg, .json or .txt", name)
		}
	}
	return checkFolders(c.outputs)
}

// deliverNoise writes the results.
func (c *config) deliverNoise(s streams, r *profile.NoiseReport) error {
	var files []output
	for _, name := range c.outputs {
		var b bytes.Buffer
		if err := c.printNoise(&b, r, filepath.Ext(name)); err != nil {
			return err
		}
		files = append(files, output{name: name, bytes: b.Bytes()})
	}
	if err := save(files); err != nil {
		return err
	}
	if c.quiet {
		return nil
	}
	var b bytes.Buffer
	if err := c.printNoise(&b, r, "."+c.format); err != nil {
		return err
	}
	if _, err := s.out.Write(b.Bytes()); err != nil {
		return &writeError{fmt.Errorf("writing the noise report: %w", err)}
	}
	return nil
}

// printNoise writes the format that an extension or --format names.
func (c *config) printNoise(w io.Writer, r *profile.NoiseReport, format string) error {
	switch format {
	case ".png":
		return plot.NoisePNG(w, r, c.page)
	case ".svg":
		return plot.NoiseSVG(w, r, c.page)
	case ".json":
		return printNoiseJSON(w, r)
	}
	return printNoiseText(w, r, c.rows)
}

// printNoiseJSON writes the report as printJSON writes a comparison.
func printNoiseJSON(w io.Writer, r *profile.NoiseReport) error {
	return writeJSON(w, reflect.ValueOf(*r))
}
