/**
 * Other names of the chat-app channel: services with this API name it after their messenger, such as `viber`. This is
 * the only place that translates them: types and fields in requests, error texts and field names in answers. The name
 * for later answers and reports is stored with the step of the message (`channelName`).
 */
import { CHANNELS, MESSAGE_CHANNELS } from '../../domain/channels/channel.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import { CHATAPP_FORM } from '../channels/chatapp-form.ts'
import { channelsOf } from '../channels/send-types.ts'
import { isSent } from '../fields/fields.ts'
import type { RequestObject } from '../request/envelope.ts'
import { OTHER_SCHEMAS, schemaOf, sendSchemaOf } from './operation-schemas.ts'

const MAX_NAMES = 8
const NAME = /^[a-z][a-z0-9]{1,19}$/
/** The longest type that is searched for a name. */
const MAX_TYPE_CHARACTERS = 64

/** `_type`, `_message` and so on. */
const FIELD_ENDS = [...CHATAPP_FORM.fields, CHATAPP_FORM.lifetime].map(({ name }) => name.slice(CHATAPP.name.length))

/** Words that begin a field or occur in a type: as a name of the chat app they would change the meaning of requests. */
const TAKEN: ReadonlySet<string> = new Set([
  ...CHANNELS,
  ...OTHER_SCHEMAS.flatMap(({ type }) => type.split('/')),
  ...[...OTHER_SCHEMAS, ...MESSAGE_CHANNELS.flatMap((channel) => sendSchemaOf(channel) ?? [])].flatMap(({ fields }) =>
    fields.map(({ name }) => name.replace(/_.*/, '')),
  ),
])

/** An operation under the names of the specification. */
export interface TranslatedItem {
  readonly item: RequestObject
  /** The name of the chat app in its answers. */
  readonly chatappName: string
  /** Maps the specification's names of fields to the names that were sent, if they differ. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields sent under more than one name and not used, as they were sent. */
  readonly repeated: readonly string[]
}

const NOT_RENAMED: ReadonlyMap<string, string> = new Map()
const NONE: readonly string[] = []

/** Returns why a list of names cannot be used; null if it can. */
export function problemInNames(names: readonly string[]): string | null {
  if (names.length > MAX_NAMES) return `at most ${MAX_NAMES} names`
  const wrong = names.find((name) => !NAME.test(name))
  if (wrong !== undefined) return `${JSON.stringify(wrong)} must be 2 to 20 lower-case letters and digits`
  const taken = names.find((name) => TAKEN.has(name))
  return taken === undefined ? null : `${JSON.stringify(taken)} has another meaning in the API`
}

export class ChatappNames {
  readonly #names: readonly string[]
  /** The types that name the channel, with the name in each: those of sends once they were asked for. */
  readonly #types: Map<unknown, readonly [type: string, chatappName: string]>
  /** All fields under other names than the specification's. */
  readonly #otherFields: readonly string[]

  constructor(names: readonly string[]) {
    this.#names = names
    this.#otherFields = names.flatMap((name) => FIELD_ENDS.map((end) => name + end))
    this.#types = new Map(
      [CHATAPP.name, ...names].flatMap((name) => TYPES.map((type) => [renameType(type, name), [type, name]])),
    )
  }

  /**
   * The name in `type` (for a price, in `send_type`) decides the name in answers. If a field was sent under several
   * names, that one wins, then the specification's, then the order of the setting.
   */
  translate(item: RequestObject): TranslatedItem {
    const naming = item.type === 'price' ? 'send_type' : 'type'
    const known = this.#typeNaming(item[naming])
    if (known === undefined) {
      return { item, chatappName: this.#nameIn(item[naming]), renamed: NOT_RENAMED, repeated: NONE }
    }
    const [type, chatappName] = known
    if (chatappName === CHATAPP.name && !this.#hasOtherNames(item)) {
      return { item, chatappName, renamed: NOT_RENAMED, repeated: NONE }
    }
    const order = [...new Set([chatappName, CHATAPP.name, ...this.#names])]
    return { ...renameFields({ ...item, [naming]: type }, order), chatappName }
  }

  /** Returns the type of an item under the names of the specification; what was sent if it does not exist. */
  typeOf({ type }: RequestObject): unknown {
    return this.#typeNaming(type)?.[0] ?? type
  }

  /** Returns the type under the names of the specification, and the name in it; undefined if it names no chat app. */
  #typeNaming(type: unknown): readonly [type: string, chatappName: string] | undefined {
    const known = this.#types.get(type)
    if (known !== undefined || typeof type !== 'string' || type.length > MAX_TYPE_CHARACTERS) return known
    if (schemaOf(type) !== null && !type.includes(CHATAPP.name)) return undefined
    const parts = type.split('+')
    const at = parts.findIndex((part) => part === CHATAPP.name || this.#names.includes(part))
    const name = parts[at]
    if (name === undefined) return undefined
    const renamed = parts.with(at, CHATAPP.name).join('+')
    if (channelsOf(renamed) === null) return undefined
    this.#types.set(type, [renamed, name])
    return [renamed, name]
  }

  /** A type that does not exist may still name the channel: the error then lists the types under that name. */
  #nameIn(type: unknown): string {
    if (typeof type !== 'string' || type.length > MAX_TYPE_CHARACTERS || schemaOf(type) !== null) return CHATAPP.name
    return type.split(/[+/]/).find((part) => this.#names.includes(part)) ?? CHATAPP.name
  }

  #hasOtherNames(item: RequestObject): boolean {
    return this.#otherFields.some((field) => isSent(item[field]))
  }
}

/** Writes an error text or the name of a field in the client's names. */
export function inClientNames(text: string, { chatappName, renamed }: TranslatedItem): string {
  if (chatappName === CHATAPP.name && renamed.size === 0) return text
  return text.replace(
    /\bchatapp(?:_[a-z]+)?\b/g,
    (name) => renamed.get(name) ?? name.replace(CHATAPP.name, chatappName),
  )
}

/**
 * Returns `rcs+viber+sms` for `rcs+chatapp+sms` under the name `viber`, `template/viber/list` for
 * `template/chatapp/list`.
 */
export function renameType(type: string, name: string): string {
  return type.replace(/\bchatapp\b/g, name)
}

/** The types that contain the name of the channel, sends apart. */
const TYPES = OTHER_SCHEMAS.map(({ type }) => type).filter((type) => type !== renameType(type, ''))

function renameFields(
  item: Record<string, unknown>,
  order: readonly string[],
): Pick<TranslatedItem, 'item' | 'renamed' | 'repeated'> {
  const renamed = new Map<string, string>()
  const repeated: string[] = []
  for (const end of FIELD_ENDS) {
    const [first, ...others] = order.map((name) => name + end).filter((name) => isSent(item[name]))
    if (first === undefined) continue
    const value = item[first]
    for (const name of [first, ...others]) delete item[name]
    item[CHATAPP.name + end] = value
    if (first !== CHATAPP.name + end) renamed.set(CHATAPP.name + end, first)
    repeated.push(...others)
  }
  return { item, renamed, repeated }
}
