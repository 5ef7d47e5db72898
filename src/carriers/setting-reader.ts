/**
 * Reads the settings of a carrier from an operator's JSON. Every mistake is an Error that names the setting and its
 * rule. An unknown name is a mistake too, so that a misspelt setting does not silently get its default.
 */
import { X509Certificate } from 'node:crypto'
import { nearestName } from '../domain/nearest-name.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'

/** Settings of every carrier, which common-settings.ts reads before the driver does. */
const COMMON_SETTINGS = ['degradedAfter']

/** Characters of an unknown name in an error. */
const MAX_QUOTED = 60

export class SettingReader {
  readonly #fields: JsonObject
  readonly #path: string
  readonly #asked: Set<string>

  /** @param path prefix of the names in errors: empty, or `serviceAccount.`. */
  constructor(settings: unknown, path = '') {
    if (!isJsonObject(settings)) throw new Error(`${path === '' ? 'settings' : path.slice(0, -1)}: should be an object`)
    this.#fields = settings
    this.#path = path
    this.#asked = new Set(path === '' ? COMMON_SETTINGS : [])
  }

  /** Returns whether the setting is present. */
  has(name: string): boolean {
    return this.#take(name) !== undefined
  }

  /** Returns text that is not empty; required without `otherwise`. */
  text(name: string, otherwise?: string): string {
    const value = this.#take(name) ?? otherwise
    if (typeof value !== 'string' || value === '') throw this.wrong(name, 'should be text')
    return value
  }

  /** Returns a whole number from `least` to `most`; required without `otherwise`. */
  wholeNumber(name: string, least: number, most: number, otherwise?: number): number {
    const value = this.#take(name) ?? otherwise
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw this.wrong(name, `should be a whole number from ${least} to ${most}`)
    }
    return value
  }

  /** Returns an http(s) address without a trailing slash. */
  address(name: string, otherwise?: string): string {
    const value = this.text(name, otherwise)
    const url = URL.canParse(value) ? new URL(value) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
      throw this.wrong(name, 'should be an http or https address without query')
    }
    return value.replace(/\/+$/, '')
  }

  /** Returns CA certificates in PEM. */
  certificates(name: string): string {
    const text = this.text(name)
    try {
      new X509Certificate(text)
      return text
    } catch {
      throw this.wrong(name, 'should be certificates in PEM')
    }
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.#take(name) ?? otherwise
    if (typeof value !== 'boolean') throw this.wrong(name, 'should be true or false')
    return value
  }

  /** Returns one of `words`; required without `otherwise`. */
  oneOf<const Word extends string>(name: string, words: readonly Word[], otherwise?: Word): Word {
    const value = this.#take(name) ?? otherwise
    const word = words.find((each) => each === value)
    if (word === undefined) throw this.wrong(name, `should be one of ${words.join(', ')}`)
    return word
  }

  /** Returns any JSON; undefined if the setting is missing. */
  value(name: string): unknown {
    return this.#take(name)
  }

  group(name: string): SettingReader {
    const fields = this.#take(name)
    if (fields === undefined) throw this.wrong(name, 'should be an object')
    return new SettingReader(fields, `${this.#path}${name}.`)
  }

  /** Returns an optional `group`. */
  optionalGroup(name: string): SettingReader {
    return new SettingReader(this.#take(name) ?? {}, `${this.#path}${name}.`)
  }

  /** Returns the names and values of an object such as `{ "sender": "agent" }`; empty if it is missing. */
  map<T>(name: string, read: (values: SettingReader, key: string) => T): ReadonlyMap<string, T> {
    const given = this.#take(name) ?? {}
    const values = new SettingReader(given, `${this.#path}${name}.`)
    return new Map(Object.keys(given).map((key) => [key, read(values, key)]))
  }

  /** Returns the objects of an array, empty if it is missing. Errors name the index of the object. */
  list<T>(name: string, read: (fields: SettingReader) => T): readonly T[] {
    const given = this.#take(name) ?? []
    if (!Array.isArray(given)) throw this.wrong(name, 'should be a list')
    return given.map((each, index) => read(new SettingReader(each, `${this.#path}${name}.${index}.`)))
  }

  /**
   * Returns an Error about a setting. If the setting is missing, the error suggests the name that it was misspelt as.
   */
  wrong(name: string, complaint: string): Error {
    const misspelt = this.has(name) ? null : nearestName(name, this.#unknown())
    const hint = misspelt === null ? '' : `; ${this.#path}${misspelt} is not a setting: did you mean ${name}?`
    return new Error(`${this.#path}${name}: ${complaint}${hint}`)
  }

  /** Throws an Error if there are settings that were not read. */
  end(): void {
    const [unknown] = this.#unknown()
    if (unknown === undefined) return
    const nearest = nearestName(unknown, this.#asked)
    const meant = nearest === null ? '.' : `; did you mean ${nearest}?`
    const name = `${this.#path}${unknown.slice(0, MAX_QUOTED)}`
    throw new Error(
      `${name}: is not a setting of this carrier${meant} Known settings: ${[...this.#asked].sort().join(', ')}`,
    )
  }

  #unknown(): readonly string[] {
    return Object.keys(this.#fields).filter((name) => !this.#asked.has(name))
  }

  #take(name: string): unknown {
    this.#asked.add(name)
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined
  }
}
