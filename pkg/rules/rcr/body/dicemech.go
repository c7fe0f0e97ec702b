package body

// FirstError is the first of the errors that is not nil; nil when all are.
func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
