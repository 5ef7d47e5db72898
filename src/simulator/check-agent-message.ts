/** Whether Google would take the body of an agent message: the limits of its reference, as far as the gateway uses it. */
import { isJsonObject, type JsonObject, parseJsonObject } from '../wire/json.ts'

export interface AgentMessage {
  /** What the person reads: the text, or the description of the card. */
  readonly text: string
  /** Seconds until it is revoked; null when it was not limited. */
  readonly ttlSeconds: number | null
}

const LONGEST_TTL_SECONDS = 15 * 86_400

/** The message, or what is wrong with it. */
export function checkAgentMessage(body: string): AgentMessage | string {
  const root = parseJsonObject(body)
  if (root === null) return 'the body is not a JSON object'
  const { contentMessage: message, ttl } = root
  const ttlSeconds = typeof ttl === 'string' && /^\d{1,9}(\.\d{1,9})?s$/.test(ttl) ? Number.parseFloat(ttl) : null
  if (ttl !== undefined && (ttlSeconds === null || ttlSeconds > LONGEST_TTL_SECONDS))
    return 'ttl is not a valid duration'
  if (!isJsonObject(message)) return 'contentMessage is missing'
  if ((message['text'] === undefined) === (message['richCard'] === undefined)) return 'one kind of content is wanted'
  const text = message['richCard'] === undefined ? checkText(message) : checkCard(message['richCard'])
  return typeof text === 'string' ? text : { ...text, ttlSeconds }
}

type Checked = { readonly text: string } | string

function checkText(message: JsonObject): Checked {
  const { text, suggestions } = message
  if (!isText(text, 1, 3_072)) return 'text should have 1 to 3072 characters'
  return checkSuggestions(suggestions, 11) ?? { text }
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
  if (media !== undefined && !isAddress(isJsonObject(info) ? info['fileUrl'] : null))
    return 'media has no valid fileUrl'
  if (media === undefined && title === '' && description === '') return 'the card is empty'
  return checkSuggestions(suggestions, 4) ?? { text: description }
}

function checkSuggestions(suggestions: unknown, most: number): string | null {
  if (suggestions === undefined) return null
  if (!Array.isArray(suggestions) || suggestions.length > most) return `at most ${most} suggestions are allowed`
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

function isText(value: unknown, least: number, most: number): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most
}

function isAddress(value: unknown): boolean {
  return isText(value, 1, 2_048) && URL.canParse(value) && /^https?:/i.test(value)
}
