/** Writes a code for `sendVerificationMessage` and reads the answer (https://core.telegram.org/gateway/api). */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { asText, isJsonObject, parseJsonObject } from '../../wire/json.ts'
import { isAboutMessage, readHttpVerdict } from '../shared/http-verdict.ts'
import type { TelegramSettings } from './settings.ts'

/** Telegram gives the fee back for what it could not deliver within this time. */
const MIN_TTL_SECONDS = 30
const MAX_TTL_SECONDS = 3_600

const MAX_WORD = 60

/** Errors about the account or the settings: nothing else can be sent either. */
const ABOUT_ACCOUNT = /^(ACCESS_TOKEN|BALANCE|CALLBACK_URL|SENDER)_/
/** Errors about the recipient, as the number is wrong or has no Telegram. */
const ABOUT_PHONE = /^PHONE_NUMBER_/

export function writeCode(submission: Submission, code: string, settings: TelegramSettings): string {
  const { messageId, step, phone, lifetimeSeconds } = submission
  return JSON.stringify({
    phone_number: `+${phone}`,
    code,
    sender_username: settings.senderUsername,
    callback_url: settings.callbackUrl,
    payload: `${messageId}-${step}`,
    ttl: Math.min(Math.max(lifetimeSeconds, MIN_TTL_SECONDS), MAX_TTL_SECONDS),
  })
}

export function readCodeAnswer(result: HttpResult): Verdict {
  const answer = result.kind === 'answered' ? parseJsonObject(result.body) : null
  if (answer === null) return readHttpVerdict(result)
  if (answer['ok'] === true) {
    const status = answer['result']
    const ref = isJsonObject(status) ? asText(status['request_id']) : ''
    return ref === '' ? { kind: 'unclear', reason: 'no request_id' } : { kind: 'taken', ref }
  }
  const error = asText(answer['error']).slice(0, MAX_WORD)
  const [, seconds] = /^FLOOD_WAIT_(\d{1,6})$/.exec(error) ?? []
  if (seconds !== undefined) return { kind: 'slow', reason: error, retryAfterMs: Number(seconds) * 1_000 }
  if (ABOUT_ACCOUNT.test(error)) return { kind: 'unreachable', reason: error, account: true }
  const isRefusal = error !== '' && result.kind === 'answered' && isRefusedBy(result.status)
  if (!isRefusal) return readHttpVerdict(result)
  return { kind: 'refused', status: ABOUT_PHONE.test(error) ? 'UNDELIVERABLE' : 'REJECTED', reason: error }
}

/** Another status may be that of a service which is out of order, and sent the code nevertheless. */
function isRefusedBy(status: number): boolean {
  return status === 200 || isAboutMessage(status, true)
}
