package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/allocdiff/allocdiff/plot"
	"github.com/allocdiff/allocdiff/profile"
)

const usage = `Usage:
  allocdiff [flags] BEFORE AFTER           each a file, a folder, a quoted glob, - or a URL
  allocdiff [flags] BEFORE... -- AFTER...  repeated runs named one by one
  allocdiff pools FILE...                  how the thread pools of a profile were found
  allocdiff noise FILE...                  how much equal runs differ, and what change could be seen

Compares heap and CPU pprof profiles taken before and after a change. Several
profiles of a kind on one side are repeated runs. label=PATH names a side.
`

// usageWidth is how wide --help is, in columns; README.md repeats it.
const usageWidth = 100

const method = `
How differences are judged:
  The profiler keeps about one allocation in every 512 KiB, so a function's bytes
  rest on N kept samples and wobble by about 1/sqrt(N). A change is called real
  when two such counts, widened by the scatter seen between repeated runs, would
  differ this much by chance in fewer than 5 % of the changes we report.

Exit status: 0 done; 1 could not write; 2 usage or unusable input; 3 a --fail-on
gate tripped; 4 none tripped, but one could not tell or names a pool or function
that is not there.
`

// config is the command line after parsing.
type config struct {
	opts       profile.Options
	outputs    []string
	format     string
	rows       int
	confidence bool // print intervals
	strict     bool
	quiet      bool
	title      string
	page       plot.Options
	gates      []profile.Gate
	recursive  bool
	before     []string // arguments that name the sides
	after      []string
	command    string // the command line, for the report
}

// flagValues are flags whose text needs another look.
type flagValues struct {
	by, per, ops, theme, poolFile string
	pools, gates, base            []string
	runCV                         float64
	version                       bool
	nodecount                     int
}

func (c *config) flags(v *flagValues) *pflag.FlagSet {
	f := pflag.NewFlagSet("allocdiff", pflag.ContinueOnError)
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-")) // pprof's spelling works too
	})
	f.SortFlags = false
	f.StringArrayVarP(&c.outputs, "output", "o", nil, "write `FILE` too; .png .svg .md .json .csv .txt choose the format, DIR/ takes the whole review (repeatable)")
	f.StringVarP(&c.format, "format", "f", "text", "`FORMAT` of standard output: text, markdown, json or csv")
	f.StringVar(&c.opts.Metric, "sample-index", "", "sample `TYPE` to show first, such as inuse_space")
	f.StringVar(&v.by, "by", "", "`ROWS` of the function tables: owner, function, package, file or line (default owner)")
	f.BoolVar(&c.opts.Cum, "cum", false, "show cumulative values: functions with all they call")
	f.IntVar(&v.nodecount, "nodecount", defaultRows, "show `N` rows of each table; 0 for all")
	f.StringArrayVar(&v.pools, "pool", nil, "pool rule `NAME=REGEXP`, or NAME=label:KEY~, root~, frame~, leaf~REGEXP (repeatable)")
	f.StringVar(&v.poolFile, "pool-file", "", "`FILE` of pool rules, one a line")
	f.StringVar(&c.opts.Pools.By, "pool-by", "auto", "find pools by `WAY`: auto, label:KEY, thread, root or none")
	f.StringVar(&c.opts.Module, "module", "", "Go module `PATH` that owners belong to; - for any (default: guessed)")
	f.StringVar(&v.ops, "ops", "", "operations of each run: `N`, or BEFORE,AFTER")
	f.StringVar(&v.per, "per", "", "show values per `UNIT`: op, second or total (default op when both sides tell their operations)")
	f.BoolVar(&c.opts.Merge, "merge", false, "sum the files of a side as one fleet's profile instead of repeated runs")
	f.BoolVar(&c.recursive, "recursive", false, "take the profiles in subfolders too")
	f.Float64Var(&c.opts.Judge.Confidence, "confidence", 0.95, "level of intervals; given, the text shows them")
	f.Float64Var(&c.opts.Judge.FDR, "fdr", 0.05, "accepted share of false ones among the changes reported")
	f.Float64Var(&v.runCV, "run-cv", 0.03, "run-to-run scatter assumed with one profile a side (CPU: 0.10)")
	f.Float64Var(&c.opts.Judge.Tolerance, "tolerance", 0.05, "a ratio shown to be within 1 ± this is the same")
	f.Float64Var(&c.opts.Judge.MinEffect, "min-effect", 0, "least change, in bytes, objects or nanoseconds as shown, that counts")
	f.Float64Var(&c.opts.Judge.Detect, "detect", 0.09, "relative change looked for: what is unclear is told with what it would take to see it")
	f.StringArrayVar(&v.gates, "fail-on", nil, "gate `EXPR`: [total | pool:NAME | func:REGEXP] METRIC > or < PERCENT, such as 'total alloc_space > +2%' (repeatable)")
	f.BoolVar(&c.strict, "strict", false, "doubts about the comparison are errors")
	f.StringVar(&c.title, "title", "", "`TEXT` above the report")
	f.StringVar(&v.theme, "theme", "light", "`THEME` of pictures: light or dark")
	f.IntVar(&c.page.Width, "width", 1400, "width of pictures in `PIXELS`, 1000 to 1600")
	f.StringArrayVar(&v.base, "diff-base", nil, "`BEFORE`, as pprof spells it: the arguments are all AFTER (repeatable)")
	f.StringArrayVar(&c.opts.TrimPath, "trim-path", nil, "`PREFIX` to take off source paths (repeatable)")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "print nothing to standard output; write -o files only")
	f.BoolVar(&v.version, "version", false, "print the version")
	return f
}

