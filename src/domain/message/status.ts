/** The statuses of a message and of its steps, as clients parse them. */
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
  /** The client cancelled it before any carrier had it: an extension of the dialect. */
  'CANCELLED',
] as const

export type Status = (typeof STATUSES)[number]

/** Final statuses in which the recipient was not reached. */
export type Failure = Exclude<Status, 'QUEUED' | 'ACCEPTED' | 'DELIVERED' | 'READ'>
