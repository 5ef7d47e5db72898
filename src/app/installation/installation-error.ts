/** The error of a wrong installation. A file of its own, because every command knows the error and few open one. */

/** The operator can fix the cause, which the text names. */
export class InstallationError extends Error {
  override readonly name = 'InstallationError'
}
