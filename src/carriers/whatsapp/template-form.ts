/** The values that a template of Meta's needs, read from its components. */
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import { hasPlaceholder, ownLength, readTextPattern, type TextPattern } from '../shared/match-text.ts'
import type { MediaKind } from './media.ts'

export interface TemplateForm {
  /** Null without a header, or with a header without placeholders. */
  readonly header: TextPattern | MediaKind | null
  readonly body: TextPattern
  readonly namesItsParameters: boolean
  /** Buttons that open addresses, copy a code or answer, in their order; others need no value. */
  readonly buttons: readonly (UrlButton | CouponButton | ReplyButton)[]
  /** A part that no message can fill, such as `a location header`; null if there is none. */
  readonly obstacle: string | null
}

export interface UrlButton {
  readonly kind: 'url'
  readonly index: number
  readonly caption: string
  readonly url: string
  /** What is appended to `url`: nothing, the rest of the link, or the code of an authentication template. */
  readonly suffix: 'none' | 'link' | 'code'
}

/** Copies a code, which is the value of one of the body's placeholders. */
interface CouponButton {
  readonly kind: 'coupon'
  readonly index: number
  readonly placeholder: string
}

/** May have a value that Meta reports when it is tapped. */
interface ReplyButton {
  readonly kind: 'reply'
  readonly index: number
  readonly caption: string
}

const COMPONENTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']
const MEDIA: ReadonlyMap<string, MediaKind> = new Map([
  ['IMAGE', 'image'],
  ['VIDEO', 'video'],
  ['DOCUMENT', 'document'],
])
/** Buttons that need no value. */
const PLAIN_BUTTONS = ['PHONE_NUMBER', 'VOICE_CALL']

export function readTemplateForm(item: JsonObject, parts: readonly JsonObject[]): TemplateForm {
  const body = parts.find(({ type }) => type === 'BODY')
  const pattern = readTextPattern(asText(body?.['text']))
  const header = readHeader(parts.find(({ type }) => type === 'HEADER'))
  const buttons = readButtons(parts, { body, isAuthentication: item['category'] === 'AUTHENTICATION' })
  const unknown = parts.find(({ type }) => !COMPONENTS.includes(asText(type)))
  const obstacles = [
    ...(unknown === undefined ? [] : [`a ${wordOf(unknown['type'])}`]),
    ...[header, ...buttons].flatMap((each) => (each instanceof Obstacle ? each.words : [])),
  ]
  return {
    header: header instanceof Obstacle ? null : header,
    body: pattern,
    namesItsParameters: item['parameter_format'] === 'NAMED',
    buttons: buttons.flatMap((each) => (each instanceof Obstacle ? [] : each)),
    obstacle: obstacles[0] ?? null,
  }
}

/** Returns the length of the text outside of placeholders that a message must match. */
export function lengthOf({ header, body }: TemplateForm): number {
  return ownLength(body) + (isPattern(header) ? ownLength(header) : 0)
}

export function isPattern(header: TemplateForm['header']): header is TextPattern {
  return typeof header === 'object' && header !== null
}

class Obstacle {
  readonly words: string

  constructor(words: string) {
    this.words = words
  }
}

function readHeader(header: JsonObject | undefined): TemplateForm['header'] | Obstacle {
  if (header === undefined) return null
  const format = asText(header['format'])
  if (format === 'TEXT') {
    const text = asText(header['text'])
    return hasPlaceholder(text) ? readTextPattern(text) : null
  }
  return MEDIA.get(format) ?? new Obstacle(`a ${wordOf(format)} header`)
}

interface ButtonTools {
  readonly body: JsonObject | undefined
  readonly isAuthentication: boolean
}

function readButtons(
  parts: readonly JsonObject[],
  tools: ButtonTools,
): readonly (TemplateForm['buttons'][number] | Obstacle)[] {
  const given = parts.find(({ type }) => type === 'BUTTONS')?.['buttons']
  const buttons = Array.isArray(given) ? given.filter(isJsonObject) : []
  return buttons.flatMap((button, index) => {
    const type = asText(button['type'])
    if (PLAIN_BUTTONS.includes(type)) return []
    if (type === 'QUICK_REPLY') return { kind: 'reply', index, caption: asText(button['text']) }
    if (type === 'URL') return readUrlButton(button, index, tools.isAuthentication)
    if (type === 'COPY_CODE') return readCouponButton(button, index, tools.body)
    return new Obstacle(`a ${wordOf(type)} button`)
  })
}

function readUrlButton(button: JsonObject, index: number, isAuthentication: boolean): UrlButton | Obstacle {
  const address = asText(button['url'])
  const [url = '', , rest = ''] = readTextPattern(address)
  const isOpen = hasPlaceholder(address)
  if (rest !== '') return new Obstacle('a button whose placeholder is not at the end of its address')
  if (isAuthentication && !isOpen) return new Obstacle('a button without a code')
  const suffix = isAuthentication ? 'code' : isOpen ? 'link' : 'none'
  return { kind: 'url', index, caption: asText(button['text']), url, suffix }
}

/** Finds the placeholder of the code: the one with the example of the button, the one named so, or the only one. */
function readCouponButton(button: JsonObject, index: number, body: JsonObject | undefined): CouponButton | Obstacle {
  const names = readTextPattern(asText(body?.['text'])).filter((_, place) => place % 2 === 1)
  const code = asText(Array.isArray(button['example']) ? button['example'][0] : button['example'])
  const byExample = readExamples(body?.['example'], names).find(([, example]) => code !== '' && example === code)?.[0]
  const byName = names.find((name) => name === 'coupon_code' || name === 'code')
  const placeholder = byExample ?? byName ?? (new Set(names).size === 1 ? names[0] : undefined)
  if (placeholder === undefined) return new Obstacle('a copy-code button whose code is not in the text')
  return { kind: 'coupon', index, placeholder }
}

/** Returns pairs of placeholder and example. */
function readExamples(example: unknown, names: readonly string[]): readonly (readonly [string, string])[] {
  if (!isJsonObject(example)) return []
  const { body_text: rows, body_text_named_params: named } = example
  if (Array.isArray(named)) {
    return named.filter(isJsonObject).map((each) => [asText(each['param_name']), asText(each['example'])])
  }
  const row: unknown = Array.isArray(rows) ? rows[0] : null
  const places = [...new Set(names)]
  return Array.isArray(row) ? row.flatMap((value, place) => [[places[place] ?? '', asText(value)] as const]) : []
}

function wordOf(type: unknown): string {
  return asText(type).toLowerCase().replaceAll('_', ' ').slice(0, 40).toWellFormed()
}
