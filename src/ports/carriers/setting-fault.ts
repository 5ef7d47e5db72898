/** The error of a driver about one of its settings. */

export interface SettingFault extends Error {
  /** Names from the outside in, such as `tls.ca`. */
  readonly path: string
  /** Follows the name: `should be a whole number`. */
  readonly rule: string
}

export function isSettingFault(error: unknown): error is SettingFault {
  return error instanceof Error && 'path' in error && 'rule' in error
}
