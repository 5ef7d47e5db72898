/** Ready settings of a provider: a file of `providers/`, whose name is that of the provider. */
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { CHANNEL } from './shapes.ts'

const SENTENCE = Type.String({ minLength: 1, maxLength: 400 })
const TITLE = Type.String({ minLength: 1, maxLength: 60 })

const STRICT = { additionalProperties: false }

const QUESTION = Type.Object(
  {
    title: TITLE,
    /** Where an operator finds the value. */
    help: SENTENCE,
    example: Type.Optional(TITLE),
    secret: Type.Optional(Type.Literal(true)),
    /** A secret that Posthorn makes if it is not given. */
    made: Type.Optional(Type.Literal(true)),
    default: Type.Optional(TITLE),
    /** The whole answer must match it; `rule` says it in words, which follow "must be". */
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    rule: Type.Optional(TITLE),
  },
  STRICT,
)

export const PROVIDER_STATUS = Type.Enum(['verified', 'from documentation'])

export const DOCUMENTATION = Type.Object(
  {
    address: Type.String({ pattern: '^https://\\S+$' }),
    date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  },
  STRICT,
)

const PROVIDER_FILE = Type.Object(
  {
    title: TITLE,
    version: Type.Integer({ minimum: 1 }),
    status: PROVIDER_STATUS,
    documentation: DOCUMENTATION,
    channel: CHANNEL,
    /** By the names of the constants and secrets that the answers become. */
    ask: Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' }), QUESTION),
    /** Settings of an HTTP carrier without the answers. */
    settings: Type.Record(Type.String(), Type.Unknown()),
    /** What to do at the provider, in order; `{{webhook}}` and `{{inboundWebhook}}` are addresses of the carrier. */
    setUp: Type.Array(SENTENCE),
    /** What the provider does not have, and what could not be verified. */
    limits: Type.Array(SENTENCE),
  },
  STRICT,
)

export type Question = Static<typeof QUESTION>

export interface Provider extends Static<typeof PROVIDER_FILE> {
  readonly name: string
}

/** Reads the file of a provider. Throws an Error that names the file. */
export function readProviderFile(name: string, json: unknown): Provider {
  if (!Check(PROVIDER_FILE, json)) throw new Error(`providers/${name}.json is not the file of a provider`)
  return { name, ...json }
}
