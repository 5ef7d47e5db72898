/** The settings of a generic HTTP carrier that define its requests: address, headers, body and credentials. */
import Type, { type StaticDecode } from 'typebox'
import { type SignRequest, signForAws, signForAzure } from '../../wire/sign-request.ts'
import { WrongSetting } from '../shared/read-settings.ts'
import { ascii, choice, group, mapOf, parsed, requiredMapOf, SECRET, text } from '../shared/setting-kinds.ts'
import {
  PLAIN_NAMES,
  readJsonTemplate,
  readTemplate,
  type Template,
  type TemplateField,
  withConditionsOfName,
} from './template.ts'

export type RequestSettings = StaticDecode<typeof REQUEST>

/** Headers that Posthorn or HTTP itself sets. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
])

interface Credentials {
  readonly headers: readonly TemplateField[]
  /** Signs the whole request; null if headers are enough. */
  readonly sign: SignRequest | null
}

const NO_CREDENTIALS: Credentials = { headers: [], sign: null }

function inHeader(name: string, text: string): Credentials {
  return { headers: [[name, { conditions: [], pieces: [text] }]], sign: null }
}

function checkBase64(key: string): string {
  if (/^[A-Za-z0-9+/]{4,}={0,2}$/.test(key) && key.length % 4 === 0) return key
  throw new Error('should be base64')
}

function secretHeaderText(description: string) {
  return parsed(text(description, SECRET), checkHeaderText)
}

const CREDENTIALS = parsed(
  Type.Union(
    [
      group({ kind: Type.Literal('none') }, 'No credentials.'),
      group(
        { kind: Type.Literal('basic'), user: text('User name.'), password: text('Password.', SECRET) },
        'HTTP basic authentication.',
      ),
      group({ kind: Type.Literal('bearer'), token: secretHeaderText('Token.') }, 'A bearer token.'),
      group(
        {
          kind: Type.Literal('header'),
          value: secretHeaderText('Its value.'),
          name: parsed(text('Name of the header.'), (name) => {
            checkHeaderName(name, /^[\w-]+$/)
            return name.toLowerCase()
          }),
        },
        'A header with a secret.',
      ),
      group(
        {
          kind: Type.Literal('aws'),
          region: ascii(60, 'Region, such as `eu-central-1`.'),
          service: ascii(60, 'Service, such as `sms-voice`.'),
          accessKeyId: ascii(128, 'Id of the access key.', SECRET),
          secretAccessKey: text('The access key.', SECRET),
        },
        'A signature for Amazon Web Services, version 4.',
      ),
      group(
        {
          kind: Type.Literal('azure'),
          key: parsed(text('An access key of the resource, base64.', SECRET), checkBase64),
        },
        'A signature for Azure Communication Services.',
      ),
    ],
    { description: 'Credentials of requests; none by default.' },
  ),
  (auth): Credentials => {
    switch (auth.kind) {
      case 'none':
        return NO_CREDENTIALS
      case 'basic':
        return inHeader('authorization', `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`)
      case 'bearer':
        return inHeader('authorization', `Bearer ${auth.token}`)
      case 'header':
        return inHeader(auth.name, auth.value)
      case 'aws':
        return { headers: [], sign: signForAws(auth) }
      case 'azure':
        return { headers: [], sign: signForAzure(auth.key) }
    }
  },
)

const HEADERS = parsed(
  mapOf(
    parsed(text('Value of the header.'), (value) => readTemplate(checkHeaderText(value), PLAIN_NAMES)),
    'Further headers, with placeholders whose values are always ASCII; `User-Agent` is `posthorn/` and the version by default, `Content-Type` that of the body.',
  ),
  (headers) =>
    [...headers].map(([text, template]): TemplateField => {
      try {
        const [name, value] = withConditionsOfName(text, template)
        checkHeaderName(name, /^[\w!#$%&'*+.^`|~-]+$/)
        return [name.toLowerCase(), value]
      } catch (error) {
        throw new WrongSetting(text, (error as Error).message)
      }
    }),
)

/** A request by templates; header names are in lower case, credentials included. */
export const REQUEST = parsed(
  group(
    {
      address: parsed(
        text(
          'Address, with placeholders in its path (`{{phone}}`, `{{+phone}}`, `{{sender}}`, `{{ref}}`) and in its query (all), but not in its host.',
        ),
        readAddress,
      ),
      method: choice(['POST', 'GET'], 'Method.', 'POST'),
      headers: HEADERS,
      auth: Type.Optional(CREDENTIALS),
      json: Type.Optional(
        parsed(Type.Unknown({ description: 'The body: any JSON, with placeholders in its texts.' }), (json) =>
          readJsonTemplate(json),
        ),
      ),
      form: Type.Optional(
        parsed(
          requiredMapOf(
            parsed(text('Value, with placeholders.'), (value) => readTemplate(value)),
            'In place of `json`: names and values of a form body, or with `GET` of the query, where nothing has to be percent-encoded.',
          ),
          readForm,
        ),
      ),
    },
    'How a request is made.',
    'Request',
  ),
  ({ method, address, headers, auth = NO_CREDENTIALS, json, form }) => {
    if (json !== undefined && form !== undefined) throw new WrongSetting('form', 'should not stand beside json')
    const body = json !== undefined ? { json } : form !== undefined ? { form } : null
    const common = { method, ...address, headers: [...headers, ...auth.headers], sign: auth.sign }
    if (method === 'POST') return { ...common, body }
    if (json !== undefined) throw new WrongSetting('method', 'should be POST, because there is a body')
    return { ...common, query: [...address.query, ...(form ?? [])], body: null }
  },
)

function readForm(form: ReadonlyMap<string, Template>): readonly TemplateField[] {
  return [...form].map(([name, value]) => withConditionsOfName(name, value))
}

function readAddress(source: string) {
  const [place = '', ...query] = source.split('?')
  const isAddress = /^https?:\/\/[^/{}@#\s]+(\/[^#\s]*)?$/.test(place) && URL.canParse(place) && query.length < 2
  if (!isAddress) throw new Error('should be an http or https address, without placeholders in its host')
  return {
    /** Scheme, host and port. */
    origin: new URL(place).origin,
    /** Without its query. Values are percent-encoded. */
    address: readTemplate(place, ['phone', '+phone', 'sender', 'ref']),
    query: query.flatMap((text) => text.split('&')).map(readQueryField),
  }
}

/** A plus stands for a space, except inside a placeholder. */
function readQueryField(text: string): TemplateField {
  const decode = (part: string) =>
    decodeURIComponent(part.replace(/\{\{[^{}]*\}\}|\+/g, (found) => (found === '+' ? ' ' : found)))
  const [name = '', ...value] = text.split('=')
  return withConditionsOfName(decode(name), readTemplate(decode(value.join('='))))
}

function checkHeaderName(name: string, pattern: RegExp): void {
  if (!pattern.test(name) || RESERVED_HEADERS.has(name.toLowerCase()))
    throw new Error('is not a header that can be set')
}

/** The error does not repeat the text, which may be a secret. */
function checkHeaderText(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text)) return text
  throw new Error('should be ASCII text')
}
