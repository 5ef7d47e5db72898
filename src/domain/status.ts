/** The statuses of a message and of its steps, in the words that clients parse. */
export type Status = 'QUEUED' | 'ACCEPTED' | 'DELIVERED' | 'READ' | Failure

/** Ends in which the person was not reached. */
export type Failure = 'EXPIRED' | 'UNDELIVERABLE' | 'REJECTED' | 'FILTERED' | 'NO ROUTE' | 'UNKNOWN'
