/** Operations of a request on the SMS templates of its account. */
import type { SmsTemplate, TemplateUsage } from '../../domain/text/template.ts'

export type TemplateItem =
  /** Stored unless the account would then exceed `max`. */
  | { readonly kind: 'template'; readonly template: SmsTemplate; readonly max: TemplateUsage }
  | TemplateList
  /** By id or by name, at least one of them; if both are given, both must match. */
  | { readonly kind: 'template removal'; readonly templateId: number | null; readonly name: string | null }

/**
 * Lists the account's SMS templates after the id `after`, ordered by id: at most `limit`, and as many as fit into
 * `maxBytes` as stored, but at least one.
 */
export interface TemplateList {
  readonly kind: 'template list'
  readonly after: number | null
  readonly limit: number
  readonly maxBytes: number
}
