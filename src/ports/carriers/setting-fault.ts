/** The error of a driver about its settings: all that is wrong with them. */

export interface SettingFault {
  /** Names from the outside in, such as `tls.ca`. */
  readonly path: string
  /** Follows the name: `should be a whole number`. */
  readonly rule: string
}

export interface SettingFaults extends Error {
  readonly faults: readonly [SettingFault, ...SettingFault[]]
}

export function isSettingFaults(error: unknown): error is SettingFaults {
  return error instanceof Error && 'faults' in error
}
