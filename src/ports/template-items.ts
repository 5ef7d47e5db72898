/** What a request does with the SMS templates of its account. */
import type { SmsTemplate, TemplateRoom } from '../domain/template.ts'

export type TemplateItem =
  /** Kept unless the account would have more than `most` then. */
  | { readonly kind: 'template'; readonly template: SmsTemplate; readonly most: TemplateRoom }
  | TemplateList
  /** The one of this id or of this name, of which one is given at least; of both where both are. */
  | { readonly kind: 'template removal'; readonly templateId: number | null; readonly name: string | null }

/**
 * The account's SMS templates in the order of their ids, from behind `after` on: at most so many, and as many as fit into
 * `mostBytes` as they are stored, but one at least.
 */
export interface TemplateList {
  readonly kind: 'template list'
  readonly after: number | null
  readonly most: number
  readonly mostBytes: number
}
