// Package cellblock is the reply path of an HBase region server: scans merge
// the cells of a region, and the cells are encoded into one buffer, the cell
// block, that goes to the client behind the reply's header (HBASE-13142).
//
//	Region -> Scanner -> IPC.BuildCellBlock -> Conn.Reply -> IPC.Done
//
// Where the buffer comes from is the ticket: a new one that doubles as it fills,
// or one of a BoundedPool. All lengths are in bytes. A Region may be read by
// many goroutines, a Scanner belongs to one, IPC and BoundedPool may be shared.
package cellblock
