/** Errors with which a store rejects. */

/** The store could not do it and wrote nothing: disk full, connection lost. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The database cannot be reached or cannot take writes at the moment: a retry may succeed. */
export class StoreUnavailable extends StoreError {}

/** An operator's change that breaks a rule: an unknown account, a name that is taken. */
export class ChangeRefused extends Error {
  override readonly name: string = 'ChangeRefused'
}

/** A change that was based on an older revision of the directory than the stored one: reload and retry. */
export class ChangeConflict extends ChangeRefused {
  override readonly name = 'ChangeConflict'
}

/** A query would read more rows than one may. */
export class TooMuchToRead extends StoreError {
  constructor() {
    super('the query reads too many rows')
  }
}
