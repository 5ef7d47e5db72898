/** Writes a submission for Viber's `send_message` and reads the answer. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { asText, parseJsonObject } from '../../wire/json.ts'
import { readHttpVerdict } from '../shared/http-verdict.ts'
import type { FittedTemplate } from './approved-template.ts'

const MIN_TTL_SECONDS = 30
const MAX_TTL_SECONDS = 1_209_600

/** The type for a carrier with the promotional label. */
const PROMOTIONAL_TEXT = 225
const TEXT = 206
const IMAGE = 207
const TEXT_IMAGE_BUTTON = 208
const TEXT_BUTTON = 209

interface Refusal {
  readonly status: 'UNDELIVERABLE' | 'REJECTED'
  readonly text: string
}

const NO_NUMBER: Refusal = { status: 'UNDELIVERABLE', text: 'the number is not valid' }
const NO_DEVICE: Refusal = { status: 'UNDELIVERABLE', text: 'no suitable device' }
const BAD_REQUEST: Refusal = { status: 'REJECTED', text: 'bad request' }
const NOT_PERMITTED: Refusal = { status: 'REJECTED', text: 'not permitted' }

/** Final answers; any other status may be different the next time. */
const REFUSALS: ReadonlyMap<number, Refusal> = new Map<number, Refusal>([
  [8, { status: 'UNDELIVERABLE', text: 'the recipient blocked the sender' }],
  [9, { status: 'UNDELIVERABLE', text: 'the phone has no Viber' }],
  [10, NO_DEVICE],
  [2, NO_NUMBER],
  [7, NO_NUMBER],
  [21, NO_NUMBER],
  [27, NO_NUMBER],
  [3, BAD_REQUEST],
  [5, BAD_REQUEST],
  [6, BAD_REQUEST],
  [18, BAD_REQUEST],
  [20, BAD_REQUEST],
  [28, BAD_REQUEST],
  [29, BAD_REQUEST],
  [30, BAD_REQUEST],
  [31, BAD_REQUEST],
  [32, BAD_REQUEST],
  [38, { status: 'REJECTED', text: 'the template is not known' }],
  [39, { status: 'REJECTED', text: 'the template does not fit' }],
  [40, { status: 'REJECTED', text: 'a parameter of the template is missing or wrong' }],
  [41, { status: 'REJECTED', text: 'a parameter of the template is missing or wrong' }],
  [13, NOT_PERMITTED],
  [43, NOT_PERMITTED],
  [401, NOT_PERMITTED],
])

export interface ViberAddressing {
  readonly serviceId: number
  readonly label: 'transaction' | 'promotion'
  /** Counts requests; Viber echoes it. */
  readonly seq: number
}

/** Returns the body of the request. @param template the approved template; null for an ordinary message. */
export function writeViberMessage(
  submission: Submission,
  content: TextContent,
  addressing: ViberAddressing,
  template: FittedTemplate | null = null,
): string {
  const { messageId, step, phone, lifetimeSeconds } = submission
  return JSON.stringify({
    service_id: addressing.serviceId,
    dest: phone,
    seq: addressing.seq,
    type: template?.type ?? typeFor(content, addressing.label),
    label: template === null ? labelOf(content, addressing.label) : 'transaction',
    tag: `${messageId}-${step}`,
    ttl: Math.min(Math.max(lifetimeSeconds, MIN_TTL_SECONDS), MAX_TTL_SECONDS),
    message: template?.message ?? writeParts(content),
  })
}

type Label = ViberAddressing['label']

/** Viber accepts images and buttons as promotion only, whatever the carrier's label is. */
function labelOf(content: TextContent, label: Label): Label {
  return typeOf(content) === TEXT ? label : 'promotion'
}

function typeFor(content: TextContent, label: Label): number {
  const type = typeOf(content)
  return type === TEXT && label === 'promotion' ? PROMOTIONAL_TEXT : type
}

function typeOf({ text, image, button, link }: TextContent): number {
  const hasButton = button !== undefined && link !== undefined
  if (image === undefined) return hasButton ? TEXT_BUTTON : TEXT
  return hasButton || text !== '' ? TEXT_IMAGE_BUTTON : IMAGE
}

function writeParts(content: TextContent): Record<string, string | undefined> {
  const { text, image, button, link } = content
  return {
    '#txt': typeOf(content) === IMAGE ? undefined : text,
    '#img': image,
    '#caption': button,
    '#action': link,
    // Viber documents it as required and accepts an empty one.
    '#tracking_data': '',
  }
}

/** Viber's id of the part is the `message_token`, which has more digits than a double holds. */
export function readViberAnswer(result: HttpResult): Verdict {
  const answer = result.kind === 'answered' && result.status === 200 ? parseJsonObject(result.body) : null
  if (answer === null) return readHttpVerdict(result)
  const status = asText(answer['status'])
  const ref = asText(answer['message_token'])
  if (status === '0') return ref === '' ? { kind: 'unclear', reason: 'no message_token' } : { kind: 'taken', ref }
  const refusal = REFUSALS.get(Number(status))
  // Viber answered, so it is available: an unknown status says nothing about other messages.
  if (refusal === undefined) return { kind: 'unclear', reason: `status ${status.slice(0, 20)}`, aboutMessage: true }
  return { kind: 'refused', status: refusal.status, reason: `status ${status}: ${refusal.text}` }
}
