package rowcache

import (
	"encoding/binary"
	"math/bits"
)

// hash mixes a key as wyhash does, always the same way, so that runs evict alike.
func hash(k Key) uint64 {
	a, b := binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])
	high, low := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	high, low = bits.Mul64(high^low^0x8ebc6af09c88c6e3, 0x589965cc75374cc3)
	return high ^ low
}
