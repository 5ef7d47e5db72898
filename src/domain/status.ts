/** The statuses of a message and of its steps, in the words that clients parse. */
export const STATUSES = [
  'QUEUED',
  'ACCEPTED',
  'DELIVERED',
  'READ',
  'EXPIRED',
  'UNDELIVERABLE',
  'REJECTED',
  'FILTERED',
  'NO ROUTE',
  'UNKNOWN',
  /** The client took it back before any carrier had it: an extension of the dialect. */
  'CANCELLED',
] as const

export type Status = (typeof STATUSES)[number]

/** Ends in which the person was not reached. */
export type Failure = Exclude<Status, 'QUEUED' | 'ACCEPTED' | 'DELIVERED' | 'READ'>
