/** The collections for Postman and Bruno, made from the requests in examples/. */
import { type CollectionRequest, idScript, readExampleRequests, timeScript, VARIABLES } from './example-requests.ts'

const NAME = 'Posthorn'
const FOLDERS = ['clients/postman', 'clients/bruno'] as const

/** Path of each file, and its text. */
export function collections(): ReadonlyMap<string, string> {
  const requests = readExampleRequests()
  const [postman, bruno] = FOLDERS
  return new Map([
    [`${postman}/posthorn.postman_collection.json`, writeJson(postmanCollection(requests))],
    [`${postman}/sandbox.postman_environment.json`, writeJson(postmanEnvironment())],
    [`${bruno}/bruno.json`, writeJson({ version: '1', name: NAME, type: 'collection' })],
    [`${bruno}/environments/sandbox.bru`, brunoEnvironment()],
    ...requests.map((request, index) => {
      return [`${bruno}/${request.folder}/${request.id}.bru`, brunoRequest(request, index + 1)] as const
    }),
  ])
}

function postmanCollection(requests: readonly CollectionRequest[]): object {
  return {
    info: {
      name: NAME,
      description:
        'The client API of Posthorn. Choose the environment "Posthorn sandbox" and set api_key to the printed key.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: ['Operations', 'Errors'].map((name) => {
      return { name, item: requests.filter(({ folder }) => folder === name).map(postmanItem) }
    }),
  }
}

function postmanItem({
  id,
  name,
  description,
  method,
  path,
  headers,
  body,
  sets,
  needsTime,
}: CollectionRequest): object {
  const event = (listen: string, lines: readonly string[]) => ({
    listen,
    script: { type: 'text/javascript', exec: lines },
  })
  const set = 'pm.environment.set'
  const language = isJson(headers) ? 'json' : 'text'
  return {
    id,
    name,
    event: [
      ...(needsTime ? [event('prerequest', [timeScript(set)])] : []),
      ...(sets.length > 0
        ? [event('test', ['const text = pm.response.text()', ...sets.map((each) => idScript(set, each))])]
        : []),
    ],
    request: {
      method,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url: `{{base_url}}${path}`,
      ...(body === null ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language } } } }),
      description,
    },
    response: [],
  }
}

function postmanEnvironment(): object {
  const values = Object.entries(VARIABLES).map(([key, value]) => {
    return { key, value, type: key === 'api_key' ? 'secret' : 'default', enabled: true }
  })
  return { name: `${NAME} sandbox`, values, _postman_variable_scope: 'environment' }
}

function brunoEnvironment(): string {
  const { api_key: _, ...plain } = VARIABLES
  const lines = Object.entries(plain).map(([name, value]) => `  ${name}: ${value}\n`)
  return `vars {\n${lines.join('')}}\nvars:secret [\n  api_key\n]\n`
}

function brunoRequest(request: CollectionRequest, number: number): string {
  const { name, description, method, path, headers, body, sets, needsTime } = request
  const kind = isJson(headers) ? 'json' : 'text'
  const set = 'bru.setVar'
  const script = ['const text = JSON.stringify(res.getBody())', ...sets.map((each) => idScript(set, each))]
  const sections: readonly (readonly [name: string, text: string])[] = [
    ['meta', `name: ${name}\ntype: http\nseq: ${number}`],
    [method.toLowerCase(), `url: {{base_url}}${path}\nbody: ${body === null ? 'none' : kind}\nauth: none`],
    [
      'headers',
      Object.entries(headers)
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n'),
    ],
    ...(body === null ? [] : [[`body:${kind}`, body.trimEnd()] as const]),
    ...(needsTime ? [['script:pre-request', timeScript(set)] as const] : []),
    ...(sets.length > 0 ? [['script:post-response', script.join('\n')] as const] : []),
    ['docs', description],
  ]
  return sections.map(([section, text]) => `${section} {\n${text.replaceAll(/^(?=.)/gm, '  ')}\n}\n`).join('\n')
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return headers['Content-Type'] === 'application/json'
}

function writeJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
