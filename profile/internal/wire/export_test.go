package wire

// Narrow returns a Reader whose window is as small as it can be, so that short
// inputs are read as long ones are: piece by piece, and twice.
func Narrow() *Reader { return &Reader{keep: maxHead, size: maxHead} }
