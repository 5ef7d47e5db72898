/** The store's part in short links: their addresses and clicks. */
import type { MessageId } from '../domain/message-id.ts'

export interface LinkStore {
  findLinks(codes: readonly string[]): Promise<readonly ShortLink[]>
  /**
   * Adds to the counts of the links and to the statistics of messages. Returns the codes now clicked by a human and not
   * yet reported by a recorded turn.
   */
  countClicks(clicks: readonly ClickCount[]): Promise<readonly string[]>
}

export interface ShortLink {
  readonly code: string
  readonly messageId: MessageId
  readonly url: string
  readonly expiresAt: number
}

/** Clicks on a link in one hour. */
export interface ClickCount {
  readonly code: string
  readonly humans: number
  readonly robots: number
  /** The time of the first, milliseconds. */
  readonly at: number
}
