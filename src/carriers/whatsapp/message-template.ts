/** A message template as Meta lists it. */
import type { ChatTemplate } from '../../domain/text/template.ts'
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import { isPattern, readTemplateForm, type TemplateForm } from './template-form.ts'

export interface MessageTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  /** The text of its messages, with placeholders: the body, below a header that has placeholders too. */
  readonly text: string
  readonly status: ChatTemplate['status']
  /** Meta's reason why it cannot be sent: `INVALID_FORMAT`, `PAUSED`; null for none. */
  readonly reason: string | null
  readonly category: string
  /** The same for templates that look the same to recipients. */
  readonly appearance: string
  readonly form: TemplateForm
}

/** Meta has more statuses; those that cannot be sent now and may be approved again are `rejected`. */
const STATUSES: ReadonlyMap<string, ChatTemplate['status']> = new Map([
  ['APPROVED', 'approved'],
  ['PENDING', 'submitted'],
  ['IN_APPEAL', 'resubmitted'],
  ['REJECTED', 'rejected'],
  ['PAUSED', 'rejected'],
  ['LIMIT_EXCEEDED', 'rejected'],
  ['DISABLED', 'removed'],
  ['DELETED', 'removed'],
  ['PENDING_DELETION', 'removed'],
  ['ARCHIVED', 'removed'],
])

/** Returns null if the item is not a template. */
export function readMessageTemplate(item: unknown): MessageTemplate | null {
  if (!isJsonObject(item)) return null
  const { name, language, components } = item
  const parts = Array.isArray(components) ? components.filter(isJsonObject) : []
  const body = asText(parts.find(({ type }) => type === 'BODY')?.['text'])
  if (typeof name !== 'string' || typeof language !== 'string' || body === '') return null
  const form = readTemplateForm(item, parts)
  const header = isPattern(form.header) ? `${asText(parts.find(({ type }) => type === 'HEADER')?.['text'])}\n` : ''
  return {
    id: asText(item['id']),
    name,
    language,
    text: header + body,
    status: readTemplateStatus(item['status']),
    reason: readReason(item),
    category: asText(item['category']),
    appearance: appearanceOf(parts),
    form,
  }
}

export function readTemplateStatus(status: unknown): ChatTemplate['status'] {
  return STATUSES.get(asText(status)) ?? 'new'
}

const MAX_REASON = 100

function readReason({ status, rejected_reason }: JsonObject): string | null {
  const ours = readTemplateStatus(status)
  if (ours !== 'rejected' && ours !== 'removed') return null
  const given = asText(rejected_reason)
  const word = given === '' || given === 'NONE' ? asText(status) : given
  return word.slice(0, MAX_REASON).toWellFormed()
}

/** Returns the visible parts of components as one text. */
export function appearanceOf(components: readonly JsonObject[]): string {
  const seen = components.map(({ type, format, text, buttons }) => [
    asText(type),
    asText(format),
    asText(text),
    (Array.isArray(buttons) ? buttons.filter(isJsonObject) : []).map((each) => [
      asText(each['type']),
      asText(each['text']),
      asText(each['url']),
    ]),
  ])
  return JSON.stringify(seen.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)))
}
