/** The operations as the OpenAPI document lists them: also under the other names that the chat app has by default. */
import { type Field, SEND_TYPE_FIELD } from '../fields/fields.ts'
import { choice } from '../fields/kinds.ts'
import { CHATAPP, renameType } from '../operations/chatapp-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../operations/default-chatapp-names.ts'
import { OPERATION_SCHEMAS, type OperationSchema, SEND_SCHEMAS } from '../operations/operation-schemas.ts'

/** Every type of a send that the document knows. */
export const NAMED_SEND_TYPES: readonly string[] = withNames(SEND_SCHEMAS).map(({ type }) => type)

export const NAMED_SCHEMAS: readonly OperationSchema[] = withNames(OPERATION_SCHEMAS).map((schema) => {
  const { fields, like } = schema
  if (like === undefined) return schema
  return { ...schema, fields: fields.map(naming), like: { ...like, operations: withNames(like.operations) } }
})

/** A field that names a send names it by any of its types. */
function naming(field: Field): Field {
  return field.name === SEND_TYPE_FIELD.name ? { ...field, kind: choice(NAMED_SEND_TYPES) } : field
}

function withNames(schemas: readonly OperationSchema[]): readonly OperationSchema[] {
  const named = DEFAULT_CHATAPP_NAMES.flatMap((name) =>
    schemas
      .filter(({ type }) => renameType(type, name) !== type)
      .map((schema) => ({
        ...schema,
        type: renameType(schema.type, name),
        fields: schema.fields.map((field) => renameField(field, name)),
      })),
  )
  return [...schemas, ...named]
}

function renameField(field: Field, name: string): Field {
  return { ...field, name: field.name.replace(CHATAPP, name) }
}
