/** Sends what a request of Kannel's `sendsms` asks for as operations of a login, and answers as Kannel does. */
import { codeOf, type ErrorCode } from '../../contract/request/error-codes.ts'
import type { Login } from '../../domain/accounts/login.ts'
import type { LoginAccess } from '../../operations/request/logins.ts'
import type { RunFor } from '../../operations/run/run.ts'
import { type OlderResult, type Operation, readAnswer } from '../translate/ask.ts'
import { classOfLevel, textSend } from '../translate/text-send.ts'
import { DENIED_NUMBERS, type KannelSend, misformed, misformedField } from './read-send.ts'

export interface KannelAnswer {
  readonly status: number
  readonly text: string
}

export const DENIED: KannelAnswer = { status: 403, text: 'Authorization failed for sendsms' }
export const TRY_LATER: KannelAnswer = { status: 503, text: 'Temporal failure, try again later.' }
const ACCEPTED: KannelAnswer = { status: 202, text: '0: Accepted for delivery' }
const NOT_ROUTABLE: KannelAnswer = { status: 403, text: 'Not routable. Do not try again.' }
const NO_SENDER = misformed('Sender missing and no global set, rejected')

const OF_CODES: Readonly<Partial<Record<ErrorCode, KannelAnswer>>> = {
  access_denied: DENIED,
  rate_limited: TRY_LATER,
  unavailable: TRY_LATER,
  internal: TRY_LATER,
  limit_reached: TRY_LATER,
  quiet_hours: TRY_LATER,
  no_price: NOT_ROUTABLE,
  country_not_allowed: NOT_ROUTABLE,
  destination_stopped: NOT_ROUTABLE,
  invalid_phone: DENIED_NUMBERS,
}

/** `now` in milliseconds. */
export async function sendSms(runFor: RunFor, who: LoginAccess, send: KannelSend, now: number): Promise<KannelAnswer> {
  const operations = send.receivers.map((receiver) => operationOf(who.login, send, receiver, now))
  const { reporting } = send
  const { error, results } = readAnswer(await runFor(who, operations, { reporting }))
  if (error !== null) return answerTo({ success: false, data: {}, error, field: '' })
  const [first] = results
  if (first === undefined) return TRY_LATER
  const refused = send.receivers.filter((_, index) => results[index]?.success !== true)
  if (refused.length === 0) return ACCEPTED
  if (refused.length === results.length) return answerTo(first)
  // A refusal would make the client send to all of them again. The answer is of the type text/html.
  const shown = refused.join(' ').replace(/[<>&"']/g, '?')
  return { status: 202, text: `Sent. Denied receivers are: ${shown}` }
}

function operationOf({ type, priority }: Login, send: KannelSend, receiver: string, now: number): Operation {
  const { text, deferred, validity } = send
  const lifetime = validity === null ? null : Math.floor(((validity - (deferred ?? 0)) * 60) / type.split('+').length)
  return {
    ...textSend(
      {
        ...{ type, phone: receiver, sender: send.sender, text },
        priority: classOfLevel(send.priority ?? 0, priority),
      },
      lifetime === null ? {} : { next: lifetime, last: lifetime },
    ),
    ...(deferred === null ? {} : { send_at: timeIn(deferred, now) }),
  }
}

/** Returns a time that the operation refuses if it is beyond all calendars. */
function timeIn(minutes: number, now: number): string {
  const time = new Date(now + minutes * 60_000)
  return Number.isNaN(time.getTime()) ? 'never' : time.toISOString()
}

/** An error without a counterpart in Kannel keeps its text: programs read only the status. */
function answerTo({ error, field }: OlderResult): KannelAnswer {
  const known = OF_CODES[codeOf(error)]
  if (known !== undefined) return known
  if (field.endsWith('_signature')) return error.endsWith(': required') ? NO_SENDER : { status: 403, text: error }
  if (field.endsWith('_lifetime')) return misformedField('Validity')
  if (field === 'send_at') return misformedField('Deferred')
  if (field.endsWith('_message')) return misformed(error.replace(field, 'text'))
  return { status: 403, text: error }
}
