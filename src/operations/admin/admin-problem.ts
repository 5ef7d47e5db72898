/** What the admin API answers when it does not do what was asked: a problem in the sense of RFC 9457. */

export class AdminProblem extends Error {
  override readonly name = 'AdminProblem'
  readonly status: number
  readonly title: string
  /** One for each field that is wrong. */
  readonly errors: readonly FieldError[]

  constructor(status: keyof typeof TITLES, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.title = TITLES[status]
    this.errors = errors
  }
}

export interface FieldError {
  /** As it was sent: `name`, `numbers.0`. */
  readonly field: string
  /** The rule that it breaks. */
  readonly detail: string
}

const TITLES = {
  400: 'The request is malformed',
  401: 'Authentication required',
  403: 'Not allowed for this role',
  404: 'Not found',
  409: 'Conflict',
  412: 'Changed in the meantime',
  422: 'Refused',
  429: 'Too many attempts',
  503: 'Unavailable',
} as const
