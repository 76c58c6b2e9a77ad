package wire_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

var composed = flag.Int("composed", 3000, "how many profiles TestComposed makes up")

// TestComposed reads profiles made up at random, and makes sure that these are
// of all sorts: a comparison of refusals alone would say little.
func TestComposed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var accepted, samples, syntax, invalid, concatenated, stream int
	for range *composed {
		choices := make([]byte, random.IntN(1200))
		quiet := random.IntN(3) > 0 // without the rare choices
		for i := range choices {
			choices[i] = byte(random.Uint32())
			if quiet && choices[i]%64 == 63 {
				choices[i]--
			}
		}
		data := compose(t, choices)
		agreeAll(t, data)
		p, _, err := read(usual, data)
		var s *wire.SyntaxError
		var i *wire.InvalidError
		var c *wire.ConcatenatedError
		var e *wire.StreamError
		switch {
		case err == nil:
			accepted++
			samples += len(p.Sample)
		case errors.As(err, &s):
			syntax++
		case errors.As(err, &i):
			invalid++
		case errors.As(err, &c):
			concatenated++
		case errors.As(err, &e):
			stream++
		default:
			t.Fatalf("got an error of no known type: %v", err)
		}
	}
	t.Logf("%d accepted with %d samples, refused: %d syntax, %d invalid, %d concatenated, %d stream",
		accepted, samples, syntax, invalid, concatenated, stream)
	for _, n := range []int{accepted, samples, syntax, invalid, concatenated, stream} {
		if n < *composed/100 {
			t.Errorf("got %d of one sort among %d, want one in a hundred or more", n, *composed)
		}
	}
}
