/** Called when a store begins a commit; the function that it returns is called when the commit is on the disk. */
export type CommitTimer = () => () => void
