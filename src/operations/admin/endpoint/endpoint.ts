/**
 * The type of admin endpoints. HTTP, the OpenAPI document and the command line are all built from one table of them, so
 * all offer the same. An endpoint states its inputs, its result, the permitted roles and its action; its names are
 * public.
 */
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { ApiName } from '../../../contract/operations/api-names.ts'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import type { AuditEntry } from '../../../domain/accounts/audit.ts'
import type { NotificationTarget } from '../../../domain/alarms/notification.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { Carrier, CarrierBalance } from '../../../ports/carriers/carrier.ts'
import type { Lookup, NumberLookup } from '../../../ports/carriers/lookup.ts'
import type { ExplainRouting } from '../../../ports/carriers/routing.ts'
import type { IdentityProvider } from '../../../ports/hooks/identity-provider.ts'
import type { NotificationResult } from '../../../ports/hooks/notification-post.ts'
import type { BindFacts, NodeRole } from '../../../ports/records/cluster.ts'
import type { Store } from '../../../ports/stores/store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import type { BulkUploads } from '../../bulk/upload.ts'
import type { HookGuard } from '../../request/check-hook.ts'
import type { OperationTools } from '../../request/operation-tools.ts'
import type { RateLimits } from '../../request/rate-limits.ts'
import type { RunAs } from '../../run/run.ts'
import type { CarrierSchemas, ReceiptAccounts, SettingsCheck } from '../fields/carrier-kinds.ts'
import type { Provider } from '../fields/provider-file.ts'
import type { StreamedJson } from '../fields/streamed-json.ts'
import type { ClientAccess } from './client-access.ts'

/** The name under which a browser reaches this gateway. */
export interface Site {
  /** For example `https://console.example.com`. */
  readonly origin: string
  /** The host name alone; passkeys belong to it. */
  readonly host: string
}

/** The authenticated caller. */
export interface Actor {
  readonly name: string
  readonly role: Role
  /** Set exactly for client roles, which see this account and nothing else. */
  readonly account: AccountId | null
  readonly via: AuditEntry['via']
  /** Label of the token; null without one. */
  readonly token: string | null
  /** When the token expires, milliseconds; null for never, or without a token. */
  readonly expiresAt: number | null
  /** When the session's user last proved password and code, milliseconds. Null for other tokens. */
  readonly session: { readonly provedAt: number } | null
  /** Client address; null if unknown. */
  readonly address: string | null
  /** How the browser calls this gateway; null if no page of it sent the request. */
  readonly site: Site | null
}

export interface AdminTools {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  /** log2 of the work of hashing a new password, less in tests; that of hash-password.ts if absent. */
  readonly passwordLogN?: number | undefined
  readonly checkSettings: SettingsCheck
  readonly receiptAccounts: ReceiptAccounts
  readonly carrierSchemas: CarrierSchemas
  readonly hookGuard: HookGuard
  /** Those with ready settings, by name. */
  readonly providers: () => readonly Provider[]
  /** The setting PUBLIC_URL; null if it is not set. */
  readonly publicUrl: string | null
  /** The running gateway; null when the command works directly on a store. */
  readonly live: LiveGateway | null
}

/** State that only a running gateway has. */
export interface LiveGateway extends Lookup {
  readonly apis: readonly ApiName[]
  /** As set: 0 for any. */
  readonly smppPort: number
  readonly role: NodeRole
  /** Milliseconds. */
  readonly startedAt: number
  readonly carriers: () => readonly LiveCarrier[]
  /** The carrier's functions for operators; undefined if the carrier does not run here. */
  readonly carrier: (
    id: string,
  ) => Pick<Carrier, 'templates' | 'submitTemplate' | 'register' | 'askBalance'> | undefined
  /** Ends the waits of a carrier that runs here. */
  readonly connectNow: (id: string) => void
  /** Connections of clients to the SMPP server. */
  readonly binds: () => readonly LiveBind[]
  /** Asks lookup services, and drops an answer that it keeps. */
  readonly lookups: NumberLookup & { readonly forget: (phone: Phone) => void }
  /** What clients' operations use, to try them. */
  readonly operations: OperationTools
  readonly explainRouting: ExplainRouting
  readonly runAs: RunAs
  readonly uploads: BulkUploads
  /** Null unless the setting SSO_ISSUER is set. */
  readonly sso: IdentityProvider | null
  /** How often sign-ins begin, by network. */
  readonly ssoRates: RateLimits<string>
  /** How often operators test each carrier. */
  readonly carrierTests: RateLimits<string>
  /** Sends a test notification. */
  readonly testTarget: (target: NotificationTarget) => Promise<NotificationResult>
}

