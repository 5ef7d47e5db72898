/** Checks interactive messages of the Cloud API by the limits of its reference, and returns what the recipient sees. */
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import type { PhoneArrival, ShownCard, ShownSuggestion } from '../phones/traffic.ts'

export type Shown = Pick<PhoneArrival, 'text' | 'image' | 'button' | 'link' | 'suggestions' | 'cards'>

const MEDIA = ['image', 'video', 'document']

/** Returns what the recipient sees, or what is wrong with it. */
export function readInteractive({ type, header, body, action }: JsonObject): Shown | string {
  const text = isJsonObject(body) ? body['text'] : null
  if (!isCloudText(text, 1_024)) return 'body.text is not valid'
  if (!isJsonObject(action)) return 'action is not valid'
  const picture = isJsonObject(header) ? linkIn(header) : undefined
  if (header !== undefined && (!isCloudAddress(picture) || !HEADED.includes(asText(type)))) return 'header is not valid'
  const rest = readAction(asText(type), action)
  if (typeof rest === 'string') return rest
  return { text, ...rest, ...(isCloudAddress(picture) ? { image: picture } : {}) }
}

/** Those that may have a header of media. */
const HEADED = ['cta_url', 'button']

function readAction(type: string, action: JsonObject): Omit<Shown, 'text' | 'image'> | string {
  switch (type) {
    case 'cta_url':
      return readUrlButton(action) ?? 'parameters are not valid'
    case 'button': {
      const suggestions = readReplies(action['buttons'], 'reply')
      return suggestions === null ? 'buttons are not valid' : { suggestions }
    }
    case 'list': {
      const suggestions = isCloudText(action['button'], 20) ? readRows(action['sections']) : null
      return suggestions === null ? 'sections are not valid' : { suggestions }
    }
    case 'location_request_message':
      return action['name'] === 'send_location' ? { suggestions: [SEND_LOCATION] } : 'action is not valid'
    case 'carousel': {
      const cards = readCards(action['cards'])
      return cards === null ? 'cards are not valid' : { cards }
    }
    default:
      return 'action is not valid'
  }
}

/** The caption is that of the app. */
const SEND_LOCATION: ShownSuggestion = {
  kind: 'action',
  text: 'Send location',
  postback: 'send_location',
  reportedAs: 'location',
}

function readUrlButton({ name, parameters }: JsonObject): { readonly button: string; readonly link: string } | null {
  const { display_text: button, url: link } = isJsonObject(parameters) ? parameters : {}
  return name === 'cta_url' && isCloudText(button, 20) && isCloudAddress(link) ? { button, link } : null
}

function readReplies(given: unknown, kind: 'reply' | 'quick_reply'): readonly ShownSuggestion[] | null {
  const buttons = Array.isArray(given) ? given.map((each) => (isJsonObject(each) ? each : {})) : []
  if (buttons.length < 1 || buttons.length > 3 || buttons.some(({ type }) => type !== kind)) return null
  return readChoices(
    buttons.map((each) => each[kind]),
    { title: 20, id: 256 },
  )
}

function readRows(sections: unknown): readonly ShownSuggestion[] | null {
  const [section, ...others] = Array.isArray(sections) ? sections : []
  const rows: unknown = isJsonObject(section) ? section['rows'] : null
  if (others.length > 0 || !Array.isArray(rows) || rows.length < 1 || rows.length > 10) return null
  const choices = readChoices(rows, { title: 24, id: 200 })
  return choices?.map((each) => ({ ...each, reportedAs: 'list_reply' })) ?? null
}

/** Titles and ids differ, and ids have no space around them. */
function readChoices(given: readonly unknown[], max: { title: number; id: number }): readonly ShownSuggestion[] | null {
  const choices = given.map((each) => (isJsonObject(each) ? each : {}))
  const isValid = choices.every(
    ({ title, id }) => isCloudText(title, max.title) && isCloudText(id, max.id) && id.trim() === id,
  )
  const areDifferent = ['title', 'id'].every((name) => new Set(choices.map((each) => each[name])).size === given.length)
  if (!isValid || !areDifferent) return null
  return choices.map(({ title, id }) => ({ kind: 'reply', text: asText(title), postback: asText(id) }))
}

function readCards(given: unknown): readonly ShownCard[] | null {
  if (!Array.isArray(given) || given.length < 2 || given.length > 10) return null
  const cards = given.map((card, index) => (isJsonObject(card) && card['card_index'] === index ? readCard(card) : null))
  const shown = cards.filter((card) => card !== null)
  const looks = new Set(shown.map(({ look }) => look))
  return shown.length === given.length && looks.size === 1 ? shown.map(({ card }) => card) : null
}

/** With the kinds of its header and buttons, which are the same in all cards. */
function readCard({
  type,
  header,
  body,
  action,
}: JsonObject): { readonly look: string; readonly card: ShownCard } | null {
  const kind = isJsonObject(header) ? asText(header['type']) : ''
  const media = isJsonObject(header) ? linkIn(header) : undefined
  const text = isJsonObject(body) ? body['text'] : ''
  const isShort = typeof text === 'string' && text.length <= 160 && text.split('\n').length <= 3
  if ((kind !== 'image' && kind !== 'video') || !isCloudAddress(media) || !isShort || !isJsonObject(action)) return null
  if (type === 'cta_url') {
    const button = readUrlButton(action)
    if (button === null) return null
    const suggestion: ShownSuggestion = { kind: 'action', text: button.button, postback: button.link }
    return { look: kind, card: { text, media, suggestions: [suggestion] } }
  }
  const suggestions = type === undefined ? readReplies(action['buttons'], 'quick_reply') : null
  return suggestions === null ? null : { look: `${kind} ${suggestions.length}`, card: { text, media, suggestions } }
}

/** `{"type": "video", "video": {"link": …}}`. */
export function linkIn(medium: JsonObject): unknown {
  const file = medium[asText(medium['type'])]
  return isJsonObject(file) && MEDIA.includes(asText(medium['type'])) ? file['link'] : undefined
}

/** Whether the value is a text of 1 to `max` characters, not all of them spaces. */
export function isCloudText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && [...value.slice(0, 2 * max + 1)].length <= max
}

export function isCloudAddress(value: unknown): value is string {
  return isCloudText(value, 2_000) && URL.canParse(value) && /^https?:/i.test(value)
}
