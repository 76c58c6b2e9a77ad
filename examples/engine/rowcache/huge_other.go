//go:build unix && !linux

package rowcache

// adviseHuge does nothing: such systems decide for themselves.
func adviseHuge([]byte) {}
