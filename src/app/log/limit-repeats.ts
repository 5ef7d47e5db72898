/**
 * Writes the same log line only a few times a minute, so that repeatedly refused requests or PDUs do not fill the disk.
 * Reports the number of omitted lines at the end of the minute.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log, LogFields } from '../../ports/system/log.ts'

const MINUTE_MS = 60_000
const MAX_PER_MINUTE = 10
/** Distinct lines per minute; all further ones share one count. */
const MAX_LINES = 1_000

type Level = keyof Log

interface Repeats {
  readonly level: Level
  readonly about: LogFields
  readonly line: string
  count: number
}

export class RepeatLimitedLog implements Log {
  readonly #log: Log
  readonly #clock: Clock
  readonly #lines = new Map<string, Repeats>()
  #minute: Cancel | null = null

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  debug(fields: LogFields, line: string): void {
    this.#log.debug(fields, line)
  }

  info(fields: LogFields, line: string): void {
    this.#write('info', fields, line)
  }

  warn(fields: LogFields, line: string): void {
    this.#write('warn', fields, line)
  }

  error(fields: LogFields, line: string): void {
    this.#write('error', fields, line)
  }

  /** Reports the lines omitted so far. */
  flush(): void {
    this.#minute?.()
    this.#minute = null
    for (const { level, about, line, count } of this.#lines.values()) {
      if (count > MAX_PER_MINUTE) this.#log[level]({ ...about, repeated: count - MAX_PER_MINUTE }, line)
    }
    this.#lines.clear()
  }

  /** Lines are equal if text, level and carrier are. */
  #write(level: Level, fields: LogFields, line: string): void {
    const { carrier } = fields
    const about = carrier === undefined ? {} : { carrier }
    const key = `${level} ${String(carrier)} ${line}`
    const isKnown = this.#lines.has(key) || this.#lines.size < MAX_LINES
    const repeats = this.#repeatsOf(
      isKnown ? key : level,
      isKnown ? { level, about, line } : { level, about: {}, line: OTHERS },
    )
    repeats.count += 1
    if (repeats.count <= MAX_PER_MINUTE) this.#log[level](fields, line)
  }

  #repeatsOf(key: string, first: Omit<Repeats, 'count'>): Repeats {
    const known = this.#lines.get(key)
    if (known !== undefined) return known
    this.#minute ??= this.#clock.after(MINUTE_MS, () => this.flush())
    const repeats = { ...first, count: 0 }
    this.#lines.set(key, repeats)
    return repeats
  }
}

const OTHERS = 'other lines'
