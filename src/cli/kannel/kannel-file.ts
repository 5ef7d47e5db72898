/** The parts of a kannel.conf: lines, groups, and notes on what has no counterpart. */

/** Where something stands, for the operator. */
export interface FilePlace {
  /** As the operator or an include names it. */
  readonly file: string
  readonly line: number
}

export interface SourceLine extends FilePlace {
  readonly text: string
}

export interface KannelSetting extends FilePlace {
  readonly value: string
}

export interface Group extends FilePlace {
  /** `smsc`, `sendsms-user` … */
  readonly name: string
  readonly settings: ReadonlyMap<string, KannelSetting>
}

/** What the importer does not translate, or not quite. Contains no value that may be a secret. */
export interface Note extends FilePlace {
  /** For example `smsc mtn, denied-prefix`. */
  readonly subject: string
  readonly why: string
}
