/** An error of the admin API as a problem document (RFC 9457). */

export class AdminProblem extends Error {
  override readonly name = 'AdminProblem'
  readonly status: number
  readonly title: string
  /** One entry for each invalid field. */
  readonly errors: readonly FieldError[]

  constructor(status: keyof typeof TITLES, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.title = TITLES[status]
    this.errors = errors
  }
}

/** Seconds after which a caller should repeat what was answered with 503. */
export const RETRY_SECONDS = 1

/** Writes the problem document. */
export function writeProblem({ status, title, message, errors }: Omit<AdminProblem, 'name'>): object {
  const document = { type: 'about:blank', title, status, detail: message }
  return errors.length === 0 ? document : { ...document, errors }
}

export interface FieldError {
  /** Name as sent: `name`, `numbers.0`. */
  readonly field: string
  /** The rule that the value breaks. */
  readonly detail: string
}

const TITLES = {
  400: 'The request is malformed',
  401: 'Authentication required',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  412: 'Changed concurrently',
  415: 'Unsupported media type',
  422: 'Refused',
  429: 'Too many requests',
  503: 'Unavailable',
} as const
