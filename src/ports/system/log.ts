/** The operators' log. Phone numbers, texts, keys and secrets are never logged. */
export interface Log {
  debug(fields: LogFields, line: string): void
  info(fields: LogFields, line: string): void
  warn(fields: LogFields, line: string): void
  error(fields: LogFields, line: string): void
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined | Error>>
