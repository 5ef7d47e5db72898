/** Reads the answer of the JSON API to one operation. Ids in it keep the form in which the client wrote them. */
import type { ErrorCode } from '../../contract/request/error-codes.ts'

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

interface Failure {
  readonly error: string
  readonly code: ErrorCode
  readonly field?: string
}

interface Result extends Partial<Failure> {
  readonly success: boolean
  readonly data?: Readonly<Record<string, unknown>>
  readonly warnings?: readonly string[]
}

const START = '{"success":true,"data":[{"success":true,"data":'
const END = '}]}'

export function readResult(answer: string): RestResult | RestError {
  const { data: results, ...refusal } = JSON.parse(answer) as { readonly data?: readonly Result[] } & Failure
  const result = results?.[0]
  if (result?.success !== true) {
    const { error, code, field } = (result ?? refusal) as Failure
    return { kind: 'error', code, detail: error, ...(field === undefined ? {} : { field }) }
  }
  const { data = {}, warnings } = result
  const listed = warnings === undefined ? '' : `,"warnings":${JSON.stringify(warnings)}`
  const object = answer.slice(START.length, -(listed.length + END.length))
  return { kind: 'result', text: `${object.slice(0, -1)}${listed}}`, members: data }
}
