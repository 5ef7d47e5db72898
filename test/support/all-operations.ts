/** Every operation that there is, with each chain of channels; and under the names that the chat app has by default. */
import { allSendTypes, SEND_TYPE } from '../../src/contract/channels/send-types.ts'
import type { Field } from '../../src/contract/fields/fields.ts'
import { choice } from '../../src/contract/fields/kinds.ts'
import { renameType } from '../../src/contract/operations/chatapp-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../../src/contract/operations/default-chatapp-names.ts'
import { type OperationSchema, OTHER_SCHEMAS, sendSchemaOf } from '../../src/contract/operations/operation-schemas.ts'
import { CHATAPP } from '../../src/domain/channels/chatapp.ts'

export const SEND_TYPES = allSendTypes()

export const SEND_SCHEMAS: readonly OperationSchema[] = SEND_TYPES.flatMap((type) => sendSchemaOf(type) ?? [])

export const OPERATION_SCHEMAS: readonly OperationSchema[] = [...SEND_SCHEMAS, ...OTHER_SCHEMAS]

export const OPERATION_TYPES: readonly string[] = OPERATION_SCHEMAS.map(({ type }) => type)

export const NAMED_SENDS = withNames(SEND_SCHEMAS)

export const NAMED_SCHEMAS: readonly OperationSchema[] = withNames(OPERATION_SCHEMAS).map((schema) => ({
  ...schema,
  fields: schema.fields.map(naming),
}))

/** A field that names a send names it by any of its types. */
function naming(field: Field): Field {
  return field.kind === SEND_TYPE ? { ...field, kind: choice(NAMED_SENDS.map(({ type }) => type)) } : field
}

function withNames(schemas: readonly OperationSchema[]): readonly OperationSchema[] {
  const named = DEFAULT_CHATAPP_NAMES.flatMap((name) =>
    schemas
      .filter(({ type }) => renameType(type, name) !== type)
      .map((schema) => ({
        ...schema,
        type: renameType(schema.type, name),
        fields: schema.fields.map((field) => ({ ...field, name: field.name.replace(CHATAPP.name, name) })),
      })),
  )
  return [...schemas, ...named]
}
