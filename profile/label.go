package profile

import "strings"

// labelClass is what a label's key says about its value, the most explicit
// about pools first.
type labelClass int

const (
	poolKey     labelClass = iota // the name of a pool, used as it stands
	threadKey                     // the name of a thread, folded by poolOfThread
	processKey                    // the name of a process; the last resort
	identityKey                   // tells threads apart, says nothing about pools
)

// labelKeys are the keys that profilers and programs use, by class and in the
// order in which they are preferred. Keys of many values (span id, request id,
// address, statement) are left out: they are no pools.
var labelKeys = [...][]string{
	poolKey:     {"pool", "thread_pool", "threadpool", "thread_type", "pebble", "coder_service", "worker", "component", "subsystem", "owner", "actor"},
	threadKey:   {"thread", "thread_name", "thread_comm", "task_name"},
	processKey:  {"comm"},
	identityKey: {"tid", "thread_id", "thread_native_id"},
}

type rankedKey struct {
	class labelClass
	rank  int
}

var keyRanks = func() map[string]rankedKey {
	ranks := map[string]rankedKey{}
	for class, keys := range labelKeys {
		for rank, key := range keys {
			ranks[key] = rankedKey{labelClass(class), rank}
		}
	}
	return ranks
}()

// foldKey makes the spellings of a key one: "Thread Name", "thread.name".
func foldKey(key string) string {
	return strings.NewReplacer(" ", "_", ".", "_", "-", "_").Replace(strings.ToLower(key))
}

// rankLabel says how a label helps to find a sample's pool: the class of its
// key and, within the class, its rank; lower is better, and a lower class
// beats any rank. ok is false for a label that does not matter.
//
// by is the way of finding pools: "" or "auto" takes all keys of labelKeys,
// "thread" leaves out those that name pools, "label:KEY" takes that key alone.
// Keys that tell threads apart matter always.
func rankLabel(key, by string) (class labelClass, rank int, ok bool) {
	folded := foldKey(key)
	known, ok := keyRanks[folded]
	if only, is := strings.CutPrefix(by, "label:"); is {
		if folded == foldKey(only) {
			if ok && known.class != identityKey {
				return known.class, known.rank, true
			}
			return poolKey, 0, true
		}
		ok = ok && known.class == identityKey
	}
	if by == "thread" && known.class == poolKey {
		ok = false
	}
	if !ok {
		return 0, 0, false
	}
	return known.class, known.rank, true
}
