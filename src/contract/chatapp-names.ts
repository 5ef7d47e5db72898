/**
 * Other names of the chat-app channel: services with this API name it after their messenger, such as `viber`. This is the
 * only place that translates them: types and fields on their way in, error texts and field names on their way out. What a
 * later answer or report calls the channel is kept with the step of the message (`channelName`).
 */
import type { JsonObject } from './envelope.ts'
import { CHATAPP_FIELDS, CHATAPP_LIFETIME_FIELD, isSent } from './fields.ts'
import { OPERATION_SCHEMAS, OPERATION_TYPES } from './operation-schemas.ts'

/** The name of the specification, which always works. */
export const CHATAPP = 'chatapp'
export const DEFAULT_CHATAPP_NAMES: readonly string[] = ['viber']

const MAX_NAMES = 8
const NAME = /^[a-z][a-z0-9]{1,19}$/
/** The longest type in which a name is looked for. */
const MAX_TYPE_CHARACTERS = 64

/** `_type`, `_message` and so on. */
const FIELD_ENDS = [...CHATAPP_FIELDS, CHATAPP_LIFETIME_FIELD].map(({ name }) => name.slice(CHATAPP.length))

/** Words that begin a field or stand in a type: as a name of the chat app they would change the meaning of requests. */
const TAKEN: ReadonlySet<string> = new Set([
  ...OPERATION_TYPES.flatMap((type) => type.split(/[+/]/)),
  ...OPERATION_SCHEMAS.flatMap(({ fields }) => fields.map(({ name }) => name.replace(/_.*/, ''))),
])

/** An operation under the names of the specification. */
export interface TranslatedItem {
  readonly item: JsonObject
  /** What answers to it call the chat app. */
  readonly chatappName: string
  /** From the specification's name of a field to the name that was sent, where it is another one. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields that were sent under more than one name and not taken, as they were sent. */
  readonly repeated: readonly string[]
}

const NOT_RENAMED: ReadonlyMap<string, string> = new Map()
const NONE: readonly string[] = []

/** Why a list of names cannot be used; null if it can. */
export function problemInNames(names: readonly string[]): string | null {
  if (names.length > MAX_NAMES) return `at most ${MAX_NAMES} names`
  const wrong = names.find((name) => !NAME.test(name))
  if (wrong !== undefined) return `${JSON.stringify(wrong)} must be 2 to 20 lower-case letters and digits`
  const taken = names.find((name) => TAKEN.has(name))
  return taken === undefined ? null : `${JSON.stringify(taken)} has another meaning in the API`
}

export class ChatappNames {
  readonly #names: readonly string[]
  readonly #types: ReadonlyMap<unknown, readonly [type: string, chatappName: string]>

  constructor(names: readonly string[]) {
    this.#names = names
    this.#types = new Map(
      [CHATAPP, ...names].flatMap((name) => TYPES.map((type) => [renameType(type, name), [type, name] as const])),
    )
  }

  /**
   * The name in `type` (for a price, in `send_type`) decides what answers call the channel. Of a field that was sent
   * under several names that one counts, then the specification's, then the order of the setting.
   */
  translate(item: JsonObject): TranslatedItem {
    const naming = item.type === 'price' ? 'send_type' : 'type'
    const known = this.#types.get(item[naming])
    if (known === undefined) {
      return { item, chatappName: this.#nameIn(item[naming]), renamed: NOT_RENAMED, repeated: NONE }
    }
    const [type, chatappName] = known
    if (chatappName === CHATAPP && !this.#hasOtherNames(item)) {
      return { item, chatappName, renamed: NOT_RENAMED, repeated: NONE }
    }
    const order = [...new Set([chatappName, CHATAPP, ...this.#names])]
    return { ...renameFields({ ...item, [naming]: type }, order), chatappName }
  }

  /** A type that does not exist may still name the channel: the error says the types in its words. */
  #nameIn(type: unknown): string {
    if (typeof type !== 'string' || type.length > MAX_TYPE_CHARACTERS) return CHATAPP
    return type.split(/[+/]/).find((part) => this.#names.includes(part)) ?? CHATAPP
  }

  #hasOtherNames(item: JsonObject): boolean {
    return this.#names.some((name) => FIELD_ENDS.some((end) => isSent(item[name + end])))
  }
}

/** Writes an error text or the name of a field in the names that the client used. */
export function inClientNames(text: string, { chatappName, renamed }: TranslatedItem): string {
  if (chatappName === CHATAPP && renamed.size === 0) return text
  return text.replace(/\bchatapp(?:_[a-z]+)?\b/g, (name) => renamed.get(name) ?? name.replace(CHATAPP, chatappName))
}

/** `rcs+chatapp+sms` is `rcs+viber+sms` under the name `viber`, `template/chatapp/list` is `template/viber/list`. */
export function renameType(type: string, name: string): string {
  return type.replace(/\bchatapp\b/g, name)
}

/** The types in which the channel is named. */
const TYPES = OPERATION_TYPES.filter((type) => type !== renameType(type, ''))

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
    item[CHATAPP + end] = value
    if (first !== CHATAPP + end) renamed.set(CHATAPP + end, first)
    repeated.push(...others)
  }
  return { item, renamed, repeated }
}
