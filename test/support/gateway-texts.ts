/**
 * Finds the texts that the gateway writes for the console, in its sources: what reaches an error of the admin API, or a
 * field that the console shows. A value in a text is `{}`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** What the parser returns, as far as it is read here. */
interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

/** A name of a function or class, and the place of the argument that becomes a text. */
type Sinks = Map<string, Set<number>>

interface Source {
  readonly path: string
  /** By name: constants and functions, of which several may have the same. */
  readonly declared: ReadonlyMap<string, readonly Node[]>
  /** Those that other files may import. */
  readonly exported: readonly string[]
  readonly nodes: readonly (readonly [node: Node, parents: readonly Node[]])[]
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const MAX_DEPTH = 9
const MAX_VARIANTS = 24
const VALUE = '{}'
const UNKNOWN: Node = { type: 'Unknown' }

interface Wanted {
  /** What takes a text, and in which argument. */
  readonly sinks: Readonly<Record<string, number>>
  /** Members of objects that are texts. */
  readonly fields: readonly string[]
  /** Functions that return one. */
  readonly functions: readonly string[]
}

/** Returns the texts, each with a source that has it. */
export function findTexts(folders: readonly string[], wanted: Wanted): ReadonlyMap<string, string> {
  const finder = new Finder(folders.flatMap(readSources), wanted)
  while (finder.follow());
  return finder.collect()
}

class Finder {
  readonly #sources: readonly Source[]
  /** With the source of each. */
  readonly #exported = new Map<string, Source>()
  readonly #sinks: Sinks
  readonly #wanted: Wanted

  constructor(sources: readonly Source[], wanted: Wanted) {
    this.#sources = sources
    this.#wanted = wanted
    for (const source of sources) for (const name of source.exported) this.#exported.set(name, source)
    this.#sinks = new Map(Object.entries(wanted.sinks).map(([name, place]) => [name, new Set([place])]))
  }

  /** A function that passes a parameter on to a text takes a text there. Returns whether one was new. */
  follow(): boolean {
    let isNew = false
    for (const { nodes } of this.#sources) {
      for (const [node, parents] of nodes) {
        for (const text of this.#textsOf(node)) {
          if (text.type !== 'Identifier') continue
          const owner = parents.findLast((each) => placeOf(each, String(text['name'])) >= 0)
          const name = owner === undefined ? null : nameOf(owner, parents)
          if (owner === undefined || name === null) continue
          const places = this.#sinks.get(name) ?? new Set()
          const place = placeOf(owner, String(text['name']))
          if (places.has(place)) continue
          this.#sinks.set(name, places.add(place))
          isNew = true
        }
      }
    }
    return isNew
  }

  collect(): ReadonlyMap<string, string> {
    const { fields, functions } = this.#wanted
    const found = new Map<string, string>()
    for (const source of this.#sources) {
      const inside = source.nodes.flatMap(([node, parents]) => [
        ...this.#textsOf(node),
        ...(isFieldOf(node, parents, fields) ? [node['value'] as Node] : []),
      ])
      const returned = functions.flatMap((name) => source.declared.get(name) ?? []).flatMap(returnsOf)
      for (const text of [...inside, ...returned].flatMap((each) => this.#write(each, source))) {
        if (isText(text)) found.set(text, source.path)
      }
    }
    return found
  }

  #textsOf(node: Node): readonly Node[] {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
    const places = this.#sinks.get(calledName(node) ?? '')
    const given = node['arguments'] as readonly Node[]
    return places === undefined ? [] : [...places].flatMap((place) => given[place] ?? [])
  }

  /** Returns the texts that an expression may be. */
  #write(node: Node, source: Source, depth = 0): readonly string[] {
    const write = (part: unknown, from = source) => this.#write(part as Node, from, depth + 1)
    if (depth > MAX_DEPTH) return [VALUE]
    switch (node.type) {
      case 'Literal':
        return [typeof node['value'] === 'string' ? node['value'] : VALUE]
      case 'TemplateLiteral':
        return this.#writeTemplate(node, write)
      case 'ConditionalExpression':
        return [...write(node['consequent']), ...write(node['alternate'])]
      case 'LogicalExpression':
        return [...write(node['left']), ...write(node['right'])]
      case 'BinaryExpression':
        return write(node['left']).flatMap((start) => write(node['right']).map((end) => `${start}${end}`))
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return write(node['expression'])
      case 'Identifier': {
        const [declared, home] = this.#declared(String(node['name']), source)
        const constants = declared.filter(({ type }) => !FUNCTIONS.includes(type))
        return constants.length === 0 ? [VALUE] : constants.flatMap((each) => write(each, home))
      }
      case 'CallExpression': {
        if (calledName(node) === 'trimEnd')
          return write((node['callee'] as Node)['object']).map((text) => text.trimEnd())
        const [declared, home] = this.#declared(calledName(node) ?? '', source)
        const returned = declared.flatMap(returnsOf)
        return returned.length === 0 ? [VALUE] : returned.flatMap((each) => write(each, home))
      }
      case 'MemberExpression':
        return this.#membersOf(node, source).flatMap(([member, home]) => write(member, home))
      default:
        return [VALUE]
    }
  }

