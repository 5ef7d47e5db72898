/**
 * Checks whether a message can be sent by a template: the text is matched against header and body, the image field
 * fills a media header, the link a button. If something is missing, the reason says what.
 */
import type { TextContent } from '../../domain/message/message.ts'
import { postbackOf, suggestionsOf } from '../../domain/message/rich.ts'
import { asPlain } from '../../domain/message/rich-as-plain.ts'
import { matchText } from '../shared/match-text.ts'
import { type MediaKind, mediaKindOf, writeMedia } from './media.ts'
import type { MessageTemplate } from './message-template.ts'
import { isPattern, lengthOf, type TemplateForm, type UrlButton } from './template-form.ts'

/** The `template` object of a request, and whether Meta lists the template as marketing. */
interface FittingTemplate {
  readonly kind: 'fits'
  readonly template: object
  readonly isMarketing: boolean
}

/** `lacks`: the text fits, and something else does not. */
export type Fit =
  | FittingTemplate
  | { readonly kind: 'other text' }
  | { readonly kind: 'lacks'; readonly reason: string }

/**
 * Returns the approved templates in the order in which they are tried: those with the most text outside of placeholders
 * first.
 */
export function sendableTemplates(templates: readonly MessageTemplate[]): readonly MessageTemplate[] {
  // An address without an extension is most likely an image.
  const rank = ({ form }: MessageTemplate) => Number(form.header === 'video' || form.header === 'document')
  return templates
    .filter(({ status }) => status === 'approved')
    .sort((one, other) => lengthOf(other.form) - lengthOf(one.form) || rank(one) - rank(other))
}

/**
 * Returns the first template that fits the rich content or else the plain one; without any, the first reason why a
 * template does not quite fit, or null.
 */
export function fitFirst(templates: readonly MessageTemplate[], content: TextContent): FittingTemplate | string | null {
  const { rich } = content
  const said = rich === undefined ? null : asPlain(content, rich)
  if (rich !== undefined && said !== null) {
    const fitting = fitPlain(templates, { ...said, rich })
    if (typeof fitting === 'object' && fitting !== null) return fitting
  }
  return fitPlain(templates, content)
}

function fitPlain(templates: readonly MessageTemplate[], content: TextContent): FittingTemplate | string | null {
  let reason: string | null = null
  for (const candidate of templates) {
    const fit = fitTemplate(candidate, content)
    if (fit.kind === 'fits') return fit
    if (fit.kind === 'lacks') reason ??= `template ${candidate.name} fits the text, but ${fit.reason}`
  }
  return reason
}

export function fitTemplate({ name, language, category, form }: MessageTemplate, content: TextContent): Fit {
  const matched = matchTexts(form, content.text)
  if (matched === null) return { kind: 'other text' }
  const values = matched.body
  if (form.obstacle !== null) return { kind: 'lacks', reason: `it has ${form.obstacle}, which no message can fill` }
  const header = fitHeader(form, matched.header, content.image)
  if (header instanceof Lack) return { kind: 'lacks', reason: header.reason }
  const buttons = fitButtons(form, content, values)
  if (buttons instanceof Lack) return { kind: 'lacks', reason: buttons.reason }
  const components = [
    ...header,
    ...(values.size === 0 ? [] : [{ type: 'body', parameters: writeParameters(values, form) }]),
    ...buttons,
  ]
  const filled = components.length === 0 ? {} : { components }
  const template = { name, language: { code: language }, ...filled }
  return { kind: 'fits', template, isMarketing: category === 'MARKETING' }
}

type Values = ReadonlyMap<string, string>

