package profile

// byRoot places a sample by the frames at its root.
func (p *pooler) byRoot(frames []int32) (int32, int) {
	by := p.opts.By
	auto := by == "" || by == "auto"
	root := &p.names[frames[0]]
	if root.thread && (auto || by == "thread" || by == "root") {
		t := poolOfThread(root.text)
		p.looked = 1
		pool := p.pools.id(t.pool, "root frame, "+t.rule, root.text, t.anonymous)
		p.see(pool, rootThread+int64(frames[0]))
		return pool, byThread
	}
	if by == "thread" || !p.golang && by != "root" {
		p.looked = 1
		return p.none, byNothing
	}
	if p.isCut(frames) && !root.starter && root.system == "" {
		return p.cutPool, byNothing
	}
	if by != "root" {
		pool, ok := p.byLearned(frames)
		switch {
		case ok:
			return pool, byLearned
		case !auto:
			return p.none, byNothing
		}
	}
	return p.byEntry(frames), byEntry
}

// byLearned looks for a name that CPU labels taught.
func (p *pooler) byLearned(frames []int32) (int32, bool) {
	if p.learned == nil {
		return noPool, false
	}
	pool, looked := p.learned.find(frames)
	p.looked = looked
	if pool == noPool {
		return noPool, false
	}
	if at := frames[looked-1]; !p.taught[at] {
		p.taught[at] = true
		p.pools.from(pool, "under "+p.names[at].text)
	}
	return pool, true
}

// entryAt returns the position of the entry function: the first frame from the
// root that runs no other's work, or the leaf.
func (p *pooler) entryAt(frames []int32) int {
	at := 0
	for at < len(frames)-1 && p.names[frames[at]].starter {
		at++
	}
	return at
}

func (p *pooler) byEntry(frames []int32) int32 {
	at := p.entryAt(frames)
	n := &p.names[frames[at]]
	p.looked = max(p.looked, at+1)
	if n.starter { // a longer stack goes on to another
		p.looked = max(p.looked, at+2)
	}
	pool, ok := p.entries[frames[at]]
	if !ok {
		if n.system != "" {
			pool = p.pools.id(n.system, "frames of the Go runtime", n.text, false)
		} else {
			pool = p.pools.id(entryName(n.text), "entry function", n.text, false)
		}
		p.entries[frames[at]] = pool
	}
	return pool
}
