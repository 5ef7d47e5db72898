/** Templates: texts that an account keeps. SMS templates are its own; chat-app templates are approved by the messenger. */
import type { AccountId } from './account.ts'

export interface SmsTemplate {
  /** Unique over the installation; made like a message id. */
  readonly id: number
  readonly accountId: AccountId
  /** Unique within its account. */
  readonly name: string
  readonly template: string
}

/** How many SMS templates an account keeps, and the bytes that their texts take in the database. */
export interface TemplateRoom {
  readonly count: number
  readonly bytes: number
}

/** Returns whether one more template of so many bytes fits. */
export function hasRoom(kept: TemplateRoom, bytes: number, most: TemplateRoom): boolean {
  return kept.count < most.count && kept.bytes + bytes <= most.bytes
}

export const CHAT_TEMPLATE_STATUSES = ['new', 'submitted', 'resubmitted', 'rejected', 'removed', 'approved'] as const
type ChatTemplateStatus = (typeof CHAT_TEMPLATE_STATUSES)[number]

export interface ChatTemplate {
  readonly id: number
  readonly accountId: AccountId
  readonly template: string
  readonly signature: string
  readonly status: ChatTemplateStatus
  /** The carrier whose list it is in; absent when an operator noted it by hand. */
  readonly carrierId?: string
}

/** The status after the messenger's word: it does not tell a text that was handed in again from one that is new to it. */
export function followStatus(before: ChatTemplateStatus | undefined, said: ChatTemplateStatus): ChatTemplateStatus {
  return before === 'resubmitted' && said === 'submitted' ? before : said
}
