package profile

import (
	"sync"
)

// names interns the row names of all files of a comparison: attribution works
// on small integers and two builds meet by name, never by address. Safe for use
// by both sides at once. The ids depend on the order of loading and must never
// reach an output: rows are sorted by name.
type names struct {
	mu     sync.Mutex
	ids    map[string]int32
	list   []name
	module string // the program's; see settle
}

// name is one interned name with what attribution asks of it.
type name struct {
	text    string
	traits  traits
	starter bool   // starts goroutines or threads for others: never names a pool
	thread  bool   // is the name of a thread, as some profilers write it at the root
	system  string // the pool of a frame that belongs to the runtime itself; "" for others
	module  string // module or package root of user code; "" for library code
}

// traits are what attribution asks of every frame.
type traits struct {
	owns   ownership
	writer bool // writes profiles: what it allocates is the profiler's own
}

// ownership says how far a function may own what it and its callees allocate.
type ownership uint8

const (
	ownsNothing ownership = iota // runtime and standard libraries
	ownsLast                     // other people's modules: where nothing of the program's is on the stack
	ownsFirst                    // the program's module, or not known to be another's
)

func newNames() *names { return &names{ids: make(map[string]int32)} }

// idOf returns the number of a name as a profile writes it. A name that is known
// already costs no memory.
func (n *names) idOf(raw []byte) int32 {
	n.mu.Lock()
	id, ok := n.ids[string(raw)]
	n.mu.Unlock()
	if ok {
		return id
	}
	return n.id(clean(string(raw)))
}

// id returns the number of text, which must be clean (see clean).
func (n *names) id(text string) int32 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.ids[text]; ok {
		return id
	}
	id := int32(len(n.list))
	n.ids[text] = id
	n.list = append(n.list, name{
		text:    text,
		starter: isStarter(text),
		thread:  isThreadFrame(text),
		system:  systemPool(text),
		module:  moduleOf(text),
	})
	n.list[id].traits = traits{owns: n.ownership(text, n.list[id].module), writer: isWriter(text)}
	return id
}

// settle fixes the module whose functions are owners first, "" for any. It comes
// before anything is attributed.
func (n *names) settle(module string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.module = module
	for i := range n.list {
		n.list[i].traits.owns = n.ownership(n.list[i].text, n.list[i].module)
	}
}

func (n *names) ownership(text, module string) ownership {
	switch {
	case module == "" && isLibrary(text):
		return ownsNothing
	case module == "" || module == "main" || inModule(text, n.module):
		return ownsFirst
	}
	return ownsLast
}

// snapshot returns the names so far, by id. After settle the elements never
// change.
func (n *names) snapshot() []name {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.list[:len(n.list):len(n.list)]
}
