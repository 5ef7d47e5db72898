/** Groups of operations, for metrics: few, whatever clients send. */
import type { ChatappNames } from '../../contract/operations/chatapp-names.ts'
import { OTHER_SCHEMAS, sendSchemaOf } from '../../contract/operations/operation-schemas.ts'
import { isObject } from '../../contract/request/envelope.ts'

const GROUPS: ReadonlyMap<unknown, string> = new Map(OTHER_SCHEMAS.map(({ type }) => [type, type.replace(/\/.*/, '')]))

/** Returns the group of an item as the client sent it: `send` of all messages, `bulk` of `bulk/create`. */
export function operationGroup(item: unknown, names: ChatappNames): string {
  if (!isObject(item)) return 'unknown'
  const type = names.typeOf(item)
  return GROUPS.get(type) ?? (sendSchemaOf(type) === null ? 'unknown' : 'send')
}
