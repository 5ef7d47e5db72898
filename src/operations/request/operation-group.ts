/** Groups of operations, for metrics: few, whatever clients send. */
import type { ChatappNames } from '../../contract/operations/chatapp-names.ts'
import { OPERATION_TYPES, SEND_SCHEMAS } from '../../contract/operations/operation-schemas.ts'
import { isObject } from '../../contract/request/envelope.ts'

const SENDS: ReadonlySet<string> = new Set(SEND_SCHEMAS.map(({ type }) => type))

const GROUPS: ReadonlyMap<unknown, string> = new Map(
  OPERATION_TYPES.map((type) => [type, SENDS.has(type) ? 'send' : type.replace(/\/.*/, '')]),
)

/** Returns the group of an item as the client sent it: `send` of all messages, `bulk` of `bulk/create`. */
export function operationGroup(item: unknown, names: ChatappNames): string {
  return (isObject(item) ? GROUPS.get(names.typeOf(item)) : undefined) ?? 'unknown'
}
