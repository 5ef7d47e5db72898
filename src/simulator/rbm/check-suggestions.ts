/** Checks the suggestions of an agent message by the limits of Google's reference. */
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import type { ShownSuggestion } from '../phones/traffic.ts'

/** Suggestions as the phone shows them. */
export interface CheckedSuggestions {
  readonly suggestions: readonly ShownSuggestion[]
  /** The caption and address of the only suggestion, if that opens an address. */
  readonly only: { readonly button: string; readonly link: string } | null
}

/** Returns the suggestions, or what is wrong with one of them. */
export function checkSuggestions(given: unknown, max: number): CheckedSuggestions | string {
  if (given === undefined) return { suggestions: [], only: null }
  if (!Array.isArray(given) || given.length > max) return `at most ${max} suggestions are allowed`
  const suggestions: ShownSuggestion[] = []
  for (const each of given) {
    const shown = checkSuggestion(each)
    if (typeof shown === 'string') return shown
    suggestions.push(shown)
  }
  return { suggestions, only: given.length === 1 ? buttonOf(given[0]) : null }
}

function checkSuggestion(given: unknown): ShownSuggestion | string {
  if (!isJsonObject(given)) return 'a suggestion is not an object'
  const { reply, action } = given
  const isReply = reply !== undefined
  if (isReply === (action !== undefined)) return 'a suggestion should have a reply or an action'
  const tappable = isReply ? reply : action
  if (!isJsonObject(tappable)) return 'a suggestion has no action'
  const { text, postbackData: postback } = tappable
  if (!isText(text, 1, 25)) return 'the text of a suggestion should have 1 to 25 characters'
  if (!isText(postback, 1, 2_048)) return 'postbackData should have 1 to 2048 characters'
  const problem = isReply ? null : checkAction(tappable)
  return problem ?? { kind: isReply ? 'reply' : 'action', text, postback }
}

function checkAction(action: JsonObject): string | null {
  const kinds = Object.keys(CHECKS).filter((kind) => action[kind] !== undefined)
  const [kind = ''] = kinds
  const content = action[kind]
  if (kinds.length !== 1 || !isJsonObject(content)) return 'a suggestion has no action'
  return CHECKS[kind]?.(content) ?? null
}

/** By the kind of action: returns what is wrong with it; null if nothing. */
const CHECKS: Readonly<Record<string, (action: JsonObject) => string | null>> = {
  openUrlAction: ({ url }) => (isAddress(url) ? null : 'openUrlAction.url is not an address'),
  dialAction: ({ phoneNumber }) => {
    return typeof phoneNumber === 'string' && /^\+\d{5,15}$/.test(phoneNumber) ? null : 'phoneNumber is not E.164'
  },
  viewLocationAction: ({ latLong, label = 'x' }) => {
    if (!isJsonObject(latLong) || !isWithin(latLong['latitude'], 90) || !isWithin(latLong['longitude'], 180)) {
      return 'latLong is not valid'
    }
    return isText(label, 1, 100) ? null : 'label should have 1 to 100 characters'
  },
  shareLocationAction: () => null,
  createCalendarEventAction: ({ startTime, endTime, title, description = '' }) => {
    const [start, end] = [Date.parse(String(startTime)), Date.parse(String(endTime))]
    if (!(start < end)) return 'the times of the event are not valid'
    if (!isText(title, 1, 100)) return 'the title of the event should have 1 to 100 characters'
    return isText(description, 0, 500) ? null : 'the description of the event should have at most 500 characters'
  },
}

function buttonOf(suggestion: unknown): CheckedSuggestions['only'] {
  const action = isJsonObject(suggestion) ? suggestion['action'] : null
  const open = isJsonObject(action) ? action['openUrlAction'] : null
  return isJsonObject(action) && isJsonObject(open)
    ? { button: String(action['text']), link: String(open['url']) }
    : null
}

/** Counts characters, however they are stored. */
export function isText(value: unknown, min: number, max: number): value is string {
  if (typeof value !== 'string' || value.length > 2 * max) return false
  const characters = [...value].length
  return characters >= min && characters <= max
}

export function isAddress(value: unknown): value is string {
  return isText(value, 1, 2_048) && URL.canParse(value) && /^https?:/i.test(value)
}

function isWithin(value: unknown, max: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= max
}
