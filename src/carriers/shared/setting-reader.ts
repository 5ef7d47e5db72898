/**
 * Reads the settings of a carrier from an operator's JSON. Every mistake is an Error that names the setting and its
 * rule. An unknown name is a mistake too, so that a misspelt setting does not silently get its default.
 */
import { X509Certificate } from 'node:crypto'
import { nearestName } from '../../domain/text/nearest-name.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'

/** Settings of every carrier, which common-settings.ts reads before the driver does. */
const COMMON_SETTINGS = ['degradedAfter']

/** Characters of an unknown name in an error. */
const MAX_QUOTED = 60

/** Entries of a list of texts. */
const MAX_TEXTS = 8

/** How errors name the items of a list, and the rule for one of them. */
interface ListRule {
  readonly items: string
  readonly rule: string
}

export class SettingReader {
  readonly #fields: JsonObject
  readonly #path: string
  readonly #known: Set<string>

  /** @param path prefix of the names in errors: empty, or `serviceAccount.`. */
  constructor(settings: unknown, path = '') {
    if (!isJsonObject(settings)) throw new Error(`${path === '' ? 'settings' : path.slice(0, -1)}: should be an object`)
    this.#fields = settings
    this.#path = path
    this.#known = new Set(path === '' ? COMMON_SETTINGS : [])
  }

  /** Returns whether the setting is present. */
  has(name: string): boolean {
    return this.#read(name) !== undefined
  }

  /** Returns text that is not empty; required without `fallback`. */
  text(name: string, fallback?: string): string {
    const value = this.#read(name) ?? fallback
    if (typeof value !== 'string' || value === '') throw this.wrong(name, 'should be text')
    return value
  }

  /** Returns text that matches the pattern; `rule` describes it in the error. Required without `fallback`. */
  matching(name: string, pattern: RegExp, rule: string, fallback?: string): string {
    const value = this.text(name, fallback)
    if (pattern.test(value)) return value
    throw this.wrong(name, rule)
  }

  ascii(name: string, maxLength: number): string {
    const pattern = new RegExp(`^[ -~]{1,${maxLength}}$`)
    return this.matching(name, pattern, `should be 1 to ${maxLength} ASCII characters`)
  }

  /** Returns a secret that is part of a webhook's address. */
  webhookToken(name: string): string {
    return this.matching(name, /^[\w-]{16,128}$/, 'should be 16 to 128 letters, digits, _ or -')
  }

  /**
   * Returns the result of `read`. If it throws, the Error is about the setting, with `rule` or the text of the error.
   */
  check<T>(name: string, read: () => T, rule?: string): T {
    try {
      return read()
    } catch (error) {
      const message = error instanceof URIError ? 'should be percent-encoded' : (error as Error).message
      throw this.wrong(name, rule ?? message)
    }
  }

  /** Returns a whole number from `min` to `max`; required without `fallback`. */
  wholeNumber(name: string, min: number, max: number, fallback?: number): number {
    const value = this.#read(name) ?? fallback
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw this.wrong(name, `should be a whole number from ${min} to ${max}`)
    }
    return value
  }

  /** Returns an http(s) address without a trailing slash. */
  address(name: string, fallback?: string): string {
    const value = this.text(name, fallback)
    const url = URL.canParse(value) ? new URL(value) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
      throw this.wrong(name, 'should be an http or https address without query')
    }
    return value.replace(/\/+$/, '')
  }

  /** Returns CA certificates in PEM. */
  certificates(name: string): string {
    const text = this.text(name)
    this.check(name, () => new X509Certificate(text), 'should be certificates in PEM')
    return text
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#read(name) ?? fallback
    if (typeof value !== 'boolean') throw this.wrong(name, 'should be true or false')
    return value
  }

  /** Returns one of `words`; required without `fallback`. */
  oneOf<const Word extends string>(name: string, words: readonly Word[], fallback?: Word): Word {
    const value = this.#read(name) ?? fallback
    const word = words.find((each) => each === value)
    if (word === undefined) throw this.wrong(name, `should be one of ${words.join(', ')}`)
    return word
  }

  /** Returns any JSON; undefined if the setting is missing. */
  value(name: string): unknown {
    return this.#read(name)
  }

  group(name: string): SettingReader {
    const fields = this.#read(name)
    if (fields === undefined) throw this.wrong(name, 'should be an object')
    return new SettingReader(fields, `${this.#path}${name}.`)
  }

  /** Returns an optional `group`. */
  optionalGroup(name: string): SettingReader {
    return new SettingReader(this.#read(name) ?? {}, `${this.#path}${name}.`)
  }

  /** Returns the names and values of an object such as `{ "sender": "agent" }`; empty if it is missing. */
  map<T>(name: string, read: (values: SettingReader, key: string) => T): ReadonlyMap<string, T> {
    const given = this.#read(name) ?? {}
    const values = new SettingReader(given, `${this.#path}${name}.`)
    return new Map(Object.keys(given).map((key) => [key, read(values, key)]))
  }

  /** Returns the objects of an array, empty if it is missing. Errors name the index of the object. */
  list<T>(name: string, read: (fields: SettingReader) => T): readonly T[] {
    const given = this.#read(name) ?? []
    if (!Array.isArray(given)) throw this.wrong(name, 'should be a list')
    return given.map((each, index) => read(new SettingReader(each, `${this.#path}${name}.${index}.`)))
  }

  /** Returns what `read` makes of each text of a short list; empty if it is missing. Null of `read` is an error. */
  texts<T>(name: string, { items, rule }: ListRule, read: (text: string) => T | null): readonly T[] {
    const given = this.#read(name) ?? []
    if (!Array.isArray(given) || given.length > MAX_TEXTS) {
      throw this.wrong(name, `should be a list of at most ${MAX_TEXTS} ${items}`)
    }
    return given.map((text, index) => {
      const item = typeof text === 'string' ? read(text) : null
      if (item === null) throw this.wrong(`${name}.${index}`, rule)
      return item
    })
  }

  /**
   * Returns an Error about a setting. If the setting is missing, the error suggests the name that it was misspelt as.
   */
  wrong(name: string, rule: string): Error {
    const misspelt = this.has(name) ? null : nearestName(name, this.#unknown())
    const hint = misspelt === null ? '' : `; ${this.#path}${misspelt} is not a setting: did you mean ${name}?`
    return new Error(`${this.#path}${name}: ${rule}${hint}`)
  }

  /** Throws an Error if there are settings that were not read. */
  end(): void {
    const [unknown] = this.#unknown()
    if (unknown === undefined) return
    const nearest = nearestName(unknown, this.#known)
    const suggestion = nearest === null ? '.' : `; did you mean ${nearest}?`
    const name = `${this.#path}${unknown.slice(0, MAX_QUOTED)}`
    throw new Error(
      `${name}: is not a setting of this carrier${suggestion} Known settings: ${[...this.#known].sort().join(', ')}`,
    )
  }

  #unknown(): readonly string[] {
    return Object.keys(this.#fields).filter((name) => !this.#known.has(name))
  }

  #read(name: string): unknown {
    this.#known.add(name)
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined
  }
}
