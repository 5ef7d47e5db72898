/** Reads the answer of the JSON API to one operation. Ids in it keep the form in which the client wrote them. */
import { codeOf, type ErrorCode } from '../../contract/request/error-codes.ts'
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'

export interface RestResult {
  readonly kind: 'result'
  /** The result as JSON, with its warnings. */
  readonly text: string
  readonly members: Readonly<Record<string, unknown>>
}

export interface RestError {
  readonly kind: 'error'
  readonly code: ErrorCode
  readonly detail: string
  readonly field?: string
}

interface Result {
  readonly success: boolean
  readonly error?: string
  readonly field?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly warnings?: readonly string[]
}

const START = '{"success":true,"data":[{"success":true,"data":'
const END = '}]}'

export function readResult(answer: string): RestResult | RestError {
  const { data: results, error: refusal } = JSON.parse(answer) as { data?: readonly Result[]; error?: string }
  const [result] = results ?? []
  const { success = false, data = {}, warnings, field, error = refusal ?? REQUEST_ERRORS.internal } = result ?? {}
  if (!success) {
    return { kind: 'error', code: codeOf(error), detail: error, ...(field === undefined ? {} : { field }) }
  }
  const listed = warnings === undefined ? '' : `,"warnings":${JSON.stringify(warnings)}`
  const object = answer.slice(START.length, -(listed.length + END.length))
  return { kind: 'result', text: `${object.slice(0, -1)}${listed}}`, members: data }
}
