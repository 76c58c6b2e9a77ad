// Package btree is an immutable B-tree and the builder that makes it, after
// Cassandra's BTree and BTree.Builder (CASSANDRA-13929).
//
// A Builder collects sorted keys in a flat array that doubles, then Build copies
// them into a dense tree of fan-out 32. Where a Builder comes from is a Source:
//
//	Stack    a free list per worker, after Netty's Recycler; see Recycler
//	Fresh    a new builder each time
//	Shared   a sync.Pool
//
// An Inline builder needs no Source: as a local variable it stays off the heap.
//
// Invariants of a tree: keys ascend; every leaf is at the same depth; a leaf has
// at most 31 keys and a branch at most 32 children, one more than its keys; no
// node but the root is empty. Trees share nothing with the builder that made
// them. Trees may be read by many goroutines; builders and stacks belong to one.
package btree
