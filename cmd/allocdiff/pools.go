package main
func explainPools(s streams, args []string) (int, error) { return 0, nil }
func measureNoise(s streams, args []string) (int, error) { return 0, nil }
