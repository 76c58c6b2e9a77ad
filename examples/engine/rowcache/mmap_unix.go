//go:build unix

package rowcache

import "syscall"

func mapMemory(size int) ([]byte, error) {
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err == nil {
		adviseHuge(mem)
	}
	return mem, err
}

func unmapMemory(mem []byte) error { return syscall.Munmap(mem) }
