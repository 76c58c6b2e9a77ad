package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// tickets is all that the benchmark knows, in the order of --list.
//
// To add a ticket: write ticketNNNNN.go with a variable of type Ticket whose
// Open builds the engine, and name it here. Everything else (flags, recording,
// profiles, output) follows from the Ticket's fields. ticket21285.go shows how.
var tickets = []Ticket{
	ticket13929,
	ticket13142,
	ticket21088,
	ticket21285,
	ticket7438,
}

// A Ticket is one benchmark: what it claims and how to run its variants.
type Ticket struct {
	// Name is the ticket's key, e.g. CASSANDRA-21285.
	Name string
	// Title is its subject in a few words.
	Title string
	// Variants are the names that Options.Variant may have. The first is the
	// code before the change, the second the code after it.
	Variants []string
	// Mixes are the workloads; the first is the default.
	Mixes []Mix
	// Kinds name the operations in the output, e.g. READ and WRITE;
	// stress.Result.Kind is an index into them.
	Kinds []string
	// Format is the output's layout.
	Format stress.Format
	// Ops is the number of measured operations, Warm that of those before
	// them. Both should be multiples of whatever period the workload has.
	Ops, Warm int
	// Threads is the number of client threads.
	Threads int
	// Open builds the engine for one run. The process ends after the run.
	Open func(o Options) (*Workload, error)
}

// A Mix is a workload of a ticket.
type Mix struct {
	// Name is the value of --mix, Title says what it is.
	Name, Title string
	// Record says that --out records it even when --mix is not given; the
	// first mix is always recorded. Its folders are before-NAME, after-NAME.
	Record bool
}

// Options are what Open is told.
type Options struct {
	// Variant is one of Ticket.Variants, Mix the name of one of Ticket.Mixes
	// (empty if the ticket has none).
	Variant, Mix string
	// Only are the parts of the change to make; nil means all.
	Only []string
	// Max is the cap on whatever the change grows, 0 for the ticket's own.
	Max int
	// Threads is the number of clients that the workload must have.
	Threads int
	// Ops is the number of operations that will be measured.
	Ops int
}

// A Workload is an engine ready to be measured.
type Workload struct {
	// Pools are the engine's pools, in the order in which work flows through
	// them; they are drained after the clients are done. The clients' own pool
	// is not among them.
	Pools pool.Set
	// Clients are the client threads, Options.Threads of them.
	Clients []stress.Client
	// Facts, if set, is called after the run for what the engine counted, such
	// as pool hits or sizes.
	Facts func() []Fact
}

// A Fact is one figure of the engine's own.
type Fact struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

func (t Ticket) mixNames() []string {
	var names []string
	for _, m := range t.Mixes {
		names = append(names, m.Name)
	}
	return names
}

// firstMix is the mix that runs when none is named.
func (t Ticket) firstMix() string {
	if len(t.Mixes) == 0 {
		return ""
	}
	return t.Mixes[0].Name
}

// findTicket returns the ticket of that name; the number alone will do.
func findTicket(name string) (Ticket, error) {
	var names []string
	for _, t := range tickets {
		if strings.EqualFold(t.Name, name) || strings.HasSuffix(t.Name, "-"+name) {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Ticket{}, fmt.Errorf("--ticket %s is unknown, use one of: %s", name, strings.Join(names, ", "))
}

// list prints the tickets.
func list(w io.Writer) error {
	var b strings.Builder
	for _, t := range tickets {
		fmt.Fprintf(&b, "%s  %s\n", t.Name, t.Title)
		fmt.Fprintf(&b, "  variants  %s\n", strings.Join(t.Variants, ", "))
		for _, m := range t.Mixes {
			fmt.Fprintf(&b, "  mix       %-10s %s\n", m.Name, m.Title)
		}
		fmt.Fprintf(&b, "  default   %d operations after %d to warm up, %d client threads\n\n", t.Ops, t.Warm, t.Threads)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
