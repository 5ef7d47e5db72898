/**
 * Calls to hooks and their answers, numbered, in flat arrays: transferring an object to another thread costs about a
 * microsecond, a cell of an array next to nothing.
 */
import type { HookAnswer, HookCall } from '../ports/hook-post.ts'

type Cell = string | number | null

/** Calls one after the other, each as CALL_CELLS cells. */
export type FlatCalls = Cell[]
/** Answers one after the other, each as ANSWER_CELLS cells. */
export type FlatAnswers = Cell[]

const CALL_CELLS = 9
const ANSWER_CELLS = 3
/** In the place of a status. */
const FAILED = 0
const FORBIDDEN = -1
/** Not in base64. */
const BETWEEN_SECRETS = ' '

export function addCall(flat: FlatCalls, number: number, call: HookCall): void {
  const { account, address, body, count, id, at, secrets, traceparent = null } = call
  flat.push(number, account, address, body, count, id, at, secrets.join(BETWEEN_SECRETS), traceparent)
}

export function readCalls(flat: FlatCalls, take: (number: number, call: HookCall) => void): void {
  for (let cell = 0; cell < flat.length; cell += CALL_CELLS) {
    const secrets = flat[cell + 7] as string
    const traceparent = flat[cell + 8] as string | null
    take(flat[cell] as number, {
      ...(traceparent === null ? {} : { traceparent }),
      account: flat[cell + 1] as number,
      address: flat[cell + 2] as string,
      body: flat[cell + 3] as string,
      count: flat[cell + 4] as number | null,
      id: flat[cell + 5] as string,
      at: flat[cell + 6] as number,
      secrets: secrets === '' ? [] : secrets.split(BETWEEN_SECRETS),
    })
  }
}

export function addAnswer(flat: FlatAnswers, number: number, answer: HookAnswer): void {
  if (answer.kind === 'answered') flat.push(number, answer.status, answer.retryAfterMs)
  else flat.push(number, answer.kind === 'failed' ? FAILED : FORBIDDEN, answer.reason)
}

export function readAnswers(flat: FlatAnswers, take: (number: number, answer: HookAnswer) => void): void {
  for (let cell = 0; cell < flat.length; cell += ANSWER_CELLS) {
    take(flat[cell] as number, readAnswer(flat[cell + 1] as number, flat[cell + 2] as string | number | null))
  }
}

function readAnswer(status: number, detail: string | number | null): HookAnswer {
  if (status === FAILED) return { kind: 'failed', reason: detail as string }
  if (status === FORBIDDEN) return { kind: 'forbidden', reason: detail as string }
  return { kind: 'answered', status, retryAfterMs: detail as number | null }
}
