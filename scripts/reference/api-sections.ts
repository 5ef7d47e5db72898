/** The sections of the API reference for clients, from the tables that read requests, with default limits. */

import { FORM_LIST } from '../../src/contract/channels/channel-forms.ts'
import { SPEC_CHAIN } from '../../src/contract/channels/send-types.ts'
import { type Field, ID_FIELD, PHONE_FIELD, SENDING_FIELDS } from '../../src/contract/fields/fields.ts'
import type { OperationSchema } from '../../src/contract/operations/operation-schemas.ts'
import { scopesOf } from '../../src/contract/operations/operation-scopes.ts'
import {
  describeSchema,
  membersOf,
  type Schema,
  type SchemaMember,
} from '../../src/contract/reference/describe-schema.ts'
import { REPORT_SCHEMAS, type ReportSchema } from '../../src/contract/reference/report-schemas.ts'
import { RESULTS } from '../../src/contract/reference/result-schemas.ts'
import { codeOf } from '../../src/contract/request/error-codes.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { RICH_FIELD, RICH_SCHEMAS } from '../../src/contract/rich/rich-fields.ts'
import { descriptorOf } from '../../src/domain/channels/channel.ts'
import { STATUSES } from '../../src/domain/message/status.ts'
import { REFERENCE_TEXTS, STATUS_MEANINGS } from './api-texts.ts'
import { type ErrorAdvice, FIELD, ITEM_ERROR_ADVICE, REQUEST_ERROR_ADVICE } from './error-advice.ts'
import { exampleOf } from './example-operations.ts'
import { LIMIT_ROWS } from './limit-texts.ts'
import { OPERATION_NOTES } from './operation-notes.ts'

export function writeSends(): string {
  const channels = FORM_LIST.map(({ channel }) => `\`${channel}\``).join(', ')
  const rich = FORM_LIST.filter(({ channel }) => descriptorOf(channel).isRich).map(({ channel }) => `\`${channel}\``)
  return [
    '## Send a message',
    `\`type\` is one of ${channels}, or several of them joined by \`+\`, each once, in the order in which they are tried.`,
    REFERENCE_TEXTS.sends,
    example(SPEC_CHAIN),
    writeFields('Fields of every send', [ID_FIELD, PHONE_FIELD, ...SENDING_FIELDS]),
    ...FORM_LIST.map(({ channel, fields, lifetime }) => writeFields(`Fields of \`${channel}\``, [...fields, lifetime])),
    REFERENCE_TEXTS.lifetimes,
    writeFields(`Field of types with ${rich.join(' or ')}`, [RICH_FIELD]),
    writeResult('SendResult'),
    'Scope of the key: `send`.',
    writeRich(),
  ].join('\n\n')
}

function writeRich(): string {
  const sections = RICH_SCHEMAS.map(({ name, kind }) => {
    const schema = kind.schema(DEFAULT_LIMITS) as Schema
    return `#### ${name}\n\n${schema.oneOf === undefined ? writeMembers(schema) : `One of ${schema.oneOf.map(describeSchema).join(', ')}, by \`type\`.`}`
  })
  return ['### Rich content', REFERENCE_TEXTS.rich, ...sections].join('\n\n')
}

function writeMembers({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    required.includes(name) ? 'yes' : 'no',
    describeValue(schema),
    schema.description ?? '',
  ])
  return table(['member', 'required', 'value', 'description'], rows)
}

/** `earlier` is the operation on the same page that has the same result; null if it is the first one. */
export function writeOperation({ type, summary, fields, result }: OperationSchema, earlier: string | null): string {
  const note = OPERATION_NOTES[type]
  return [
    `## \`${type}\``,
    `${summary}.`,
    ...(note === undefined ? [] : [note]),
    example(type),
    fields.length === 0 ? 'It has no fields.' : writeFields('Fields', fields),
    earlier === null ? writeResult(result) : `The result is that of \`${earlier}\`.`,
    `Scope of the key: ${scopesOf(type)
      .map((scope) => `\`${scope}\``)
      .join(' or ')}.`,
  ].join('\n\n')
}

function example(type: string): string {
  return `\`\`\`json\n${JSON.stringify(exampleOf(type), null, 2)}\n\`\`\``
}

function writeFields(title: string, fields: readonly Field[]): string {
  const rows = fields.map((field) => [
    `\`${field.name}\``,
    whenRequired(field),
    describeValue(field.kind.schema(DEFAULT_LIMITS)),
    field.description,
  ])
  return `**${title}**\n\n${table(['field', 'required', 'value', 'description'], rows)}`
}

function whenRequired({ required, rules: { orElse, partOf, needs, accountDefault } }: Field): string {
  if (required) return 'yes'
  if (orElse !== undefined) return `without \`${orElse}\``
  if (partOf !== undefined) return `if \`${partOf.field}\` has \`${partOf.part}\``
  if (accountDefault === true) return 'without a default of the account'
  return needs === undefined ? 'no' : `no; needs \`${needs}\``
}

function writeResult(name: OperationSchema['result']): string {
  const { properties } = RESULTS[name] as Schema
  return `**Result**\n\n${writeMemberTable(membersOf(properties?.['data'] ?? {}, 'data'))}`
}

function writeMemberTable(members: readonly SchemaMember[]): string {
  const rows = members.map(({ name, schema, isRequired }) => [
    `\`${name}\``,
    isRequired ? 'yes' : 'no',
    describeValue(schema),
    schema.description ?? '',
  ])
  return table(['member', 'always', 'value', 'description'], rows)
}

/** Long lists of values have a section of their own. */
function describeValue(schema: Schema): string {
  if (schema.enum?.includes(STATUSES[0]) === true) return 'a [status](../api.md#statuses)'
  if (schema.enum?.includes(SPEC_CHAIN) === true) return 'a [type of a send](sends.md)'
  return describeSchema(schema)
}

export function writeStatuses(): string {
  const rows = STATUSES.map((status) => [`\`${status}\``, ...STATUS_MEANINGS[status]])
  return `## Statuses\n\n${table(['status', 'final', 'meaning'], rows)}\n\n${REFERENCE_TEXTS.statuses}`
}

export function writeReports(): string {
  return [REFERENCE_TEXTS.reports, ...REPORT_SCHEMAS.map(writeReport)].join('\n\n')
}

function writeReport({ type, when, schema }: ReportSchema): string {
  const members = membersOf(schema).filter(({ name }) => name !== 'type')
  return `## \`${type}\`\n\n${when}\n\n${writeMemberTable(members)}`
}

export function writeErrors(): string {
  return [
    REFERENCE_TEXTS.errors,
    '## Errors of a request',
    'Nothing of the request was executed.',
    errorTable(REQUEST_ERROR_ADVICE),
    '## Errors of an operation',
    'The other operations of the request are executed. `field` names the field that the error is about.',
    errorTable(ITEM_ERROR_ADVICE),
  ].join('\n\n')
}

function errorTable(errors: readonly ErrorAdvice[]): string {
  const rows = errors.map(({ text, cause, remedy }) => [
    `\`${text}\``,
    `\`${codeOf(text.replaceAll(FIELD, 'field'))}\``,
    cause,
    remedy,
  ])
  return table(['error', 'code', 'cause', 'remedy'], rows)
}

export function writeLimits(): string {
  const rows = LIMIT_ROWS.map((row) => [...row])
  return `## Limits\n\n${REFERENCE_TEXTS.limits}\n\n${table(['limit', 'default', 'setting'], rows)}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
