/**
 * A message template as Meta lists it, and whether a message can go out by it: the text is held against the body, image
 * and button against those of the template.
 */
import type { TextContent } from '../../domain/plan.ts'
import type { ChatTemplate } from '../../domain/template.ts'
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import { hasPlaceholder, matchText, ownLength, readTextPattern, type TextPattern } from '../match-text.ts'

export interface MessageTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  /** Of the body, with its placeholders. */
  readonly text: string
  readonly status: ChatTemplate['status']
  /** Meta's word for why it cannot be sent: `INVALID_FORMAT`, `PAUSED`; null when it has none. */
  readonly reason: string | null
  readonly category: string
  /** The same for templates that look the same to people. */
  readonly look: string
  /** Null when it is made of more than a message of ours can fill. */
  readonly form: TemplateForm | null
}

interface TemplateForm {
  readonly body: TextPattern
  readonly namesItsParameters: boolean
  readonly hasImage: boolean
  readonly button: UrlButton | null
}

interface UrlButton {
  readonly index: number
  readonly caption: string
  readonly url: string
  /** What is put at the end of `url`: nothing, the rest of the link, or the code of an authentication template. */
  readonly suffix: 'none' | 'link' | 'code'
}

/** Not all statuses of Meta have a word of ours; those that cannot be sent now and may come back are `rejected`. */
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

/** Null when it is none. */
export function readMessageTemplate(item: unknown): MessageTemplate | null {
  if (!isJsonObject(item)) return null
  const { name, language, components } = item
  const parts = Array.isArray(components) ? components.filter(isJsonObject) : []
  const text = asText(parts.find(({ type }) => type === 'BODY')?.['text'])
  if (typeof name !== 'string' || typeof language !== 'string' || text === '') return null
  return {
    id: asText(item['id']),
    name,
    language,
    text,
    status: readTemplateStatus(item['status']),
    reason: readReason(item),
    category: asText(item['category']),
    look: lookOf(parts),
    form: readForm(item, parts, text),
  }
}

export function readTemplateStatus(status: unknown): ChatTemplate['status'] {
  return STATUSES.get(asText(status)) ?? 'new'
}

const LONGEST_REASON = 100

function readReason({ status, rejected_reason }: JsonObject): string | null {
  const ours = readTemplateStatus(status)
  if (ours !== 'rejected' && ours !== 'removed') return null
  const given = asText(rejected_reason)
  const word = given === '' || given === 'NONE' ? asText(status) : given
  return word.slice(0, LONGEST_REASON).toWellFormed()
}

/** What people see of components, whatever else stands in them. */
export function lookOf(components: readonly JsonObject[]): string {
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

function readForm(item: JsonObject, parts: readonly JsonObject[], text: string): TemplateForm | null {
  const isKnown = parts.every(({ type }) => ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(asText(type)))
  const header = parts.find(({ type }) => type === 'HEADER')
  const format = asText(header?.['format'])
  const isFilled =
    header === undefined || format === 'IMAGE' || (format === 'TEXT' && !hasPlaceholder(asText(header['text'])))
  const button = readButton(parts, item['category'] === 'AUTHENTICATION')
  if (!isKnown || !isFilled || button === undefined) return null
  return {
    body: readTextPattern(text),
    namesItsParameters: item['parameter_format'] === 'NAMED',
    hasImage: format === 'IMAGE',
    button,
  }
}

/** Undefined when there are buttons that want what a message does not have. */
function readButton(parts: readonly JsonObject[], isAuthentication: boolean): UrlButton | null | undefined {
  const given = parts.find(({ type }) => type === 'BUTTONS')?.['buttons']
  const buttons = Array.isArray(given) ? given.filter(isJsonObject) : []
  if (buttons.some(({ type }) => !['URL', 'QUICK_REPLY', 'PHONE_NUMBER'].includes(asText(type)))) return undefined
  const index = buttons.findIndex(({ type }) => type === 'URL')
  const found = buttons[index]
  if (found === undefined) return null
  if (buttons.filter(({ type }) => type === 'URL').length > 1) return undefined
  const [url = '', , rest = ''] = readTextPattern(asText(found['url']))
  if (rest !== '') return undefined
  const isOpen = hasPlaceholder(asText(found['url']))
  if (isAuthentication && !isOpen) return undefined
  const suffix = isAuthentication ? 'code' : isOpen ? 'link' : 'none'
  return { index, caption: asText(found['text']), url, suffix }
}

/** The approved templates that a message can go out by, those with most text of their own first. */
export function sendableTemplates(templates: readonly MessageTemplate[]): readonly MessageTemplate[] {
  const length = ({ form }: MessageTemplate) => ownLength(form?.body ?? [])
  return templates
    .filter(({ status, form }) => status === 'approved' && form !== null)
    .sort((one, other) => length(other) - length(one))
}

/** The `template` object of the request; null when the message does not fit. */
export function fitTemplate({ name, language, form }: MessageTemplate, content: TextContent): object | null {
  if (form === null || form.hasImage !== (content.image !== undefined)) return null
  const values = matchText(form.body, content.text)
  if (values === null) return null
  const suffix = fitButton(form.button, content, values)
  if (suffix === null) return null
  const components = [
    ...(content.image === undefined
      ? []
      : [{ type: 'header', parameters: [{ type: 'image', image: { link: content.image } }] }]),
    ...(values.size === 0 ? [] : [{ type: 'body', parameters: writeParameters(values, form.namesItsParameters) }]),
    ...(suffix === '' ? [] : [writeButton(form.button?.index ?? 0, suffix)]),
  ]
  return { name, language: { code: language }, ...(components.length === 0 ? {} : { components }) }
}

function writeParameters(values: ReadonlyMap<string, string>, named: boolean): object[] {
  return [...values].map(([name, text]) => ({ type: 'text', ...(named ? { parameter_name: name } : {}), text }))
}

function writeButton(index: number, text: string): object {
  return { type: 'button', sub_type: 'url', index: String(index), parameters: [{ type: 'text', text }] }
}

/** What goes to the end of the button's address; empty when it has none of its own, null when the button does not fit. */
function fitButton(button: UrlButton | null, content: TextContent, values: ReadonlyMap<string, string>): string | null {
  const link = content.button === undefined ? undefined : content.link
  if (button === null || button.suffix === 'code') {
    if (link !== undefined) return null
    return button === null ? '' : ([...values.values()][0] ?? null)
  }
  if (link === undefined || content.button !== button.caption) return null
  if (button.suffix === 'none') return link === button.url ? '' : null
  return link.startsWith(button.url) && link.length > button.url.length ? link.slice(button.url.length) : null
}
