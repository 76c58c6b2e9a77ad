package btree

import "sync"

// stackBuilders is the most free builders that one stack keeps, and that the
// overflow keeps: Netty's default maximum capacity per thread.
const stackBuilders = 32768

// Recycler keeps used builders for later, after Netty's Recycler: a stack per
// worker, and a locked overflow for builders that come back to another worker's
// stack. The zero value behaves as Cassandra's did: builders are cleared over
// their whole capacity, never shrink and are never let go.
type Recycler[K any] struct {
	// ClearUsed clears only the slots that the last build used.
	ClearUsed bool
	// MaxSlots is the largest builder worth keeping, in keys; larger ones are
	// dropped. 0 keeps all.
	MaxSlots int
	// Leak makes a stack remember the handle of every builder it ever made, and
	// the handle its builder, dropped or not: the reference that the ticket's
	// reporter found and cut.
	Leak bool

	mu       sync.Mutex
	overflow []*handle[K]
}

// handle ties a builder to the stack that made it.
type handle[K any] struct {
	value *Builder[K]
	owner *Stack[K]
	free  bool // in a stack or in the overflow
}

// Stack is one worker's free list, last in first out. It is a Source. It must not
// be used by two goroutines at a time; a builder may come back to any stack of
// the same recycler.
type Stack[K any] struct {
	recycler *Recycler[K]
	free     []*handle[K]
	made     []*handle[K] // every handle, if the recycler leaks
}

// Stack returns a new, empty stack for one worker.
func (r *Recycler[K]) Stack() *Stack[K] {
	return &Stack[K]{recycler: r}
}

// Get returns an empty builder: the one returned last, else one from the
// overflow, else a new one.
func (s *Stack[K]) Get() *Builder[K] {
	h := pop(&s.free)
	if h == nil {
		h = s.recycler.takeOverflow()
	}
	if h == nil {
		h = s.newHandle()
	}
	h.free = false
	return h.value
}

// Put takes back a builder that Get returned and that nobody uses any more. It
// panics if the builder is not from a recycler or was returned already.
func (s *Stack[K]) Put(b *Builder[K]) {
	h := b.handle
	if h == nil || h.free {
		panic("btree: builder is not from a recycler, or was recycled already")
	}
	h.free = true
	r := s.recycler
	if r.MaxSlots > 0 && b.Slots() > r.MaxSlots {
		r.drop(h)
		return
	}
	if r.ClearUsed {
		b.resetUsed()
	} else {
		b.Reset()
	}
	if h.owner != s {
		r.putOverflow(h)
		return
	}
	if len(s.free) == stackBuilders {
		r.drop(h)
		return
	}
	s.free = append(s.free, h)
}

// pop takes the last handle off a list; nil when there is none.
func pop[K any](list *[]*handle[K]) *handle[K] {
	last := len(*list) - 1
	if last < 0 {
		return nil
	}
	h := (*list)[last]
	(*list)[last] = nil
	*list = (*list)[:last]
	return h
}

//go:noinline so that new handles are a row of their own in a profile.
func (s *Stack[K]) newHandle() *handle[K] {
	h := &handle[K]{value: NewBuilder[K](), owner: s}
	h.value.handle = h
	if s.recycler.Leak {
		s.made = append(s.made, h)
	}
	return h
}

// drop lets a builder go to the garbage collector, unless the recycler leaks.
func (r *Recycler[K]) drop(h *handle[K]) {
	if !r.Leak {
		h.value = nil
	}
}

func (r *Recycler[K]) takeOverflow() *handle[K] {
	r.mu.Lock()
	defer r.mu.Unlock()
	return pop(&r.overflow)
}

func (r *Recycler[K]) putOverflow(h *handle[K]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.overflow) == stackBuilders {
		r.drop(h)
		return
	}
	r.overflow = append(r.overflow, h)
}
