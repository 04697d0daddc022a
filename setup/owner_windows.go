package setup

// owner is nothing on Windows: a file takes its owner and rights from the folder.
type owner struct{}

func ownerOf(string) owner { return owner{} }

func (owner) give(string) error { return nil }