// parse reads the command line.
func parse(s streams, args []string) (*config, error) {
	c, v := new(config), new(flagValues)
	c.command = commandLine(args)
	f := c.flags(v)
	f.Usage = func() {}
	f.SetOutput(io.Discard)
	if err := f.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			fmt.Fprintf(s.out, "%s\nFlags:\n%s%s", usage, f.FlagUsagesWrapped(usageWidth), method)
			return nil, err
		}
		return nil, fmt.Errorf("%w; see allocdiff --help", err)
	}
	if v.version {
		fmt.Fprintln(s.out, "allocdiff "+version())
		return nil, pflag.ErrHelp
	}
	c.before = f.Args()
	if n := f.ArgsLenAtDash(); n >= 0 {
		c.before, c.after = c.before[:n], c.before[n:]
	}
	if len(v.base) > 0 {
		if c.after != nil {
			return nil, errors.New("--diff-base and -- both name the before side; give one of them")
		}
		c.before, c.after = v.base, c.before
	}
	if err := c.settle(f, v); err != nil {
		return nil, fmt.Errorf("%w; see allocdiff --help", err)
	}
	return c, nil
}

// settle checks and translates the flags that are words.
func (c *config) settle(f *pflag.FlagSet, v *flagValues) error {
	switch v.by {
	case "", "owner":
	case "function":
		c.opts.Flat = true
	case "package", "file", "line":
		c.opts.By = v.by
	default:
		return fmt.Errorf("--by %s: want owner, function, package, file or line", v.by)
	}
	switch v.per {
	case "":
	case "op":
		c.opts.Per = profile.PerOp
	case "second":
		c.opts.Per = profile.PerSecond
	case "total":
		c.opts.Per = profile.PerRun
	default:
		return fmt.Errorf("--per %s: want op, second or total", v.per)
	}
	switch c.format {
	case "text", "markdown", "json", "csv":
	default:
		return fmt.Errorf("--format %s: want text, markdown, json or csv", c.format)
	}
	if v.theme != "light" && v.theme != "dark" {
		return fmt.Errorf("--theme %s: want light or dark", v.theme)
	}
	c.page.Theme = plot.Theme(v.theme)
	if by := c.opts.Pools.By; by != "auto" && by != "thread" && by != "root" && by != "none" && !strings.HasPrefix(by, "label:") {
		return fmt.Errorf("--pool-by %s: want auto, label:KEY, thread, root or none", by)
	}
	if v.nodecount < 0 {
		return fmt.Errorf("--nodecount %d: want 0 or more", v.nodecount)
	}
	c.rows = v.nodecount
	if c.page.Width < 1000 || c.page.Width > 1600 {
		return fmt.Errorf("--width %d: want 1000 to 1600", c.page.Width)
	}
	if f.Changed("run-cv") {
		c.opts.Judge.RunCV = &v.runCV
	}
	c.confidence = f.Changed("confidence")
	if o := c.opts.Judge; !(o.Confidence > 0 && o.Confidence < 1) || !(o.FDR > 0 && o.FDR < 1) || !(o.Detect > 0 && o.Detect < 1) || !(v.runCV >= 0) || !(o.Tolerance > 0) || !(o.MinEffect >= 0) {
		return errors.New("--confidence, --fdr and --detect are between 0 and 1, --tolerance is above 0, --run-cv and --min-effect are not negative")
	}
	if err := c.operations(v.ops); err != nil {
		return err
	}
	for _, text := range v.gates {
		g, err := profile.ParseGate(text)
		if err != nil {
			return err
		}
		c.gates = append(c.gates, g)
	}
	return c.poolRules(v)
}

func (c *config) operations(text string) error {
	if text == "" {
		return nil
	}
	b, a, two := strings.Cut(text, ",")
	if !two {
		a = b
	}
	var err error
	if c.opts.OpsBefore, err = strconv.ParseFloat(b, 64); err == nil {
		c.opts.OpsAfter, err = strconv.ParseFloat(a, 64)
	}
	if err != nil || !(c.opts.OpsBefore > 0) || !(c.opts.OpsAfter > 0) || math.IsInf(c.opts.OpsBefore+c.opts.OpsAfter, 0) {
		return fmt.Errorf("--ops %s: want N or BEFORE,AFTER, each above 0", text)
	}
	return nil
}

func (c *config) poolRules(v *flagValues) error {
	for _, text := range v.pools {
		r, err := profile.ParsePoolRule(text)
		if err != nil {
			return err
		}
		c.opts.Pools.Rules = append(c.opts.Pools.Rules, r)
	}
	if v.poolFile == "" {
		return nil
	}
	text, err := os.ReadFile(v.poolFile)
	if err != nil {
		return fmt.Errorf("reading pool rules: %w", err)
	}
	rules, err := profile.ParsePoolRules(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", v.poolFile, err)
	}
	c.opts.Pools.Rules = append(c.opts.Pools.Rules, rules...)
	return nil
}
