/**
 * What operators can ask, as a table of endpoints. HTTP, the OpenAPI document and the command line are all made of it, so
 * that none of them can do what the others cannot. An endpoint says what goes in, what comes out, who may ask, and what
 * is then done; its names are those that the world sees.
 */
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Role } from '../../domain/admin-user.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { DirectoryRows } from '../../domain/directory.ts'
import type { Carrier } from '../../ports/carrier.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Store } from '../../ports/store.ts'
import type { CheckSettings } from './carriers/carrier-kinds.ts'
import type { StreamedJson } from './streamed-json.ts'

/** Who asks. */
export interface Actor {
  readonly name: string
  readonly role: Role
  readonly via: AuditEntry['via']
  /** The label of the token that was sent; null without one. */
  readonly token: string | null
  /** Of a session: when its user last proved password and code, milliseconds. Null for any other token. */
  readonly session: { readonly provedAt: number } | null
  /** Where the request comes from; null when nobody can tell. */
  readonly address: string | null
}

export interface AdminTools {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly checkSettings: CheckSettings
  /** The gateway that is asked; null straight on a store. */
  readonly live: LiveGateway | null
}

/** What only a running gateway knows. */
interface LiveGateway {
  readonly carriers: () => readonly LiveCarrier[]
  /** What a carrier has to do with its messenger's templates; undefined when it does not run here. */
  readonly carrier: (id: string) => Pick<Carrier, 'templates' | 'submitTemplate'> | undefined
}

/** How a carrier is, times in milliseconds. */
export interface LiveCarrier {
  readonly id: string
  readonly up: boolean
  readonly since: number
  readonly breaker: string
  readonly degraded: { readonly since: number; readonly reason: string } | null
  readonly inFlight: number
  readonly window: number
  readonly waiting: number
  readonly rate: number
  readonly throughput: number | null
  readonly lastError: string | null
  readonly links: readonly LiveLink[]
}

/** One connection of a carrier. */
interface LiveLink {
  readonly name: string
  readonly state: string
  readonly since: number
  readonly inFlight: number
  readonly window: number
  readonly lastError: string | null
  readonly protocolErrors: number
}

type Fields = Readonly<Record<string, TSchema>>
type Values<F extends Fields> = Static<TObject<F>>

export interface Endpoint {
  /** What is done, as the audit log names it: `createAccount`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/admin/v1`, with the names of its parameters: `/accounts/{account}`. */
  readonly path: string
  /** How it is asked on the command line: `account create`; null when a command of its own does it. */
  readonly command: string | null
  /** What people see of a list whose things have many fields; null for all of them. */
  readonly columns: readonly string[] | null
  /** A row of a list as tables show it, with units; null shows it as it is. JSON keeps the exact values. */
  readonly textRow: ((row: never) => object) | null
  /** A line that the command line prints below the answer; null, or a function that returns null, for none. */
  readonly hint: ((answer: never, about: HintContext) => string | null) | null
  /** One clause, small letter first, no full stop. */
  readonly summary: string
  /** `anybody` needs no token. */
  readonly may: readonly Role[] | 'public'
  readonly params: TObject
  readonly query: TObject
  readonly body: TObject
  /** Null when nothing is answered. */
  readonly result: TSchema | null
  /** What is at the path, where two people could change it at one time: its ETag is made of this, so nothing of it may be secret. */
  readonly entity: ((rows: DirectoryRows, params: never) => unknown) | null
  /** Longest body, bytes. */
  readonly maxBytes: number
  run(tools: AdminTools, input: never, actor: Actor): Promise<unknown>
}

/** How a command got its answer. */
export interface HintContext {
  /** It worked on the store beside a running gateway, which learns of changes when it looks next. */
  readonly isBesideGateway: boolean
}

/** For credentials: how soon a gateway knows them. */
export function knownWithinASecond(_answer: unknown, { isBesideGateway }: HintContext): string | null {
  return isBesideGateway ? 'A running gateway knows of it within one second.' : null
}

interface EndpointDraft<P extends Fields, Q extends Fields, B extends Fields, R extends TSchema> {
  readonly name: string
  readonly method: Endpoint['method']
  readonly path: string
  readonly command?: string
  readonly columns?: readonly string[]
  readonly textRow?: (row: Static<R> extends { readonly data: readonly (infer Row)[] } ? Row : never) => object
  readonly hint?: (answer: Static<R>, about: HintContext) => string | null
  readonly summary: string
  readonly may: Endpoint['may']
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly result?: R
  readonly entity?: (rows: DirectoryRows, params: Values<P>) => unknown
  readonly maxBytes?: number
  readonly run: (
    tools: AdminTools,
    input: Values<P> & Values<Q> & Values<B>,
    actor: Actor,
  ) => Promise<Static<R> | StreamedJson | undefined>
}

const MAX_BYTES = 1024 * 1024

type NoFields = Readonly<Record<never, TSchema>>

/** `run` gets the parameters, the query and the body as one: their names must differ. It throws ChangeRefused. */
export function endpoint<
  R extends TSchema,
  P extends Fields = NoFields,
  Q extends Fields = NoFields,
  B extends Fields = NoFields,
>(draft: EndpointDraft<P, Q, B, R>): Endpoint {
  const strict = { additionalProperties: false }
  return {
    name: draft.name,
    method: draft.method,
    path: draft.path,
    command: draft.command ?? null,
    columns: draft.columns ?? null,
    textRow: draft.textRow ?? null,
    hint: draft.hint ?? null,
    summary: draft.summary,
    may: draft.may,
    params: Type.Object(draft.params ?? {}, strict),
    query: Type.Object(draft.query ?? {}, strict),
    body: Type.Object(draft.body ?? {}, strict),
    result: draft.result ?? null,
    entity: draft.entity ?? null,
    maxBytes: draft.maxBytes ?? MAX_BYTES,
    run: draft.run,
  }
}

/** Whether its body holds a secret, such as a password: then nothing of the request is kept, not even a hash. */
export function hasSecretInput({ body }: Endpoint): boolean {
  return Object.values(body.properties).some((schema) => 'writeOnly' in schema && schema.writeOnly === true)
}

/** Whether it changes something. */
export function isWrite({ method }: Endpoint): boolean {
  return method !== 'GET'
}
