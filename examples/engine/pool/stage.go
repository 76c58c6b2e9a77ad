package pool

// A Stage is a pool that can be started: a name and the entry function of its
// workers. The stages below are all there are.
type Stage struct {
	name  string
	entry func(p *Pool, id int)
}

// The stages, named as in Cassandra's tpstats and HBase's thread names.
var (
	// StressClient is the load generator's own threads.
	StressClient = Stage{"stress client", runStressClient}
	// NativeTransportRequests runs client requests; local reads run on it.
	NativeTransportRequests = Stage{"Native-Transport-Requests", runNativeTransportRequests}
	// ReadStage runs reads handed over by another thread.
	ReadStage = Stage{"ReadStage", runReadStage}
	// MutationStage applies writes to the memtable.
	MutationStage = Stage{"MutationStage", runMutationStage}
	// MemtableFlushWriter writes full memtables to sstables.
	MemtableFlushWriter = Stage{"MemtableFlushWriter", runMemtableFlushWriter}
	// CompactionExecutor merges sstables.
	CompactionExecutor = Stage{"CompactionExecutor", runCompactionExecutor}
	// RPCServerHandler is HBase's default queue: balanced, first in first out.
	RPCServerHandler = Stage{"RpcServer.default.FPBQ.Fifo", runRpcServerHandler}
	// GossipStage is the control: no ticket touches it.
	GossipStage = Stage{"GossipStage", runGossipStage}
)

// Start starts the stage's workers. It panics if threads is less than 1.
func (s Stage) Start(threads int) *Pool {
	if threads < 1 {
		panic("pool: " + s.name + " needs at least one thread")
	}
	p := &Pool{stage: s, threads: threads, queue: make(chan call, queueLength)}
	p.workers.Add(threads)
	for id := range threads {
		go s.entry(p, id)
	}
	return p
}

// The entry functions do one and the same thing. They are written out because
// their names are what a heap profile knows of a pool: not generic, not
// inlined, not closures.

//go:noinline
func runStressClient(p *Pool, id int) { p.serve(id) }

//go:noinline
func runNativeTransportRequests(p *Pool, id int) { p.serve(id) }

//go:noinline
func runReadStage(p *Pool, id int) { p.serve(id) }

//go:noinline
func runMutationStage(p *Pool, id int) { p.serve(id) }

//go:noinline
func runMemtableFlushWriter(p *Pool, id int) { p.serve(id) }

//go:noinline
func runCompactionExecutor(p *Pool, id int) { p.serve(id) }

//lint:ignore ST1003 written as in HBase, where the class is RpcServer
//go:noinline
func runRpcServerHandler(p *Pool, id int) { p.serve(id) }

//go:noinline
func runGossipStage(p *Pool, id int) { p.serve(id) }
