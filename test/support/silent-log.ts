/** A log that keeps its lines for a test to read. */
import type { Log, LogFields } from '../../src/ports/system/log.ts'

export interface KeptLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: LogFields
  readonly line: string
}

export class SilentLog implements Log {
  readonly lines: KeptLine[] = []

  debug(fields: LogFields, line: string): void {
    this.lines.push({ level: 'debug', fields, line })
  }

  info(fields: LogFields, line: string): void {
    this.lines.push({ level: 'info', fields, line })
  }

  warn(fields: LogFields, line: string): void {
    this.lines.push({ level: 'warn', fields, line })
  }

  error(fields: LogFields, line: string): void {
    this.lines.push({ level: 'error', fields, line })
  }
}
