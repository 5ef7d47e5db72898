/** Errors of the admin API (RFC 9457 problem documents) and of the connection to it. */
import { gatewayText } from '../texts/gateway-texts.ts'

export interface FieldProblem {
  /** Name as sent: `name`, `numbers.0`. */
  readonly field: string
  readonly detail: string
}

/** Why a request failed. `status` is 0 if the gateway could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly title: string
  readonly fields: readonly FieldProblem[]

  constructor(status: number, title: string, detail: string, fields: readonly FieldProblem[] = []) {
    super(detail)
    this.status = status
    this.title = title
    this.fields = fields
  }

  /** The request may have succeeded: a repeat needs the same idempotency key. */
  get isUnclear(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** Reads the error of a response that is not 2xx. */
export async function readProblem(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  try {
    const { title = response.statusText, detail = text, errors = [] } = JSON.parse(text)
    return new ApiError(response.status, title, gatewayText(detail), errors.map(inLanguage))
  } catch {
    return new ApiError(response.status, response.statusText, text.slice(0, 500))
  }
}

function inLanguage({ field, detail }: FieldProblem): FieldProblem {
  return { field, detail: gatewayText(detail) }
}

/** Returns what to show for any error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns what the API found wrong with a field; undefined for other errors. */
export function problemOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields.find((each) => each.field === field)?.detail : undefined
}
