/**
 * Submits a template for Meta's review, once. A name and a language have one template: a listed template is returned
 * with its status, a rejected one is edited, and a missing one is created.
 */
import type { TemplateAnswer, TemplateDraft } from '../../ports/carriers/carrier.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { readTextPattern } from '../shared/match-text.ts'
import { readGraphError } from './graph-error.ts'
import { appearanceOf, type MessageTemplate, readTemplateStatus } from './message-template.ts'

/** The request: for the account if the template is new, or for a listed template. */
export type TemplateRequest =
  | { readonly kind: 'create'; readonly body: JsonObject }
  | { readonly kind: 'edit'; readonly id: string; readonly body: JsonObject }

/** Returns the request that a draft needs; or the answer, if it needs none. */
export function planTemplateSubmission(
  draft: TemplateDraft,
  listed: readonly MessageTemplate[],
): TemplateRequest | TemplateAnswer {
  const written = writeTemplate(draft)
  if (typeof written === 'string') return { kind: 'refused', reason: written }
  const { name, language } = draft
  const { category, components, message_send_ttl_seconds: seconds } = written
  const lifetime = seconds === undefined ? {} : { message_send_ttl_seconds: seconds }
  const there = listed.find((each) => each.name === name && each.language === language && each.status !== 'removed')
  if (there === undefined) return { kind: 'create', body: { name, language, ...written } }
  if (there.status === 'rejected') {
    // Meta accepts a category in an edit only if it changes.
    const changed = there.category === category ? {} : { category }
    return { kind: 'edit', id: there.id, body: { ...changed, ...lifetime, components } }
  }
  if (there.appearance === appearanceOf(components)) return { kind: 'taken', status: there.status }
  return { kind: 'refused', reason: `there is another template named ${name} in ${language}: choose another name` }
}

interface WrittenTemplate {
  readonly category: string
  readonly parameter_format?: 'NAMED'
  readonly message_send_ttl_seconds?: number
  readonly components: readonly JsonObject[]
}

/** Returns the template without name and language, or the reason why the draft is invalid. */
function writeTemplate(draft: TemplateDraft): WrittenTemplate | string {
  const { text, category, examples, footer } = draft
  const names = [...new Set(readTextPattern(text).filter((_, index) => index % 2 === 1))]
  const given = Object.keys(examples)
  const wanted = names.filter((name) => (examples[name] ?? '').trim() === '')
  const unknown = given.filter((name) => !names.includes(name))
  if (wanted.length > 0) return `examples: wanted is one for ${wanted.map((name) => `{{${name}}}`).join(', ')}`
  if (unknown.length > 0) return `examples: the text has no {{${unknown[0]?.slice(0, 60)}}}`
  const isNamed = names.some((name) => !/^\d+$/.test(name))
  const values = names.map((name) => examples[name] ?? '')
  const example = isNamed
    ? { body_text_named_params: names.map((name) => ({ param_name: name, example: examples[name] })) }
    : { body_text: [values] }
  const buttons = writeButtons(draft)
  if (typeof buttons === 'string') return buttons
  const lifetime = writeLifetime(draft)
  if (typeof lifetime === 'string') return lifetime
  return {
    category: category.toUpperCase(),
    ...(isNamed ? { parameter_format: 'NAMED' } : {}),
    ...lifetime,
    components: [
      { type: 'BODY', text, ...(names.length === 0 ? {} : { example }) },
      ...(footer === undefined ? [] : [{ type: 'FOOTER', text: footer }]),
      ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons }]),
    ],
  }
}

/** Meta's limits, seconds. */
const LIFETIMES = { utility: [30, 43_200], marketing: [43_200, 2_592_000] } as const

function writeLifetime({
  category,
  lifetimeSeconds,
}: TemplateDraft): Pick<WrittenTemplate, 'message_send_ttl_seconds'> | string {
  if (lifetimeSeconds === undefined) return {}
  const [min, max] = LIFETIMES[category]
  if (lifetimeSeconds >= min && lifetimeSeconds <= max) return { message_send_ttl_seconds: lifetimeSeconds }
  return `lifetime: must be ${min} to ${max} seconds for ${category}`
}

/** Meta wants all replies in a row. */
function writeButtons({ replies = [], button }: TemplateDraft): readonly JsonObject[] | string {
  const captions = [...replies, ...(button === undefined ? [] : [button.caption])]
  if (new Set(captions).size < captions.length) return 'replies: captions of buttons must differ'
  const link = button === undefined ? [] : writeLink(button)
  if (typeof link === 'string') return link
  return [...replies.map((text) => ({ type: 'QUICK_REPLY', text })), ...link]
}

function writeLink({ caption, link, example }: NonNullable<TemplateDraft['button']>): readonly JsonObject[] | string {
  const hasPlaceholder = readTextPattern(link).length > 1
  if (hasPlaceholder && example === undefined) return 'link_example: wanted for the placeholder of the link'
  if (!hasPlaceholder && example !== undefined) return 'link_example: the link has no placeholder'
  const shown = example === undefined ? {} : { example: [example] }
  return [{ type: 'URL', text: caption, url: link, ...shown }]
}

/** Reads the answer to a request. */
export function readTemplateAnswer({ kind }: TemplateRequest, result: HttpResult): TemplateAnswer {
  if (result.kind === 'silent') return { kind: 'unclear', reason: result.reason }
  const answer = parseJsonObject(result.body)
  if (result.status === 200 && kind === 'edit' && answer?.['success'] === true) {
    return { kind: 'taken', status: 'resubmitted' }
  }
  if (result.status === 200 && kind === 'create' && answer?.['id'] !== undefined) {
    const status = readTemplateStatus(answer['status'])
    return { kind: 'taken', status: status === 'new' ? 'submitted' : status }
  }
  const error = readGraphError(result.body)
  if (error === null || result.status >= 500) return { kind: 'unclear', reason: `HTTP ${result.status}` }
  return { kind: 'refused', reason: error.words }
}
