/**
 * Calls to hooks and their answers, numbered, in flat arrays: transferring an object to another thread costs about a
 * microsecond, a cell of an array next to nothing.
 */
import type { HookAnswer, HookCall } from '../../ports/hooks/hook-post.ts'

type Cell = string | number | null

/** Calls one after the other, each as CALL_CELLS cells. */
export type FlatCalls = Cell[]
/** Answers one after the other, each as ANSWER_CELLS cells. */
export type FlatAnswers = Cell[]

const CALL_CELLS = 9
const ANSWER_CELLS = 4
/** In the place of a status. */
const FAILED = 0
const FORBIDDEN = -1
/** Not in base64. */
const BETWEEN_SECRETS = ' '
/** In the place of an address, or of secrets, that are those of the call before. */
const AS_BEFORE = null

/** Collects calls. Calls to one hook often follow each other: its address and secrets cross once. */
export class CallBatch {
  #cells: FlatCalls = []
  #address = ''
  #secrets = ''

  get isEmpty(): boolean {
    return this.#cells.length === 0
  }

  add(number: number, call: HookCall): void {
    const { account, body, count, id, at, traceparent = null } = call
    const secrets = call.secrets.length === 1 ? (call.secrets[0] ?? '') : call.secrets.join(BETWEEN_SECRETS)
    const address = call.address === this.#address ? AS_BEFORE : call.address
    const secretsCell = secrets === this.#secrets ? AS_BEFORE : secrets
    this.#address = call.address
    this.#secrets = secrets
    this.#cells.push(number, account, address, body, count, id, at, secretsCell, traceparent)
  }

  /** Empties the batch. */
  take(): FlatCalls {
    const cells = this.#cells
    this.#cells = []
    this.#address = ''
    this.#secrets = ''
    return cells
  }
}

export function readCalls(flat: FlatCalls, take: (number: number, call: HookCall) => void): void {
  let address = ''
  let secrets: readonly string[] = []
  for (let cell = 0; cell < flat.length; cell += CALL_CELLS) {
    const traceparent = flat[cell + 8] as string | null
    address = (flat[cell + 2] as string | null) ?? address
    secrets = readSecrets(flat[cell + 7] as string | null) ?? secrets
    take(flat[cell] as number, {
      ...(traceparent === null ? {} : { traceparent }),
      account: flat[cell + 1] as number,
      address,
      body: flat[cell + 3] as string,
      count: flat[cell + 4] as number | null,
      id: flat[cell + 5] as string,
      at: flat[cell + 6] as number,
      secrets,
    })
  }
}

function readSecrets(cell: string | null): readonly string[] | null {
  if (cell === AS_BEFORE) return null
  return cell === '' ? [] : cell.split(BETWEEN_SECRETS)
}

export function addAnswer(flat: FlatAnswers, number: number, answer: HookAnswer): void {
  if (answer.kind === 'answered') flat.push(number, answer.status, answer.retryAfterMs, answer.text ?? null)
  else flat.push(number, answer.kind === 'failed' ? FAILED : FORBIDDEN, answer.reason, null)
}

export function readAnswers(flat: FlatAnswers, take: (number: number, answer: HookAnswer) => void): void {
  for (let cell = 0; cell < flat.length; cell += ANSWER_CELLS) {
    const answer = readAnswer(flat[cell + 1] as number, flat[cell + 2] as string | number | null)
    const text = flat[cell + 3] as string | null
    take(flat[cell] as number, text !== null && answer.kind === 'answered' ? { ...answer, text } : answer)
  }
}

function readAnswer(status: number, detail: string | number | null): HookAnswer {
  if (status === FAILED) return { kind: 'failed', reason: detail as string }
  if (status === FORBIDDEN) return { kind: 'forbidden', reason: detail as string }
  return { kind: 'answered', status, retryAfterMs: detail as number | null }
}
