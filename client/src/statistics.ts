/** The fields and the lines of `statistics`. */

export interface StatisticsFields {
  /** First day, such as 2026-11-30, or hour, such as 2026-11-30T14, UTC; by default the last day. */
  readonly from?: string | undefined
  /** Last day or hour, included; by default today. */
  readonly through?: string | undefined
  /** One line for the whole time (`total`, the default), or one for each day or hour. */
  readonly resolution?: 'total' | 'day' | 'hour' | undefined
  /** Groups of the lines; by default none. */
  readonly by?: readonly ('channel' | 'operator' | 'country' | 'sender' | 'status')[] | undefined
}

/** Groups that were not asked for are null. */
export interface StatisticsLine {
  /** The day or hour, UTC; null for the whole time. */
  readonly time: string | null
  readonly channel: string | null
  /** MCC and MNC; null if unknown. */
  readonly operator: string | null
  /** ISO 3166; null if unknown. */
  readonly country: string | null
  readonly sender: string | null
  readonly status: string | null
  /** Messages accepted, under their first channel. */
  readonly asked: number
  /** Messages that a carrier took, once per channel. */
  readonly taken: number
  readonly delivered: number
  readonly read: number
  /** Messages that ended without a delivery. */
  readonly failed: number
  readonly cancelled: number
  /** Messages that went on to the next channel. */
  readonly fallen_back: number
  /** Parts of the messages that a carrier took. */
  readonly parts: number
  /** Messages with a click by a human on a short link. */
  readonly clicked: number
  /** Clicks by humans on short links, in the hour of the click. */
  readonly clicks: number
  readonly robot_clicks: number
  /** Share from 0 to 1 of those taken that have ended; null of nothing. */
  readonly delivered_of_taken: number | null
  /** The same of those asked; null if grouped by channel, sender or status. */
  readonly delivered_of_asked: number | null
  /** Seconds within which 50 of 100 were delivered; estimated. */
  readonly p50_seconds: number | null
  readonly p95_seconds: number | null
  readonly p99_seconds: number | null
  /** Reports that hooks accepted. */
  readonly reports_sent: number
  /** Reports that were given up. */
  readonly reports_failed: number
  /** What was charged. */
  readonly price: number
  /** ISO 4217. */
  readonly currency: string
}
