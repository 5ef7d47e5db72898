/**
 * Reads the settings of a carrier from an operator's JSON by their schema. The Error has all mistakes, each with the
 * name of the setting and its rule, but never its value. An unknown name is a mistake too, so that a misspelt setting
 * does not silently get its default.
 */
import Type, { type StaticDecode, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { nearestName } from '../../domain/text/nearest-name.ts'
import { ruleOf } from '../../domain/text/schema-rule.ts'
import type { SettingFault, SettingFaults } from '../../ports/carriers/setting-fault.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'

/** Characters of an unknown name in an error. */
const MAX_QUOTED = 60
/** Mistakes in an error. */
const MAX_FAULTS = 50

/** Settings are wrong; the message names the first. Paths are those inside of the object that is being read. */
export class WrongSetting extends Error implements SettingFaults {
  readonly #faults: SettingFaults['faults']

  constructor(path: string, rule: string, ...others: readonly SettingFault[]) {
    super(`${path}: ${rule}`)
    this.#faults = [{ path, rule }, ...others]
  }

  get faults(): SettingFaults['faults'] {
    return this.#faults
  }

  /** Returns the same error in the object around, with a hint after the rules. */
  within(outer: string, hint = ''): WrongSetting {
    return wrongSettings(this.#faults.map(({ path, rule }) => ({ path: join(outer, path), rule: rule + hint })))
  }
}

function wrongSettings(faults: readonly SettingFault[]): WrongSetting {
  const [{ path, rule } = NO_FAULT, ...others] = faults
  return new WrongSetting(path, rule, ...others.slice(0, MAX_FAULTS - 1))
}

const NO_FAULT: SettingFault = { path: '', rule: '' }

/** Collects the mistakes of the members of an object, a list or a map. */
class FaultList {
  readonly #faults: SettingFault[] = []

  /** Returns the member; undefined if it is wrong. */
  read<V>(read: () => V): V | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof WrongSetting)) throw error
      this.#faults.push(...error.faults.slice(0, MAX_FAULTS - this.#faults.length))
      return undefined
    }
  }

  /** Throws WrongSetting if there are any. */
  end(): void {
    if (this.#faults.length > 0) throw wrongSettings(this.#faults)
  }
}

/** Returns what the schema makes of the settings, with all defaults. Throws an Error such as `port: should be …`. */
export function readSettings<S extends TObject>(schema: S, settings: unknown): StaticDecode<S> {
  if (!isJsonObject(settings)) throw new WrongSetting('settings', 'should be an object')
  return read(schema, settings, '') as StaticDecode<S>
}

function read(schema: TSchema, value: unknown, path: string): unknown {
  const inner = readInner(schema, value, path)
  if (!Type.IsCodec(schema)) return inner
  try {
    return schema['~codec'].decode(inner)
  } catch (error) {
    if (error instanceof WrongSetting) throw error.within(path)
    throw new WrongSetting(path, error instanceof URIError ? 'should be percent-encoded' : (error as Error).message)
  }
}

function readInner(schema: TSchema, value: unknown, path: string): unknown {
  if (Type.IsUnion(schema)) return readUnion(schema.anyOf, value, path)
  // A missing map counts as an empty one.
  if (Type.IsRecord(schema) && value === undefined) return {}
  if (Type.IsObject(schema) || Type.IsRecord(schema)) {
    if (!isJsonObject(value)) throw new WrongSetting(path, 'should be an object')
    return Type.IsObject(schema) ? readObject(schema, value, path) : readRecord(schema, value, path)
  }
  if (Type.IsArray(schema)) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema as Keywords
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) throw wrong(path, schema)
    const faults = new FaultList()
    const items = value.map((each: unknown, index) =>
      faults.read(() => read(schema.items, each, join(path, String(index)))),
    )
    faults.end()
    return items
  }
  if (Type.IsString(schema) && (typeof value !== 'string' || value === '') && (schema as Keywords).minLength !== 0) {
    throw new WrongSetting(path, value === '' ? 'should be text that is not empty' : 'should be text')
  }
  if (!Check(schema, value)) throw wrong(path, schema)
  return value
}

