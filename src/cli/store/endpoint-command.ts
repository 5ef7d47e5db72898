/** Builds a command from an endpoint: parameters and fields are options, the answer is a table. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TObject, TSchema } from 'typebox'
import { choicesOf } from '../../operations/admin/endpoint/check-input.ts'
import type { Endpoint } from '../../operations/admin/endpoint/endpoint.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { readFlag, readList } from '../command/option-readers.ts'
import type { Terminal } from '../command/terminal.ts'
import { printResult } from '../command/write-answer.ts'
import { askEndpoint } from './ask-endpoint.ts'

/** The parts of a JSON schema that options use. */
interface Shape {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly examples?: readonly unknown[]
}

const AT_GATEWAY = ['--server', 'http://127.0.0.1:8081']

export function endpointCommand(endpoint: Endpoint, terminal: Terminal): Command {
  const { method, params, query, body, summary, needsGateway } = endpoint
  const words = endpoint.command?.split(' ') ?? []
  const command = newCommand({
    name: words.at(-1) ?? endpoint.name,
    summary,
    examples: [
      `posthorn ${[...words, ...(needsGateway ? AT_GATEWAY : []), ...exampleOf(params), ...exampleOf(query), ...exampleOf(body, method === 'PATCH' ? 1 : 0)].join(' ')}`,
    ],
    settings: ASKING,
  })
  for (const schema of [params, query, body]) addOptions(command, schema)
  return answerBy<Readonly<Record<string, unknown>>>(command, terminal, async (options, config) => {
    const input = { params: pick(params, options), query: pick(query, options), body: pick(body, options) }
    const answer = await askEndpoint(endpoint, input, config, terminal)
    const hint = endpoint.hint?.(answer as never, { isBesideGateway: config.server === null }) ?? null
    const text = printResult(endpoint, answer)
    return { json: (answer ?? {}) as object, isWire: true, text: hint === null ? text : `${text}\n\n${hint}` }
  })
}

/** Adds an option for each field of a schema. */
export function addOptions(command: Command, schema: TObject): void {
  for (const [name, each] of Object.entries<TSchema>(schema.properties)) {
    command.addOption(makeOption(name, each, schema.required?.includes(name) === true))
  }
}

/** Adds an option for a field; `isRequired` on the command line. */
function makeOption(name: string, schema: TSchema, isRequired: boolean): Option {
  const shape = shapeOf(schema)
  // Null over HTTP is typed as none.
  const description = (shape.description ?? '').replaceAll(/\bnull\b/g, 'none')
  const placeholder = placeholderOf(schema)
  // A flag: its name alone means yes.
  const value = isFlag(schema) ? `[${placeholder}]` : `<${placeholder}>`
  const option = new Option(`--${name.replaceAll('_', '-')} ${value}`, description)
  const choices = choicesOf(schema)
  if (choices !== null) option.choices(choices)
  else option.argParser((text) => readValue(shape, text))
  return isRequired ? option.makeOptionMandatory() : option
}

/** Commander turns an empty text into null. */
const NONE = Symbol('none')

function readValue(shape: Shape, text: string): unknown {
  if (shape.anyOf?.some(({ type }) => type === 'null') === true && text === 'none') return NONE
  const [plain = shape] = shape.anyOf?.filter(({ type }) => type !== 'null') ?? []
  switch (plain.type) {
    case 'boolean':
      return readFlag(text)
    case 'integer':
    case 'number':
      return readNumber(text, plain.type === 'number')
    case 'array':
      return readList(text).map((each) => readValue(plain.items ?? {}, each))
    case 'object':
      return readJson(text)
    default:
      return text
  }
}

function readNumber(text: string, isDecimal: boolean): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (!isDecimal) throw new InvalidArgumentError('must be a number')
  const hint = /^-?\d+,\d+$/.test(text) ? 'with a decimal point: 2.50, not 2,50' : 'such as 2.50'
  throw new InvalidArgumentError(`must be a number ${hint}`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('must be JSON')
  }
}

function isFlag(schema: TSchema): boolean {
  return plainShapeOf(schema).type === 'boolean'
}

/** The shape of values other than null. */
function plainShapeOf(schema: TSchema): Shape {
  const shape = shapeOf(schema)
  return shape.anyOf?.find(({ type }) => type !== 'null') ?? shape
}

function placeholderOf(schema: TSchema): string {
  const shape = shapeOf(schema)
  const plain = plainShapeOf(schema)
  const word =
    { boolean: 'yes|no', integer: 'number', number: 'decimal', array: 'list', object: 'json' }[plain.type ?? ''] ??
    'text'
  return shape.anyOf?.some(({ type }) => type === 'null') === true ? `${word}|none` : word
}

/** Returns example options: all required ones; for a change at least one. */
function exampleOf(schema: TObject, least = 0): readonly string[] {
  const { required = [] } = schema
  const names = required.length < least ? Object.keys(schema.properties).slice(0, least) : required
  return names.flatMap((name: string) => {
    const each = schema.properties[name]
    if (each === undefined) return []
    const option = `--${name.replaceAll('_', '-')}`
    return isFlag(each) ? [option] : [option, sampleOf(name, each)]
  })
}

function sampleOf(name: string, schema: TSchema): string {
  const { examples, type, minimum } = shapeOf(schema) as Shape & { readonly minimum?: number }
  const sample = examples?.[0] ?? choicesOf(schema)?.[0]
  if (sample !== undefined) return quote(String(sample))
  if (type === 'integer' || type === 'number') return String(minimum ?? 1)
  return type === 'object' ? `'{}'` : `my-${name.replaceAll('_', '-')}`
}

function quote(text: string): string {
  return /[^\w.:/+@-]/.test(text) ? `"${text}"` : text
}

/** Returns the values of the options that belong to a schema, by field name. */
export function pick(schema: TObject, options: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.keys(schema.properties).flatMap((name) => {
      const value = options[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
      return value === undefined ? [] : [[name, value === NONE ? null : value]]
    }),
  )
}

function shapeOf(schema: TSchema): Shape {
  return schema as Shape
}
