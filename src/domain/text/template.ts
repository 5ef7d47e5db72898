/**
 * Templates: texts stored for an account. SMS templates are its own; chat-app templates are approved by the messenger.
 */
import type { AccountId } from '../ids/account-id.ts'

export interface SmsTemplate {
  /** Unique over the installation; made like a message id. */
  readonly id: number
  readonly accountId: AccountId
  /** Unique within its account. */
  readonly name: string
  readonly template: string
}

/** Number of SMS templates of an account and the bytes of their texts in the database. */
export interface TemplateUsage {
  readonly count: number
  readonly bytes: number
}

/** Returns whether one more template of so many bytes fits. */
export function hasRoom(kept: TemplateUsage, bytes: number, max: TemplateUsage): boolean {
  return kept.count < max.count && kept.bytes + bytes <= max.bytes
}

export const CHAT_TEMPLATE_STATUSES = ['new', 'submitted', 'resubmitted', 'rejected', 'removed', 'approved'] as const
type ChatTemplateStatus = (typeof CHAT_TEMPLATE_STATUSES)[number]

export interface ChatTemplate {
  readonly id: number
  readonly accountId: AccountId
  readonly template: string
  readonly signature: string
  readonly status: ChatTemplateStatus
  /** The carrier that listed it; absent if an operator set it manually. */
  readonly carrierId?: string
}

/** Returns the status after the messenger's answer, which does not distinguish a resubmitted text from a new one. */
export function followStatus(before: ChatTemplateStatus | undefined, said: ChatTemplateStatus): ChatTemplateStatus {
  return before === 'resubmitted' && said === 'submitted' ? before : said
}