function readObject(schema: TObject, object: JsonObject, path: string): JsonObject {
  const names = Object.keys(schema.properties)
  const unknown =
    (schema as Keywords).additionalProperties === false
      ? Object.keys(object).filter((name) => !names.includes(name))
      : []
  const values: Record<string, unknown> = {}
  const misspelt = new Set<string>()
  const faults = new FaultList()
  for (const [name, member] of Object.entries(schema.properties)) {
    // Null stands for a missing setting, as in a merge patch.
    const value = (Object.hasOwn(object, name) ? object[name] : null) ?? structuredClone(defaultOf(member))
    if (value === undefined && Type.IsOptional(member)) continue
    const meant = value === undefined ? nearestName(name, unknown) : null
    if (meant !== null) misspelt.add(meant)
    const hint = meant === null ? '' : `; ${join(path, meant)} is not a setting: did you mean ${name}?`
    values[name] = faults.read(() => withHint(hint, () => read(member, value, join(path, name))))
  }
  for (const name of unknown.slice(0, MAX_FAULTS)) {
    if (!misspelt.has(name)) faults.read(() => refuseUnknown(name, names, path))
  }
  faults.end()
  return values
}

function withHint<V>(hint: string, read: () => V): V {
  try {
    return read()
  } catch (error) {
    throw error instanceof WrongSetting ? error.within('', hint) : error
  }
}

function readRecord(schema: TSchema, object: JsonObject, path: string): JsonObject {
  if (!Type.IsRecord(schema)) return object
  const [keys, values] = [new RegExp(Type.RecordPattern(schema)), Type.RecordValue(schema)]
  const faults = new FaultList()
  const entries = Object.entries(object).map(([key, each]) => {
    const value = faults.read(() => {
      if (keys.test(key)) return read(values, each, join(path, key))
      throw new WrongSetting(join(path, key), `should be ${(schema as Keywords).keyRule}`)
    })
    return [key, value] as const
  })
  faults.end()
  return Object.fromEntries(entries)
}

/** The keywords of JSON Schema that reading needs, and the rule for the names of a map. */
interface Keywords {
  readonly default?: unknown
  readonly minLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly additionalProperties?: unknown
  readonly keyRule?: string
}

/** A word or text, a list, or one of several objects, which differ in their `kind`; `none` if it is missing. */
function readUnion(options: readonly TSchema[], value: unknown, path: string): unknown {
  const list = options.find((option) => Type.IsArray(option))
  if (list !== undefined && Array.isArray(value)) return read(list, value, path)
  const objects = options.filter((option) => Type.IsObject(option))
  const plain = options.find((option) => Type.IsString(option))
  if (plain !== undefined && !isJsonObject(value)) return read(plain, value, path)
  if (options.some((option) => !Type.IsObject(option) && Check(option, value))) return value
  if (objects.length < 2) return read(objects[0] ?? Type.Never(), value, path)
  if (!isJsonObject(value)) throw new WrongSetting(path, 'should be an object')
  const kinds = objects.map(({ properties }) => kindOf(properties))
  const chosen = objects[kinds.indexOf(value['kind'] ?? 'none')]
  if (chosen === undefined) throw new WrongSetting(join(path, 'kind'), `should be one of ${kinds.join(', ')}`)
  return read(chosen, { kind: 'none', ...value }, path)
}

function kindOf({ kind }: Readonly<Record<string, TSchema>>): unknown {
  return (kind as { readonly const?: unknown } | undefined)?.const
}

function defaultOf(schema: TSchema): unknown {
  return (schema as Keywords).default
}

function wrong(path: string, schema: TSchema): WrongSetting {
  return new WrongSetting(path, `should be ${ruleOf(schema)}`)
}

/** Throws WrongSetting. */
function refuseUnknown(unknown: string, known: readonly string[], path: string): never {
  const nearest = nearestName(unknown, known)
  const suggestion = nearest === null ? '.' : `; did you mean ${nearest}?`
  const rule = `is not a setting of this carrier${suggestion} Known settings: ${known.toSorted().join(', ')}`
  throw new WrongSetting(join(path, unknown.slice(0, MAX_QUOTED)), rule)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
