/**
 * Checks whether Meta would accept the body of a message, by the limits of its reference, and returns what the
 * recipient sees.
 */
import { readUserId } from '../../domain/numbers/phone.ts'
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import type { ShownSuggestion } from '../phones/traffic.ts'
import { isCloudAddress, isCloudText, linkIn, readInteractive, type Shown } from './cloud-interactive.ts'

/** A template as Meta stores and lists it. */
export interface CloudTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly status: string
  readonly category: 'UTILITY' | 'MARKETING' | 'AUTHENTICATION'
  readonly rejected_reason?: string
  readonly parameter_format?: 'POSITIONAL' | 'NAMED'
  readonly components: readonly {
    readonly type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS'
    readonly format?: string
    readonly text?: string
    readonly example?: object
    readonly buttons?: readonly {
      readonly type: string
      readonly text: string
      readonly url?: string
      readonly example?: readonly string[]
    }[]
  }[]
}

export interface ShownMessage {
  readonly to: string
  readonly isTemplate: boolean
  /** The billing category: that of its template; `service` without one. */
  readonly category: string
  readonly shown: Shown
  /** Null, or the code and text of Meta's refusal. */
  readonly problem: readonly [code: number, text: string] | null
}

/** Returns the message, or what is wrong with its format. */
export function readCloudMessage(request: JsonObject, templates: readonly CloudTemplate[]): ShownMessage | string {
  const { messaging_product: product, type } = request
  const to = asText(request['to']) || asText(request['recipient'])
  if (product !== 'whatsapp') return 'messaging_product is missing'
  if (!/^\d{7,15}$/.test(asText(request['to'])) && readUserId(to) === null) return 'to is not a phone number'
  if (type === 'template') return readTemplateMessage(to, request['template'], templates)
  const shown = readFree(asText(type), request)
  return typeof shown === 'string' ? shown : { to, isTemplate: false, category: 'service', shown, problem: null }
}

function readFree(type: string, request: JsonObject): Shown | string {
  const content = request[type]
  if (!isJsonObject(content)) return `${type.slice(0, 20)} is missing`
  if (type === 'text') return isCloudText(content['body'], 4_096) ? { text: content['body'] } : 'text.body is not valid'
  if (MEDIA.includes(type)) return readMedia(content)
  return type === 'interactive' ? readInteractive(content) : 'type is not valid'
}

function readMedia({ link, caption = '' }: JsonObject): Shown | string {
  if (!isCloudAddress(link)) return 'link is not valid'
  return typeof caption === 'string' && caption.length <= 1_024 ? { text: caption, image: link } : 'caption is too long'
}

const MEDIA = ['image', 'video', 'document']

function readTemplateMessage(to: string, given: unknown, templates: readonly CloudTemplate[]): ShownMessage | string {
  if (!isJsonObject(given) || !isJsonObject(given['language'])) return 'template is not valid'
  const { name, language, components = [] } = given
  const code = isJsonObject(language) ? language['code'] : null
  const template = templates.find((each) => each.name === name && each.language === code)
  const about = { to, isTemplate: true, category: template?.category.toLowerCase() ?? '' }
  const refuse = (problem: readonly [number, string]): ShownMessage => ({ ...about, shown: { text: '' }, problem })
  if (template === undefined) return refuse([132001, 'Template does not exist in the translation'])
  if (template.status !== 'APPROVED') return refuse([132015, 'Template is paused'])
  const shown = fill(template, Array.isArray(components) ? components.filter(isJsonObject) : [])
  return shown === null ? refuse([132000, 'Number of parameters does not match']) : { ...about, shown, problem: null }
}

/** Returns null unless header, body and buttons have the parameters they need, and no others. */
function fill(template: CloudTemplate, given: readonly JsonObject[]): Shown | null {
  const find = (type: string) => template.components.find((component) => component.type === type)
  const text = fillText(find('BODY')?.text ?? '', parametersOf(given, 'body'))
  const header = fillHeader(find('HEADER'), parametersOf(given, 'header'))
  const buttons = find('BUTTONS')?.buttons ?? []
  const links = fillButtons(buttons, given)
  if (text === null || header === null || links === null) return null
  const { headline, image } = header
  const suggestions = fillReplies(buttons, given)
  const shown = { text: headline === undefined ? text : `${headline}\n${text}`, image, ...links[0] }
  return suggestions.length === 0 ? shown : { ...shown, suggestions }
}

type Component = CloudTemplate['components'][number]

function fillHeader(
  header: Component | undefined,
  parameters: readonly JsonObject[],
): { headline?: string; image?: string } | null {
  const [first] = parameters
  const kind = header?.format?.toLowerCase() ?? 'text'
  if (kind === 'text') {
    const isFixed = fillText(header?.text ?? '', []) !== null
    const headline = fillText(header?.text ?? '', parameters)
    return headline === null ? null : isFixed ? {} : { headline }
  }
  const link = first === undefined ? undefined : linkIn(first)
  const isFilled = parameters.length === 1 && first?.['type'] === kind && isCloudAddress(link)
  return isFilled ? { image: link } : null
}

/** Returns the buttons that open addresses; null unless each placeholder of a button is filled by its index. */
function fillButtons(
  buttons: NonNullable<Component['buttons']>,
  given: readonly JsonObject[],
): { button: string; link: string }[] | null {
  const links: { button: string; link: string }[] = []
  for (const [index, { type, text, url = '' }] of buttons.entries()) {
    const parameters = parametersOf(given, 'button', String(index))
    if (type === 'COPY_CODE' && !/^.{1,20}$/.test(asText(parameters[0]?.['coupon_code']))) return null
    if (type !== 'URL') continue
    const link = fillText(url, parameters)
    if (link === null) return null
    links.push({ button: text, link })
  }
  return links
}

/** A reply without a value reports its caption. */
function fillReplies(
  buttons: NonNullable<Component['buttons']>,
  given: readonly JsonObject[],
): readonly ShownSuggestion[] {
  return buttons.flatMap(({ type, text }, index) => {
    if (type !== 'QUICK_REPLY') return []
    const [parameter] = parametersOf(given, 'button', String(index))
    return [{ kind: 'reply', text, postback: asText(parameter?.['payload']) || text, reportedAs: 'button' }]
  })
}

function parametersOf(given: readonly JsonObject[], type: string, index?: string): readonly JsonObject[] {
  const parameters = given.find((each) => each['type'] === type && each['index'] === index)?.['parameters']
  return Array.isArray(parameters) ? parameters.filter(isJsonObject) : []
}

/** Returns null unless each placeholder has its parameter, by name or by position, and there are no others. */
function fillText(text: string, parameters: readonly JsonObject[]): string | null {
  const names = [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))]
  if (names.length !== parameters.length) return null
  const values = new Map(
    parameters.map((each, index) => [asText(each['parameter_name']) || names[index], asText(each['text'])]),
  )
  if (names.some((name) => !/^[^\n\t]{1,1024}$/.test(values.get(name) ?? ''))) return null
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? '')
}
