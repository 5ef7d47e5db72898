/** Writes the components of the OpenAPI document as Python types: one TypedDict for each object. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly format?: string
  readonly description?: string
}

/** Words that Python reserves, as far as members are named so. */
const RESERVED = new Set(['from', 'class', 'import', 'in', 'is', 'not', 'or', 'and', 'global', 'pass', 'with'])
const WIDTH = 120

export interface PythonModules {
  /** Types of operations, results and reports. */
  readonly operations: string
  /** What the client returns for each operation. */
  readonly execute: string
}

/** `resultOf` returns the name of the result of an operation by its type. */
export function writePythonTypes(document: object, resultOf: (type: unknown) => string): PythonModules {
  const { schemas } = (document as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } })
    .components
  const writer = new PythonTypes()
  const requests = (schemas['Operation']?.oneOf ?? []).map(({ $ref = '' }) => {
    const name = lastOf($ref)
    const { const: type, enum: types = [type] } = schemas[name]?.properties?.['type'] ?? {}
    const result = resultOf(types[0])
    return { name, result, data: writer.dataOf(result, schemas[result]) }
  })
  for (const [name, schema] of Object.entries(schemas)) {
    if (name !== 'Operation' && !requests.some(({ result }) => result === name)) writer.define(name, schema)
  }
  const reports = Object.keys(schemas).filter((name) => name.endsWith('Report'))
  const operations = `"""Types of operations, results and reports. Written by npm run generate."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

${writer.text()}
Operation: TypeAlias = ${union(requests.map(({ name }) => name))}
Report: TypeAlias = ${union(reports)}
`
  return { operations, execute: writeExecute(requests) }
}

function writeExecute(requests: readonly Request[]): string {
  const now = protocol('Execute', requests, (data) => data)
  const later = protocol('AsyncExecute', requests, (data) => `Awaitable[${data}]`)
  const names = new Set(requests.flatMap(({ name, data }) => [name, ...(data.match(/[A-Z]\w*/g) ?? [])]))
  return `"""What the client returns for each operation. Written by npm run generate."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol, overload

from .operations import (
    ${wrap(`${[...names].join(', ')},`, WIDTH - 4).join('\n    ')}
)


${now}


${later}
`
}

interface Request {
  readonly name: string
  readonly data: string
}

/** One overload for the operations with the same result. */
function protocol(name: string, requests: readonly Request[], result: (data: string) => string): string {
  const groups = Map.groupBy(requests, ({ data }) => data)
  const overloads = [...groups].map(([data, members]) => {
    const operation = union(members.map((member) => member.name))
    const parameters = `self, operation: ${operation}, idempotency_key: str | None = None`
    const line = `    def __call__(${parameters}) -> ${result(data)}: ...`
    const broken = `    def __call__(\n        ${parameters}\n    ) -> ${result(data)}: ...`
    return `    @overload\n${line.length <= WIDTH ? line : broken}`
  })
  return `class ${name}(Protocol):\n${overloads.join('\n\n')}`
}

class PythonTypes {
  /** In the order of their definition: names are looked up when types are checked, not when the module is read. */
  readonly #classes = new Map<string, string>()
  /** Names of objects inside others, by their members. */
  readonly #objects = new Map<string, string>()

  text(): string {
    return `\n${[...this.#classes.values()].join('\n\n\n')}\n\n`
  }

  /** Returns the name of the type of `data` of a result. */
  dataOf(name: string, schema: Schema | undefined): string {
    const data = schema?.properties?.['data'] ?? {}
    return this.#typeOf(data, `${name.replace(/Result$/, '')}Data`)
  }

  define(name: string, schema: Schema): void {
    if (schema.properties === undefined)
      this.#classes.set(name, `${name}: TypeAlias = ${quoted(this.#typeOf(schema, name))}`)
    else this.#defineObject(name, schema)
  }

  #typeOf(schema: Schema, name: string): string {
    const { $ref, type, anyOf, oneOf = anyOf } = schema
    if ($ref !== undefined) return lastOf($ref)
    if (schema.const !== undefined) return literal([schema.const])
    if (schema.enum !== undefined) return literal(schema.enum)
    if (oneOf !== undefined) {
      const named = (each: Schema, index: number) => name + pascal(String(each.properties?.['type']?.const ?? index))
      return [...new Set(oneOf.map((each, index) => this.#typeOf(each, named(each, index))))].join(' | ')
    }
    if (typeof type === 'object') return type.map((each) => this.#typeOf({ ...schema, type: each }, name)).join(' | ')
    return this.#plainType(schema, name)
  }

  #plainType(schema: Schema, name: string): string {
    switch (schema.type) {
      case 'string':
        return schema.format === 'date-time' && isInput(name) ? 'str | datetime' : 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return `list[${this.#typeOf(schema.items ?? {}, `${name}Item`)}]`
      default:
        return this.#objectType(schema, name)
    }
  }

  /** Objects with the same members are one type. */
  #objectType(schema: Schema, name: string): string {
    if (schema.properties !== undefined) {
      const key = JSON.stringify([schema.properties, schema.required])
      const known = this.#objects.get(key)
      if (known !== undefined) return known
      this.#objects.set(key, name)
      this.#defineObject(name, schema)
      return name
    }
    const { additionalProperties: values } = schema
    return typeof values === 'object' ? `dict[str, ${this.#typeOf(values, `${name}Value`)}]` : 'dict[str, Any]'
  }

  #defineObject(name: string, { properties = {}, required = [], description, allOf = [] }: Schema): void {
    // Keeps the place before what it refers to.
    this.#classes.set(name, '')
    const members = Object.entries(properties).map(([key, schema]) => {
      const type = this.#typeOf(schema, name + pascal(key))
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, about: schema.description }
    })
    const about = description === undefined ? '' : comment(description, '')
    if (members.some(({ key }) => RESERVED.has(key) || !/^[a-z_]\w*$/i.test(key))) {
      const list = members.map(({ key, type }) => `        ${JSON.stringify(key)}: ${quoted(type)},`)
      this.#classes.set(name, `${about}${name} = TypedDict(\n    "${name}",\n    {\n${list.join('\n')}\n    },\n)`)
      return
    }
    const lines = members.map((member) => `${comment(member.about ?? '', '    ')}    ${member.key}: ${member.type}`)
    const body = lines.length === 0 ? '    pass' : lines.join('\n')
    const bases = allOf.flatMap(({ $ref }) => ($ref === undefined ? [] : [lastOf($ref)]))
    this.#classes.set(name, `${about}class ${name}(${bases.join(', ') || 'TypedDict'}):\n${body}`)
  }
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Programs may send dates; the gateway returns strings. */
function isInput(name: string): boolean {
  return !/(Data|Report)/.test(name)
}

/** Types of definitions that Python evaluates at once may name others that follow. */
function quoted(type: string): string {
  return JSON.stringify(type.replaceAll('"', "'"))
}

function literal(values: readonly unknown[]): string {
  const names = new Map<unknown, string>([
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
  ])
  return `Literal[${values.map((value) => names.get(value) ?? JSON.stringify(value)).join(', ')}]`
}

/** On as many lines as it needs. */
function union(names: readonly string[]): string {
  const line = names.join(' | ')
  return line.length <= WIDTH / 2 ? line : `(\n    ${wrap(line, WIDTH - 4).join('\n    ')}\n)`
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function pascal(name: string): string {
  return name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The text as comment lines, no longer than a line may be. */
function comment(text: string, indent: string): string {
  return wrap(text, WIDTH - indent.length - 3)
    .map((line) => `${indent}#: ${line}\n`)
    .join('')
}
