/** The phones that benchmarks send to: a prefix, and seven digits that are the number of the message. */
export const PREFIX = '49170'
/** Messages to these are few, and the time of each is noted. */
export const TRICKLE_PREFIX = '49171'
