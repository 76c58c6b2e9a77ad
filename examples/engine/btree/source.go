package btree

import "sync"

// Source lends builders. Get returns an empty one; Put gives it back when its
// tree is built and nobody uses it any more.
type Source[K any] interface {
	Get() *Builder[K]
	Put(*Builder[K])
}

// Fresh is the Source that allocates: a new builder each time, garbage after
// Build. The zero value is ready.
type Fresh[K any] struct{}

// Get returns a new builder.
func (Fresh[K]) Get() *Builder[K] { return NewBuilder[K]() }

// Put lets the builder go.
func (Fresh[K]) Put(*Builder[K]) {}

// Shared is a sync.Pool of builders that are cleared over their whole capacity.
// Unlike a Recycler it cannot retain for long: the garbage collector empties it
// within two cycles. The zero value is ready, for all workers together.
type Shared[K any] struct {
	pool sync.Pool
}

// Get returns an empty builder, used before or new.
func (s *Shared[K]) Get() *Builder[K] {
	if b, ok := s.pool.Get().(*Builder[K]); ok {
		return b
	}
	return NewBuilder[K]()
}

// Put clears the builder and keeps it for a while.
func (s *Shared[K]) Put(b *Builder[K]) {
	b.Reset()
	s.pool.Put(b)
}
