/** Reads the requests of examples/ for collections: one list, from which each program gets its own form. */
import { readdirSync, readFileSync } from 'node:fs'

export interface CollectionRequest {
  /** The name of the file in examples/ without its ending; with `.first` for a request that must be sent before. */
  readonly id: string
  readonly folder: 'Operations' | 'Errors'
  readonly name: string
  readonly description: string
  readonly method: string
  /** With variables as `{{bulk_id}}`, like the headers and the body. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Null without a body. */
  readonly body: string | null
  /** Variables that its answer sets, by the names of members in it. */
  readonly sets: readonly string[]
  readonly needsTime: boolean
}

interface Sent {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly rawBody?: string
}

interface Example {
  readonly name: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly first?: Sent
  readonly inbound?: { readonly from: string; readonly to: string; readonly text: string }
  readonly request: Sent
}

const EXAMPLES = new URL('../../examples/', import.meta.url)

/** Placeholders of ids: the variable is the member of the answer. Quotes around them make the file valid JSON. */
const IDS = { '<BULK_ID>': 'bulk_id', '<VERIFY_ID>': 'verify_id', '<INBOUND_ID>': 'inbound_id' } as const
const TEXTS = {
  '<API_KEY>': 'api_key',
  '<HOOK>': 'hook',
  '<IN_A_MINUTE>': 'in_a_minute',
  '<CODE>': 'verify_code',
} as const

/** What a sandbox has; `api_key` is printed when it starts. */
export const VARIABLES: Readonly<Record<string, string>> = {
  base_url: 'http://127.0.0.1:8080',
  api_key: '',
  hook: 'http://127.0.0.1:9000/',
  verify_code: '000000',
}

/** Sets `in_a_minute`; `set` is the program's function for variables. */
export const timeScript = (set: string) => `${set}('in_a_minute', new Date(Date.now() + 60000).toISOString())`
/** Takes an id from `text`, the text of the answer: the last one in it. A refusal has none, and leaves the one before. */
export const idScript = (set: string, name: string) =>
  `for (const [, id] of text.matchAll(/"${name}":(\\d+)/g)) ${set}('${name}', id)`

export function readExampleRequests(): readonly CollectionRequest[] {
  const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'))
  return files.sort().flatMap((file) => {
    const example: Example = JSON.parse(readFileSync(new URL(file, EXAMPLES), 'utf8'))
    const id = file.replace(/\.json$/, '')
    const { name, first, request } = example
    const about = {
      folder: /^(viber-)?(item-)?error-/.test(id) ? 'Errors' : 'Operations',
      description: describe(file, example),
    } as const
    const needed = Object.entries(IDS).flatMap(([text, member]) =>
      JSON.stringify(request).includes(text) ? [member] : [],
    )
    return [
      ...(first === undefined
        ? []
        : [{ ...about, ...write(first), id: `${id}.first`, name: `First: ${name}`, sets: needed }]),
      { ...about, ...write(request), id, name, sets: [] },
    ]
  })
}

function write({ path, method = 'POST', headers = {}, body, rawBody }: Sent) {
  const text = rawBody ?? (body === undefined ? null : JSON.stringify(body, null, 2))
  const all = { 'Content-Type': 'application/json', ...headers }
  return {
    path: withVariables(path),
    method,
    headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, withVariables(value)])),
    body: method === 'GET' || text === null ? null : withVariables(text),
    needsTime: `${path}${text}`.includes('<IN_A_MINUTE>'),
  }
}

function withVariables(text: string): string {
  const ids = Object.entries(IDS).reduce((done, [placeholder, name]) => {
    return done.replaceAll(`"${placeholder}"`, `{{${name}}}`).replaceAll(placeholder, `{{${name}}}`)
  }, text)
  return Object.entries(TEXTS).reduce((done, [placeholder, name]) => done.replaceAll(placeholder, `{{${name}}}`), ids)
}

function describe(file: string, { settings, inbound, first, request }: Example): string {
  const asked = JSON.stringify(request)
  return [
    `Its answer is in examples/${file}.`,
    ...Object.entries(settings ?? {}).map(
      ([name, value]) => `Before: posthorn account set --account 1 --${name.replaceAll('_', '-')} ${value}`,
    ),
    ...(inbound === undefined
      ? []
      : [`Before: posthorn phone reply --from ${inbound.from} --to ${inbound.to} --text "${inbound.text}"`]),
    ...(first === undefined ? [] : ['Send the request "First" of the same name before.']),
    ...(asked.includes('<CODE>') ? ['Set verify_code to the code that the simulated phone has received.'] : []),
  ].join('\n')
}
