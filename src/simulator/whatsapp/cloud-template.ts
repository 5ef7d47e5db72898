/** Checks whether Meta would accept a template for review, by the rules of its reference. */
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import { isCloudText } from './cloud-interactive.ts'
import type { CloudTemplate } from './cloud-message.ts'

type NewTemplate = Omit<CloudTemplate, 'id'>
type Component = CloudTemplate['components'][number]

const FIELDS = [
  ...['name', 'language', 'category', 'parameter_format', 'components', 'allow_category_change'],
  'message_send_ttl_seconds',
]
const LIFETIMES = { UTILITY: [30, 43_200], MARKETING: [43_200, 2_592_000] } as const
const EDITED_STATUSES = ['APPROVED', 'REJECTED', 'PAUSED']

export function templateNameOf({ name, language, category, parameter_format }: CloudTemplate): JsonObject {
  return { name, language, category, ...(parameter_format === undefined ? {} : { parameter_format }) }
}

export function isSameName(one: Pick<CloudTemplate, 'name' | 'language'>, other: typeof one): boolean {
  return one.name === other.name && one.language === other.language
}

/** Returns the template under review, or what is wrong with it. `before` is the template that it replaces. */
export function readNewTemplate(request: JsonObject, before: CloudTemplate | null): NewTemplate | string {
  const { name, language, category, parameter_format: format = 'POSITIONAL', components } = request
  const unknown = Object.keys(request).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) return `${unknown} is not a field of a template.`
  if (before !== null && !EDITED_STATUSES.includes(before.status)) return 'A template under review cannot be edited.'
  if (!/^[a-z0-9_]{1,512}$/.test(asText(name))) return 'name is not valid.'
  if (!/^[a-z]{2,3}(_[A-Z]{2,3})?$/.test(asText(language))) return 'language is not valid.'
  if (category !== 'UTILITY' && category !== 'MARKETING') return 'category is not valid.'
  if (format !== 'POSITIONAL' && format !== 'NAMED') return 'parameter_format is not valid.'
  const [min, max] = LIFETIMES[category]
  const lifetime = request['message_send_ttl_seconds'] ?? min
  if (typeof lifetime !== 'number' || lifetime < min || lifetime > max) return 'message_send_ttl_seconds is not valid.'
  const parts = Array.isArray(components) && components.every(isJsonObject) ? components : []
  const wrong = findWrong(parts, format)
  if (wrong !== null) return wrong
  const written = { name: asText(name), language: asText(language), category, parameter_format: format } as const
  return {
    ...written,
    status: 'PENDING',
    rejected_reason: 'NONE',
    components: parts as unknown as readonly Component[],
  }
}

function findWrong(parts: readonly JsonObject[], format: 'POSITIONAL' | 'NAMED'): string | null {
  const types = parts.map(({ type }) => asText(type))
  if (new Set(types).size < types.length || !types.includes('BODY')) return 'components wants one BODY.'
  for (const part of parts) {
    const wrong = { BODY: findWrongBody, FOOTER: findWrongFooter, BUTTONS: findWrongButtons }[asText(part['type'])]
    if (wrong === undefined) return `components has an unknown type ${asText(part['type'])}.`
    const words = wrong(part, format)
    if (words !== null) return words
  }
  return null
}

function findWrongBody({ type, text, example, ...rest }: JsonObject, format: 'POSITIONAL' | 'NAMED'): string | null {
  if (type !== 'BODY' || Object.keys(rest).length > 0) return 'The body has unknown fields.'
  if (!isCloudText(text, 1_024)) return 'The text of the body is not valid.'
  if (/^\s*\{\{|\}\}\s*$/.test(text)) return 'Variables can’t be at the start or end of the template.'
  const names = placeholdersIn(text)
  if (names.length === 0) return example === undefined ? null : 'The body has an example and no variable.'
  const form = format === 'NAMED' ? /^[a-z_][a-z0-9_]*$/ : /^\d+$/
  if (names.some((name) => !form.test(name))) return 'Variables have the wrong form.'
  if (format === 'POSITIONAL' && names.some((name, index) => name !== String(index + 1))) {
    return 'Variables are not in order.'
  }
  return hasExamples(example, names, format) ? null : 'The body has variables without examples.'
}

function hasExamples(example: unknown, names: readonly string[], format: 'POSITIONAL' | 'NAMED'): boolean {
  if (!isJsonObject(example) || Object.keys(example).length !== 1) return false
  const { body_text: places, body_text_named_params: named } = example
  if (format === 'NAMED') {
    const given = Array.isArray(named) ? named.filter(isJsonObject) : []
    return (
      given.length === names.length &&
      names.every((name) => given.some((each) => each['param_name'] === name && isCloudText(each['example'], 1_024)))
    )
  }
  const [row] = Array.isArray(places) && places.length === 1 ? places : []
  return Array.isArray(row) && row.length === names.length && row.every((value) => isCloudText(value, 1_024))
}

function findWrongFooter({ type, text, ...rest }: JsonObject): string | null {
  const isGood = type === 'FOOTER' && Object.keys(rest).length === 0 && isCloudText(text, 60)
  return isGood && placeholdersIn(text).length === 0 ? null : 'The footer is not valid.'
}

function findWrongButtons({ buttons, type, ...rest }: JsonObject): string | null {
  const all = Array.isArray(buttons) && buttons.every(isJsonObject) ? buttons : []
  if (type !== 'BUTTONS' || all.length === 0 || Object.keys(rest).length > 0) return 'The buttons are not valid.'
  if (!all.every(isButton) || all.length > 10) return 'A button is not valid.'
  if (new Set(all.map(({ text }) => text)).size < all.length) return 'Two buttons have one text.'
  const areReplies = all.map(({ type: kind }) => kind === 'QUICK_REPLY')
  const changes = areReplies.filter((isReply, index) => index > 0 && isReply !== areReplies[index - 1])
  return changes.length > 1 ? 'Quick replies are not in a row.' : null
}

function isButton({ type, text, url, example, ...rest }: JsonObject): boolean {
  if (type === 'QUICK_REPLY') return isCloudText(text, 25) && url === undefined && Object.keys(rest).length === 0
  if (type !== 'URL' || !isCloudText(text, 25) || !isCloudText(url, 2_000) || Object.keys(rest).length > 0) return false
  if (!/^https?:\/\/[^{}]+(\{\{1\}\})?$/.test(url)) return false
  const isOpen = url.endsWith('{{1}}')
  return isOpen
    ? Array.isArray(example) && example.length === 1 && isCloudText(example[0], 2_000)
    : example === undefined
}

function placeholdersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name))]
}
