package rowcache

import "syscall"

// adviseHuge asks for huge pages: a hash table as large as this misses the TLB
// at every access without. It is advice, a kernel without them may refuse.
func adviseHuge(mem []byte) { _ = syscall.Madvise(mem, syscall.MADV_HUGEPAGE) }
