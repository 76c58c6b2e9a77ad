//go:build !unix

package stress

import "time"

// processCPU is 0 where the system does not tell.
func processCPU() time.Duration { return 0 }
