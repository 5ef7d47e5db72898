/**
 * A submission as Google's `phones.agentMessages.create` wants it, and what its answer means. Only Google's own error
 * form is believed when it refuses: a page from something between us is never taken for a rejection.
 */
import type { Verdict } from '../../domain/journey-event.ts'
import type { TextContent } from '../../domain/plan.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { isJsonObject, parseJsonObject } from '../../wire/json.ts'
import { readHttpVerdict } from '../http-verdict.ts'
import type { TrafficType } from './read-settings.ts'

const LONGEST_TTL_SECONDS = 15 * 86_400
const LONGEST_REASON = 200

/** What a device can show; null when it was not asked. */
export type Features = ReadonlySet<string> | null

export interface MessageShape {
  readonly lifetimeSeconds: number
  /** Null leaves it out. */
  readonly trafficType: TrafficType | null
}

/** Whether what is sent depends on what the device shows: any device with RCS shows text. */
export function needsFeatures({ image, button, link }: TextContent): boolean {
  return image !== undefined || (button !== undefined && link !== undefined)
}

/** What of the content the device can show: a link in the text where it knows no button; null where it cannot show the image. */
export function fitFeatures(content: TextContent, features: Features): TextContent | null {
  if (features === null) return content
  const { image, button, link, text } = content
  if (image !== undefined && !features.has('RICHCARD_STANDALONE')) return null
  if (button === undefined || link === undefined || features.has('ACTION_OPEN_URL')) return content
  return { kind: 'text', text: text === '' ? link : `${text}\n${link}`, ...(image === undefined ? {} : { image }) }
}

/** The body of the request: plain text, or a card when there is an image. */
export function writeAgentMessage(content: TextContent, { lifetimeSeconds, trafficType }: MessageShape): string {
  const { text, image } = content
  const suggestions = writeSuggestions(content)
  const contentMessage =
    image === undefined
      ? { text, suggestions }
      : {
          richCard: {
            standaloneCard: {
              cardOrientation: 'VERTICAL',
              cardContent: {
                description: text === '' ? undefined : text,
                media: { height: 'MEDIUM', contentInfo: { fileUrl: image } },
                suggestions,
              },
            },
          },
        }
  const ttl = `${Math.min(lifetimeSeconds, LONGEST_TTL_SECONDS)}s`
  return JSON.stringify({ contentMessage, ttl, messageTrafficType: trafficType ?? undefined })
}

function writeSuggestions({ button, link }: TextContent): object[] | undefined {
  if (button === undefined || link === undefined) return undefined
  return [{ action: { text: button, postbackData: 'button', openUrlAction: { url: link } } }]
}

/** `not permitted`: the agent may not send at all. @param ref the id that the message was sent under: Google takes it for its own. */
export function readSubmitAnswer(
  result: HttpResult,
  ref: string,
): Verdict | { readonly kind: 'not permitted'; readonly reason: string } {
  if (result.kind === 'answered') {
    if (result.status === 200) return { kind: 'taken', ref }
    const reason = readError(result.body)
    if (reason !== null && result.status === 404) return { kind: 'refused', status: 'UNDELIVERABLE', reason }
    if (reason !== null && result.status === 403) return { kind: 'not permitted', reason }
    if (reason !== null && result.status === 400) return { kind: 'refused', status: 'REJECTED', reason }
  }
  // Google says so when it has no room for the moment, and a repeat is ignored there.
  const asksToWait = result.kind === 'answered' && result.status === 503 && result.retryAfterMs !== null
  if (asksToWait) return { kind: 'slow', reason: 'HTTP 503', retryAfterMs: result.retryAfterMs }
  return readHttpVerdict(result)
}

/** What the device can show; false when the phone has no RCS, null when that was not answered. */
export function readCapability(result: HttpResult): ReadonlySet<string> | false | null {
  if (result.kind === 'silent') return null
  if (result.status === 200) {
    const features = parseJsonObject(result.body)?.['features']
    // An answer without features says no more than that there is RCS.
    const listed = Array.isArray(features) ? features.filter((each) => typeof each === 'string') : []
    return new Set(listed.length === 0 ? ALL_FEATURES : listed)
  }
  return result.status === 404 && readError(result.body) !== null ? false : null
}

/** Which of the phones of a `users:batchGet` have RCS, with the plus; null when that was not answered. */
export function readReachable(result: HttpResult): ReadonlySet<string> | null {
  if (result.kind === 'silent' || result.status !== 200) return null
  const answer = parseJsonObject(result.body)
  if (answer === null) return null
  // Google leaves out a list that is empty.
  const users = answer['reachableUsers'] ?? []
  return Array.isArray(users) ? new Set(users.filter((each) => typeof each === 'string')) : null
}

const ALL_FEATURES = ['RICHCARD_STANDALONE', 'ACTION_OPEN_URL']

/** `INVALID_ARGUMENT: text is too long`; null when the body is not an error of Google's. */
function readError(body: string): string | null {
  const error = parseJsonObject(body)?.['error']
  if (!isJsonObject(error)) return null
  const words = [error['status'], error['message']].filter((word) => typeof word === 'string')
  return words.length === 0 ? null : words.join(': ').slice(0, LONGEST_REASON).toWellFormed()
}
