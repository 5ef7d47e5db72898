/** An error of the admin API as a problem document (RFC 9457). */
import type { Role } from '../../../domain/accounts/admin-user.ts'
import type { FieldError } from '../fields/field-refused.ts'

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

/** The session must prove its user's identity again (RFC 9470). */
export class ProofNeeded extends AdminProblem {
  constructor(what: string) {
    super(401, `to change ${what}, prove again who you are: POST /admin/v1/session/proof or /session/proof/passkey`)
  }
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** For example `finance may not change accounts; owner and operator may`. */
export function refuseRole(role: Role, action: string, may: readonly Role[]): string {
  return `${role} may not ${action}; ${LIST.format(may)} may`
}

/** Seconds after which a caller should repeat what was answered with 503. */
export const RETRY_SECONDS = 1

/** Writes the problem document. */
export function writeAdminProblem({ status, title, message, errors }: Omit<AdminProblem, 'name'>): object {
  const document = { type: 'about:blank', title, status, detail: message }
  return errors.length === 0 ? document : { ...document, errors }
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
