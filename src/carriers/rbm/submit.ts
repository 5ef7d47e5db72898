/**
 * Writes a submission for Google's `phones.agentMessages.create` and reads the answer. Only an error in Google's own
 * format counts as a refusal: an error page of a proxy does not.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'
import { isCategory } from '../../domain/money/cost.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { asText, isJsonObject, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { readHttpVerdict } from '../shared/http-verdict.ts'
import type { TrafficType } from './settings.ts'
import { type AgentContent, featuresOf, RICH_FEATURES, writeRbmRich } from './write-rich.ts'

const MAX_TTL_SECONDS = 15 * 86_400
const MAX_REASON = 200

/** What a device can show; null if unknown. */
export type Features = ReadonlySet<string> | null

export interface MessageShape {
  readonly lifetimeSeconds: number
  /** Null to omit it. */
  readonly trafficType: TrafficType | null
}

/** Returns whether the message depends on what the device can show: every device with RCS shows text. */
export function needsFeatures({ image, button, link, rich }: TextContent): boolean {
  return image !== undefined || (button !== undefined && link !== undefined) || rich !== undefined
}

/**
 * Returns the content that the device can show: the plain content if it cannot show all of the rich one, a link in the
 * text if it supports no button; null if it cannot show the image.
 */
export function fitFeatures(content: TextContent, features: Features): TextContent | null {
  if (features === null) return content
  const { image, button, link, text, rich } = content
  if (rich !== undefined) {
    const { rich: _, ...plain } = content
    const isShown = featuresOf(rich).isSubsetOf(features)
    if (isShown && rich.type !== 'suggestions') return content
    const fitting = fitFeatures(plain, features)
    return isShown && fitting !== null ? { ...fitting, rich } : fitting
  }
  if (image !== undefined && !features.has('RICHCARD_STANDALONE')) return null
  if (button === undefined || link === undefined || features.has('ACTION_OPEN_URL')) return content
  return { kind: 'text', text: text === '' ? link : `${text}\n${link}`, ...(image === undefined ? {} : { image }) }
}

/** Returns the body of the request. */
export function writeAgentMessage(content: TextContent, { lifetimeSeconds, trafficType }: MessageShape): string {
  const { rich } = content
  const contentMessage = rich === undefined ? writePlain(content) : writeRbmRich(rich, writePlain(content))
  const ttl = `${Math.min(lifetimeSeconds, MAX_TTL_SECONDS)}s`
  return JSON.stringify({ contentMessage, ttl, messageTrafficType: trafficType ?? undefined })
}

/** Returns plain text, or a card if there is an image. */
function writePlain(content: TextContent): AgentContent {
  const { text, image } = content
  const suggestions = writeSuggestions(content)
  if (image === undefined) return { text, suggestions }
  const cardContent = {
    description: text === '' ? undefined : text,
    media: { height: 'MEDIUM', contentInfo: { fileUrl: image } },
    suggestions,
  }
  return { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } } }
}

function writeSuggestions({ button, link }: TextContent): object[] | undefined {
  if (button === undefined || link === undefined) return undefined
  return [{ action: { text: button, postbackData: 'button', openUrlAction: { url: link } } }]
}

/**
 * Reads the answer to a submission. `not permitted`: the agent may not send at all.
 * @param ref the id that the message was sent with, which Google uses as its own.
 */
export function readRbmAnswer(
  result: HttpResult,
  ref: string,
): Verdict | { readonly kind: 'not permitted'; readonly reason: string } {
  if (result.kind === 'answered') {
    if (result.status === 200) return { kind: 'taken', ref, ...readCategory(parseJsonObject(result.body) ?? {}) }
    const reason = readError(result.body)
    if (reason !== null && result.status === 404) return { kind: 'refused', status: 'UNDELIVERABLE', reason }
    if (reason !== null && result.status === 403) return { kind: 'not permitted', reason }
    if (reason !== null && result.status === 400) return { kind: 'refused', status: 'REJECTED', reason }
    // Google ignores a repeat of a message id, others between it and us refuse it. ABORTED has the same status.
    if (result.status === 409 && reason?.startsWith('ABORTED') !== true) return { kind: 'taken', ref }
  }
  // Google answers so when it is overloaded, and ignores a repeat.
  const isOverloaded = result.kind === 'answered' && result.status === 503 && result.retryAfterMs !== null
  if (isOverloaded) return { kind: 'slow', reason: 'HTTP 503', retryAfterMs: result.retryAfterMs }
  return readHttpVerdict(result)
}

/** Reads how Google bills a message to a phone in the United States, of whose answers and events this is a part. */
export function readCategory({ richMessageClassification: found }: JsonObject): { readonly category?: string } {
  const word = isJsonObject(found) ? asText(found['classificationType']).toLowerCase() : ''
  return isCategory(word) ? { category: word } : {}
}

/** Returns what the device can show; false if the phone has no RCS, null if the answer does not say. */
export function readCapability(result: HttpResult): ReadonlySet<string> | false | null {
  if (result.kind === 'silent') return null
  if (result.status === 200) {
    const features = parseJsonObject(result.body)?.['features']
    // An answer without features only means that the phone has RCS.
    const listed = Array.isArray(features) ? features.filter((each) => typeof each === 'string') : []
    return new Set(listed.length === 0 ? RICH_FEATURES : listed)
  }
  return result.status === 404 && readError(result.body) !== null ? false : null
}

/** Returns the phones of a `users:batchGet` that have RCS, with the plus; null if the answer does not say. */
export function readReachable(result: HttpResult): ReadonlySet<string> | null {
  if (result.kind === 'silent' || result.status !== 200) return null
  const answer = parseJsonObject(result.body)
  if (answer === null) return null
  // Google omits an empty list.
  const users = answer['reachableUsers'] ?? []
  return Array.isArray(users) ? new Set(users.filter((each) => typeof each === 'string')) : null
}

/** `INVALID_ARGUMENT: text is too long`; null if the body is not an error of Google's. */
function readError(body: string): string | null {
  const error = parseJsonObject(body)?.['error']
  if (!isJsonObject(error)) return null
  const texts = [error['status'], error['message']].filter((word) => typeof word === 'string')
  return texts.length === 0 ? null : texts.join(': ').slice(0, MAX_REASON).toWellFormed()
}