  #writeTemplate(node: Node, write: (part: unknown) => readonly string[]): readonly string[] {
    const [first = '', ...quasis] = (node['quasis'] as Node[]).map(({ value }) =>
      String((value as { cooked: string }).cooked),
    )
    const values = (node['expressions'] as Node[]).map((each) => write(each))
    return quasis
      .reduce<readonly string[]>(
        (starts, quasi, at) => starts.flatMap((start) => (values[at] ?? []).map((value) => `${start}${value}${quasi}`)),
        [first],
      )
      .slice(0, MAX_VARIANTS)
  }

  /** Returns the values that a member of a constant may have, or the expression itself. */
  #membersOf(node: Node, source: Source): readonly (readonly [Node, Source])[] {
    const object = node['object'] as Node
    const [declared, home] =
      object.type === 'Identifier' ? this.#declared(String(object['name']), source) : [[], source]
    const [first] = declared
    const literal = first?.type === 'TSAsExpression' ? (first['expression'] as Node) : first
    if (literal?.type !== 'ObjectExpression') return [[UNKNOWN, source]]
    const name = node['computed'] === true ? null : String((node['property'] as Node)['name'])
    return (literal['properties'] as Node[])
      .filter((each) => name === null || keyOf(each) === name)
      .map((each) => [each['value'] as Node, home])
  }

  #declared(name: string, source: Source): readonly [declared: readonly Node[], home: Source] {
    const home = source.declared.has(name) ? source : (this.#exported.get(name) ?? source)
    return [home.declared.get(name) ?? [], home]
  }
}

/** A text has two words at least; others are values. */
function isText(text: string): boolean {
  return /[a-z]{2,}[ ,:;]+(?:[^{}]*\s)?[a-z]{2,}|\{\}[^{}]* [a-z]{3,}|[a-z]{3,} [^{}]*\{\}/i.test(text)
}

function isFieldOf(node: Node, parents: readonly Node[], fields: readonly string[]): boolean {
  return node.type === 'Property' && parents.at(-1)?.type === 'ObjectExpression' && fields.includes(keyOf(node) ?? '')
}

function keyOf(property: Node): string | null {
  const key = property['key'] as Node | undefined
  return key?.type === 'Identifier' ? String(key['name']) : null
}

function calledName({ callee }: Node): string | null {
  const { type, name, property } = callee as Node
  if (type === 'Identifier') return String(name)
  return type === 'MemberExpression' ? String((property as Node)['name']) : null
}

function placeOf({ params }: Node, name: string): number {
  if (!Array.isArray(params)) return -1
  return params.findIndex((each: Node) => ((each['left'] as Node | undefined) ?? each)['name'] === name)
}

/** Of a function: its own name, or that of the constant that it is the value of. */
function nameOf(owner: Node, parents: readonly Node[]): string | null {
  const id = (owner['id'] ?? parents[parents.indexOf(owner) - 1]?.['id']) as Node | null | undefined
  return typeof id?.['name'] === 'string' ? id['name'] : null
}

function returnsOf(declared: Node): readonly Node[] {
  if (!FUNCTIONS.includes(declared.type)) return []
  const body = declared['body'] as Node
  if (body.type !== 'BlockStatement') return [body]
  return walk(body)
    .filter(([node]) => node.type === 'ReturnStatement' && node['argument'] !== null)
    .map(([node]) => node['argument'] as Node)
}

function readSources(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const nodes = walk(parseSync(path, readFileSync(path, 'utf8')).program as unknown as Node)
      return {
        path,
        nodes,
        declared: declaredIn(nodes),
        exported: [...declaredIn(nodes.filter(([, parents]) => isExported(parents))).keys()],
      }
    })
}

/** A constant or a function, or a function that is a member of a constant. */
function isExported(parents: readonly Node[]): boolean {
  const types = parents.map(({ type }) => type)
  const at = types.lastIndexOf('ExportNamedDeclaration')
  return at !== -1 && !types.slice(at).some((type) => FUNCTIONS.includes(type))
}

function declaredIn(nodes: Source['nodes']): ReadonlyMap<string, readonly Node[]> {
  const declared = new Map<string, readonly Node[]>()
  for (const [node] of nodes) {
    const value = declarationOf(node)
    const id = (node['id'] ?? node['key']) as Node | null | undefined
    const name = id?.type === 'Identifier' ? String(id['name']) : null
    if (value !== null && name !== null) declared.set(name, [...(declared.get(name) ?? []), value])
  }
  return declared
}

function declarationOf(node: Node): Node | null {
  if (node.type === 'FunctionDeclaration') return node
  if (node.type === 'VariableDeclarator') return (node['init'] as Node | null) ?? null
  const member = node.type === 'Property' ? (node['value'] as Node) : null
  return member !== null && FUNCTIONS.includes(member.type) ? member : null
}

function walk(node: Node, parents: readonly Node[] = []): readonly (readonly [Node, readonly Node[]])[] {
  const inside = [...parents, node]
  const children = Object.values(node)
    .flat()
    .filter((each): each is Node => typeof each === 'object' && each !== null && 'type' in each)
  return [[node, parents], ...children.flatMap((child) => walk(child, inside))]
}
