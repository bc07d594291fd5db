package read

import "slices"

// keyList holds the keys of objects, which are the columns. Keys that differ only in the blanks around them or in the
// Unicode form of their letters are one key.
type keyList struct {
	keys  []string
	index map[string]int // by canonicalName of the clean key
}

// find returns the index of a key. ok is false if the list lacks it.
func (l *keyList) find(key string) (i int, ok bool) {
	if i, ok = l.index[key]; ok {
		return i, true
	}
	i, ok = l.index[canonicalName(cleanName(key))]
	return i, ok
}

// merge adds the keys of an object that the list lacks, each behind the key that stands before it in the object.
func (l *keyList) merge(keys []string) {
	following := make(map[int][]string) // new keys, by the index of the key that they follow, -1 for the start
	previous := -1
	if l.index == nil {
		l.index = make(map[string]int)
	}
	for _, key := range keys {
		if i, isKnown := l.find(key); !isKnown {
			l.index[canonicalName(cleanName(key))] = previous // until all indices are set below
			following[previous] = append(following[previous], key)
		} else {
			previous = i
		}
	}
	if len(following) == 0 {
		return
	}
	merged := slices.Clone(following[-1])
	for i, key := range l.keys {
		merged = append(append(merged, key), following[i]...)
	}
	l.keys = merged
	for i, key := range merged {
		l.index[canonicalName(cleanName(key))] = i
	}
}

// missing returns the names that no key of the list has.
func (l *keyList) missing(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, ok := l.find(name); return ok })
}