class Lack {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A header with a placeholder is the first line of the message. */
function matchTexts({ header, body }: TemplateForm, text: string): { header: Values; body: Values } | null {
  if (!isPattern(header)) {
    const values = matchText(body, text)
    return values === null ? null : { header: new Map(), body: values }
  }
  const end = text.search(/[\r\n]/)
  if (end === -1) return null
  const [above, below] = [
    matchText(header, text.slice(0, end)),
    matchText(body, text.slice(end).replace(/^[\r\n]+/, '')),
  ]
  return above === null || below === null ? null : { header: above, body: below }
}

function fitHeader(form: TemplateForm, values: Values, address: string | undefined): object[] | Lack {
  const { header } = form
  if (header === null || isPattern(header)) {
    if (address !== undefined) return new Lack('it has no image, and the message has one')
    return values.size === 0 ? [] : [{ type: 'header', parameters: writeParameters(values, form) }]
  }
  if (address === undefined)
    return new Lack(`its header needs the address of ${withArticle(header)} in the image field`)
  const kind = mediaKindOf(address)
  if (kind !== null && kind !== header)
    return new Lack(`its header is ${withArticle(header)}, and the address is of ${withArticle(kind)}`)
  return [{ type: 'header', parameters: [writeMedia(header, address)] }]
}

function withArticle(kind: MediaKind): string {
  return kind === 'image' ? 'an image' : `a ${kind}`
}

/** Of the buttons that open addresses, one is that of the message. */
function fitButtons({ buttons }: TemplateForm, content: TextContent, values: Values): object[] | Lack {
  const link = content.button === undefined ? undefined : content.link
  const urls = buttons.filter((each) => each.kind === 'url')
  const named = link === undefined ? undefined : urls.find((each) => isNamed(each, content.button, link))
  const needsLink = urls.some(({ suffix }) => suffix !== 'code')
  if (link !== undefined && named === undefined) return new Lack('it has no button with this caption and address')
  if (link === undefined && needsLink)
    return new Lack('it has a button that opens an address, and the message has none')
  const replies = content.rich === undefined ? [] : suggestionsOf(content.rich).filter(({ type }) => type === 'reply')
  const filled: object[] = []
  for (const button of buttons) {
    if (button.kind === 'coupon') {
      const code = values.get(button.placeholder) ?? ''
      if (!/^\S{1,20}$/.test(code)) return new Lack('its code must be 1 to 20 characters without spaces')
      filled.push(writeButton('copy_code', button.index, { type: 'coupon_code', coupon_code: code }))
    } else if (button.kind === 'reply') {
      const reply = replies.find(({ text }) => text === button.caption)
      if (reply !== undefined) {
        filled.push(writeButton('quick_reply', button.index, { type: 'payload', payload: postbackOf(reply) }))
      }
    } else if (button.suffix !== 'none') {
      const suffix = suffixOf(button, button === named ? link : undefined, values)
      if (suffix === null) return new Lack(`nothing in the message fills the address of its button ${button.index + 1}`)
      filled.push(writeButton('url', button.index, { type: 'text', text: suffix }))
    }
  }
  return filled
}

function isNamed({ caption, url, suffix }: UrlButton, button: string | undefined, link: string): boolean {
  if (suffix === 'code' || button !== caption) return false
  return suffix === 'none' ? link === url : isLonger(link, url)
}

/** The other buttons open addresses that are part of the text. */
function suffixOf({ suffix, url }: UrlButton, link: string | undefined, values: Values): string | null {
  if (suffix === 'code') return [...values.values()][0] ?? null
  const address = link ?? [...values.values()].find((value) => isLonger(value, url))
  return address === undefined ? null : address.slice(url.length)
}

function isLonger(address: string, url: string): boolean {
  return url !== '' && address.startsWith(url) && address.length > url.length
}

function writeParameters(values: Values, { namesItsParameters }: TemplateForm): object[] {
  return [...values].map(([name, text]) => ({
    type: 'text',
    ...(namesItsParameters ? { parameter_name: name } : {}),
    text,
  }))
}

function writeButton(sub_type: 'url' | 'copy_code' | 'quick_reply', index: number, parameter: object): object {
  return { type: 'button', sub_type, index: String(index), parameters: [parameter] }
}