/** Live state of a carrier; times in milliseconds. */
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
  readonly lastErrorAt: number | null
  readonly droppedReceipts: number
  readonly links: readonly LiveLink[]
  readonly balance: CarrierBalance | null
}

/** One connection of a login to this node. */
export interface LiveBind extends BindFacts {
  readonly login: string
  readonly accountId: AccountId
}

/** One connection of a carrier. */
interface LiveLink {
  readonly name: string
  readonly state: string
  readonly since: number
  readonly inFlight: number
  readonly window: number
  readonly lastError: string | null
  readonly lastErrorAt: number | null
  readonly nextTryAt: number | null
  readonly protocolErrors: number
}

type Fields = Readonly<Record<string, TSchema>>
type Values<F extends Fields> = Static<TObject<F>>

export interface Endpoint {
  /** Action name in the audit log: `createAccount`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below `/admin/v1` with parameter names: `/accounts/{account}`. */
  readonly path: string
  /** Name of the command that is built from it: `account create`; null without one. */
  readonly command: string | null
  /** Name of the hand-written command that calls it: `carrier set`; null without one. */
  readonly ownCommand: string | null
  /** Whether its command needs a running gateway (runningGateway). */
  readonly needsGateway: boolean
  /** Columns of the command's table; null for all fields. */
  readonly columns: readonly string[] | null
  /** Formats a row for tables, with units, or omits it by null; null shows all unchanged. JSON keeps exact values. */
  readonly textRow: ((row: never) => object | null) | null
  /** Returns a line that the command prints below the result; null for none. */
  readonly hint: ((answer: never, about: HintContext) => string | null) | null
  /** An imperative phrase, lower case, without a full stop. */
  readonly summary: string
  /** Roles of operators; `public` needs no token. */
  readonly may: readonly Role[] | 'public'
  /** Use by users of an account; null if it is refused to them. */
  readonly clients: ClientAccess | null
  readonly params: TObject
  readonly query: TObject
  readonly body: TObject
  /** Null without a result. */
  readonly result: TSchema | null
  /**
   * Returns the resource at the path, for optimistic locking: its ETag is derived from it, so it must contain no
   * secret.
   */
  readonly entity: ((rows: DirectoryRows, params: never) => unknown) | null
  /** Maximum body, bytes. */
  readonly maxBytes: number
  run(tools: AdminTools, input: never, actor: Actor): Promise<unknown>
}

/** How a command got its result. */
export interface HintContext {
  /** The command worked on the store beside a running gateway, which sees changes at its next refresh. */
  readonly isBesideGateway: boolean
}

/** For credentials: how soon a gateway knows them. */
export function knownWithinASecond(_answer: unknown, { isBesideGateway }: HintContext): string | null {
  return isBesideGateway ? 'A running gateway applies it within one second.' : null
}

interface EndpointDraft<P extends Fields, Q extends Fields, B extends Fields, R extends TSchema> {
  readonly name: string
  readonly method: Endpoint['method']
  readonly path: string
  readonly command?: string
  readonly ownCommand?: string
  readonly needsGateway?: true
  readonly columns?: readonly string[]
  readonly textRow?: (row: Static<R> extends { readonly data: readonly (infer Row)[] } ? Row : never) => object | null
  readonly hint?: (answer: Static<R>, about: HintContext) => string | null
  readonly summary: string
  readonly may: Endpoint['may']
  readonly clients?: ClientAccess
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

/** `run` receives parameters, query and body merged, so their names must differ. It throws ChangeRefused. */
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
    ownCommand: draft.ownCommand ?? null,
    needsGateway: draft.needsGateway === true,
    columns: draft.columns ?? null,
    textRow: draft.textRow ?? null,
    hint: draft.hint ?? null,
    summary: draft.summary,
    may: draft.may,
    clients: draft.clients ?? null,
    params: Type.Object(draft.params ?? {}, strict),
    query: Type.Object(draft.query ?? {}, strict),
    body: Type.Object(draft.body ?? {}, strict),
    result: draft.result ?? null,
    entity: draft.entity ?? null,
    maxBytes: draft.maxBytes ?? MAX_BYTES,
    run: draft.run,
  }
}

/** Whether the body holds a secret such as a password: nothing of such a request is stored, not even a hash. */
export function hasSecretInput({ body }: Endpoint): boolean {
  return Object.values(body.properties).some((schema) => 'writeOnly' in schema && schema.writeOnly === true)
}

/** Returns all roles that may use it; null if it needs no token. */
export function rolesOf({ may, clients }: Endpoint): readonly Role[] | null {
  return may === 'public' ? null : [...may, ...(clients?.may ?? [])]
}

/** Whether it changes data. */
export function isWrite({ method }: Endpoint): boolean {
  return method !== 'GET'
}
