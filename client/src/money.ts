/** The fields and results of `posting/list` and `statement/get`. */

export interface PostingListFields {
  /** `next` of an earlier answer: the list continues with older postings. */
  readonly after?: string | number | undefined
  /** Maximum of postings: 1 to 500, by default 100. */
  readonly limit?: number | string | undefined
}

export interface StatementFields {
  /** Year and month, such as 2026-11. */
  readonly month: string
  /** Time zone of the month, such as Europe/Berlin; by default UTC. */
  readonly zone?: string | undefined
}

export interface Posting {
  /** RFC 3339. */
  readonly at: string
  readonly kind: 'top-up' | 'correction' | 'hold' | 'charge' | 'release'
  /** A correction may be below zero, the others are not. */
  readonly amount: number
  /** The message that it is for; null for none. */
  readonly msg_id: number | null
  /** Of a charge; `lookup` of a number lookup. */
  readonly channel: string | null
  /** MCC and MNC, of a charge; null if unknown. */
  readonly operator: string | null
  /** Parts of the message, of a charge. */
  readonly parts: number | null
  readonly note: string | null
}

/** The newest first. */
export interface Postings {
  readonly postings: readonly Posting[]
  /** The `after` of the next request; null if these are the last. */
  readonly next: string | null
}

export interface Statement {
  readonly month: string
  /** The time zone of the month. */
  readonly zone: string
  /** No month before it has postings; at most this one. */
  readonly first_month: string
  /** Whether nothing more is posted in the month. */
  readonly closed: boolean
  /** The balance at its beginning, with what was held. */
  readonly opening: number
  readonly top_ups: number
  /** Below zero if more was taken away than added. */
  readonly corrections: number
  readonly charges: number
  /** Opening, top-ups and corrections, less charges. */
  readonly closing: number
  /** The charges. */
  readonly lines: readonly {
    readonly channel: string | null
    readonly operator: string | null
    readonly messages: number
    readonly parts: number
    readonly amount: number
  }[]
  /** Top-ups and corrections: the first ones, as many as an answer holds. */
  readonly payments: readonly {
    readonly at: string
    readonly kind: 'top-up' | 'correction'
    readonly amount: number
    readonly note: string | null
  }[]
  /** ISO 4217. */
  readonly currency: string
}
