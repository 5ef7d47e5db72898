/** The port that sends notifications of alarms to operators. */
import type { NotificationTarget } from '../../domain/alarms/notification.ts'
import type { Notice } from '../../domain/alarms/notification-text.ts'

export interface NotificationPost {
  /** Never rejects; answers in bounded time. */
  send(target: NotificationTarget, notice: Notice): Promise<NotificationResult>
  /** Aborts what is being sent: it answers `failed`. */
  stop(): Promise<void>
}

export type NotificationResult =
  | { readonly kind: 'sent' }
  /** It is unknown whether the target got it, or it refused. */
  | { readonly kind: 'failed'; readonly reason: string }
