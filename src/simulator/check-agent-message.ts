/**
 * Checks whether Google would accept the body of an agent message: the limits of its reference, as far as the gateway
 * uses it.
 */
import { isJsonObject, type JsonObject, parseJsonObject } from '../wire/json.ts'

export interface AgentMessage {
  /** The text that the recipient reads: the text, or the description of the card. */
  readonly text: string
  /** Address of the card's image. */
  readonly image?: string | undefined
  /** The caption of the first button, and the address that it opens. */
  readonly button?: string | undefined
  readonly link?: string | undefined
  /** Seconds until it is revoked; null for no limit. */
  readonly ttlSeconds: number | null
}

const MAX_TTL_SECONDS = 15 * 86_400

/** Returns the message, or what is wrong with it. */
export function checkAgentMessage(body: string): AgentMessage | string {
  const root = parseJsonObject(body)
  if (root === null) return 'the body is not a JSON object'
  const { contentMessage: message, ttl } = root
  const ttlSeconds = typeof ttl === 'string' && /^\d{1,9}(\.\d{1,9})?s$/.test(ttl) ? Number.parseFloat(ttl) : null
  if (ttl !== undefined && (ttlSeconds === null || ttlSeconds > MAX_TTL_SECONDS)) return 'ttl is not a valid duration'
  if (!isJsonObject(message)) return 'contentMessage is missing'
  if ((message['text'] === undefined) === (message['richCard'] === undefined)) return 'one kind of content is wanted'
  const checked = message['richCard'] === undefined ? checkText(message) : checkCard(message['richCard'])
  return typeof checked === 'string' ? checked : { ...checked, ttlSeconds }
}

type Checked = Omit<AgentMessage, 'ttlSeconds'> | string

function checkText(message: JsonObject): Checked {
  const { text, suggestions } = message
  if (!isText(text, 1, 3_072)) return 'text should have 1 to 3072 characters'
  return checkSuggestions(suggestions, 11) ?? { text, ...firstButton(suggestions) }
}

function checkCard(richCard: unknown): Checked {
  const card = isJsonObject(richCard) ? richCard['standaloneCard'] : null
  const content = isJsonObject(card) ? card['cardContent'] : null
  if (!isJsonObject(card) || !isJsonObject(content)) return 'standaloneCard.cardContent is missing'
  if (card['cardOrientation'] !== 'VERTICAL' && card['cardOrientation'] !== 'HORIZONTAL')
    return 'cardOrientation is wrong'
  const { title = '', description = '', media, suggestions } = content
  if (!isText(title, 0, 200)) return 'title should have at most 200 characters'
  if (!isText(description, 0, 2_000)) return 'description should have at most 2000 characters'
  const info = isJsonObject(media) ? media['contentInfo'] : null
  const image = isJsonObject(info) ? info['fileUrl'] : undefined
  if (media !== undefined && !isAddress(image)) return 'media has no valid fileUrl'
  if (media === undefined && title === '' && description === '') return 'the card is empty'
  const shown = { text: description, ...(isAddress(image) ? { image } : {}) }
  return checkSuggestions(suggestions, 4) ?? { ...shown, ...firstButton(suggestions) }
}

function checkSuggestions(suggestions: unknown, max: number): string | null {
  if (suggestions === undefined) return null
  if (!Array.isArray(suggestions) || suggestions.length > max) return `at most ${max} suggestions are allowed`
  for (const suggestion of suggestions) {
    const action = isJsonObject(suggestion) ? suggestion['action'] : null
    if (!isJsonObject(action)) return 'a suggestion has no action'
    if (!isText(action['text'], 1, 25)) return 'the text of a suggestion should have 1 to 25 characters'
    if (!isText(action['postbackData'], 1, 2_048)) return 'postbackData should have 1 to 2048 characters'
    const open = action['openUrlAction']
    if (!isAddress(isJsonObject(open) ? open['url'] : null)) return 'openUrlAction.url is not an address'
  }
  return null
}

/** Expects checked suggestions. */
function firstButton(suggestions: unknown): Pick<AgentMessage, 'button' | 'link'> {
  const first: unknown = Array.isArray(suggestions) ? suggestions[0] : null
  const action = isJsonObject(first) ? first['action'] : null
  const open = isJsonObject(action) ? action['openUrlAction'] : null
  if (!isJsonObject(action) || !isJsonObject(open)) return {}
  return { button: String(action['text']), link: String(open['url']) }
}

function isText(value: unknown, min: number, max: number): value is string {
  return typeof value === 'string' && value.length >= min && value.length <= max
}

function isAddress(value: unknown): value is string {
  return isText(value, 1, 2_048) && URL.canParse(value) && /^https?:/i.test(value)
}
