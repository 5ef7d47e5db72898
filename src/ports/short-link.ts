/** Short links as the store knows them. */
import type { MessageId } from '../domain/message-id.ts'

export interface ShortLink {
  readonly code: string
  readonly messageId: MessageId
  readonly url: string
  readonly expiresAt: number
}

export interface ClickCount {
  readonly code: string
  readonly people: number
  readonly robots: number
}
