/**
 * Hooks that a client manages itself. Each gets the reports that have no address of their own, of the types that it
 * asks for, signed with a secret of its own.
 */
import type { Signing } from '../accounts/account.ts'
import { DAY_MS } from '../accounts/retention.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { Report, ReportType } from './report.ts'
import { hookOf } from './report-schedule.ts'

export interface ClientHook extends Signing {
  /** 1, 2, 3 … within its account; never used again. */
  readonly id: number
  readonly address: string
  readonly description: string | null
  /** The types of its reports; null for all. */
  readonly events: readonly ReportType[] | null
  /** Milliseconds. */
  readonly createdAt: number
}

/** The hooks of one account. */
export interface AccountHooks {
  /** The oldest first. */
  readonly hooks: readonly ClientHook[]
  /** The id of the newest hook that ever was. */
  readonly lastId: number
  /** Times of the client's changes within the last hour, milliseconds, the oldest first. */
  readonly changes: readonly number[]
}

/** Returns the hooks of an account as this node knows them. */
export type HooksOf = (accountId: AccountId) => AccountHooks

export const NO_HOOKS: AccountHooks = { hooks: [], lastId: 0, changes: [] }

/** Maximum per account: each is one more report of every event. */
export const MAX_CLIENT_HOOKS = 5
/** Maximum of changes and tests of an account within an hour: every gateway reads each. */
export const MAX_HOOK_CHANGES = 20
const CHANGES_WITHIN_MS = 3_600_000
/** How long the secret before the newest signs as well. */
export const OLD_SECRET_SIGNS_MS = DAY_MS

/** Numbers of one hook among the reports of a message or event (`numberOf`). */
export const NUMBERS_PER_HOOK = 65_536
/** Numbers of reports stay below 2^31. */
const MAX_HOOK_ID = 30_000

export type HookChange =
  | ({ readonly kind: 'create'; readonly secret: string } & Pick<ClientHook, 'address' | 'description' | 'events'>)
  /** Absent fields stay unchanged. A stopped hook starts again. */
  | ({ readonly kind: 'update'; readonly id: number } & Partial<Pick<ClientHook, 'address' | 'description' | 'events'>>)
  | { readonly kind: 'rotate'; readonly id: number; readonly secret: string }
  | { readonly kind: 'delete'; readonly id: number }
  /** Changes nothing, and counts as a change: it posts a report. */
  | { readonly kind: 'test'; readonly id: number }

export const HOOK_REFUSALS = {
  unknown: 'Hook not found',
  tooMany: `hook: at most ${MAX_CLIENT_HOOKS} hooks in an account, delete one first`,
  taken: 'hook: another hook of the account has this address',
  tooOften: `Hooks were changed or tested ${MAX_HOOK_CHANGES} times within an hour, try again later`,
  usedUp: `hook: the account has created ${MAX_HOOK_ID} hooks, update one instead`,
} as const

export type HookRefusal = (typeof HOOK_REFUSALS)[keyof typeof HOOK_REFUSALS]

export interface HookOrder {
  readonly change: HookChange
  /** Milliseconds. */
  readonly at: number
  /** Whether the client makes the change, which is limited, and not an operator. */
  readonly isLimited: boolean
}

/** Returns the hooks after a change, or why it is refused. */
export function changeHooks(before: AccountHooks, { change, at, isLimited }: HookOrder): AccountHooks | HookRefusal {
  const recent = before.changes.filter((time) => time > at - CHANGES_WITHIN_MS)
  if (isLimited && recent.length >= MAX_HOOK_CHANGES) return HOOK_REFUSALS.tooOften
  const changes = isLimited ? [...recent, at] : recent
  if (change.kind === 'create') return created({ ...before, changes }, change, at)
  const hook = before.hooks.find(({ id }) => id === change.id)
  if (hook === undefined) return HOOK_REFUSALS.unknown
  const others = before.hooks.filter((each) => each !== hook)
  if (change.kind === 'delete') return { ...before, changes, hooks: others }
  const after = changed(hook, change, at)
  if (isTaken(others, after.address)) return HOOK_REFUSALS.taken
  return { ...before, changes, hooks: before.hooks.map((each) => (each === hook ? after : each)) }
}

function created(
  { hooks, lastId, changes }: AccountHooks,
  { address, description, events, secret }: Extract<HookChange, { kind: 'create' }>,
  at: number,
): AccountHooks | HookRefusal {
  if (hooks.length >= MAX_CLIENT_HOOKS) return HOOK_REFUSALS.tooMany
  if (isTaken(hooks, address)) return HOOK_REFUSALS.taken
  const id = lastId + 1
  if (id > MAX_HOOK_ID) return HOOK_REFUSALS.usedUp
  const hook = { id, address, description, events, createdAt: at, hookSecrets: [secret] }
  return { hooks: [...hooks, hook], lastId: id, changes }
}

function changed(hook: ClientHook, change: Exclude<HookChange, { kind: 'create' | 'delete' }>, at: number): ClientHook {
  if (change.kind === 'test') return hook
  if (change.kind === 'rotate') {
    const hookSecrets = [change.secret, ...hook.hookSecrets.slice(0, 1)]
    return { ...hook, hookSecrets, oldSecretsUntil: at + OLD_SECRET_SIGNS_MS }
  }
  const { address = hook.address, description = hook.description, events = hook.events } = change
  return { ...hook, address, description, events }
}

/** Hooks are stopped, queued and resumed by their address without its query. */
function isTaken(hooks: readonly ClientHook[], address: string): boolean {
  return hooks.some((each) => hookOf(each.address) === hookOf(address))
}

/** Returns the number of a report: each hook has numbers of its own, and the default hook those of hook 0. */
function numberOf(hookId: number, place: number): number {
  return hookId * NUMBERS_PER_HOOK + place
}

/** Returns the hook of the client to which a report goes; 0 for one to another address. */
export function hookIdOf(number: number): number {
  return Math.floor(number / NUMBERS_PER_HOOK)
}

/** Returns whether there is no such hook any more. One with a larger id is not known here yet. */
export function isDeleted({ hooks, lastId }: AccountHooks, id: number): boolean {
  return id > 0 && id <= lastId && !hooks.some((hook) => hook.id === id)
}

/** Returns the first number of the hook that a report has; reports with a smaller number do not precede it. */
export function firstNumberOf(number: number): number {
  return number - (number % NUMBERS_PER_HOOK)
}

type Listener = Pick<ClientHook, 'id' | 'address' | 'events'>

/** Who gets the reports of an account that have no address of their own. */
export interface Listeners {
  readonly defaultHook: string | null
  readonly hooks: readonly Listener[]
}

export const NO_LISTENERS: Listeners = { defaultHook: null, hooks: [] }

/**
 * Returns the hooks that get a copy of a report of this type, besides its address. An address other than the default
 * hook was chosen for this message or number, so the report goes nowhere else.
 */
export function hooksFor(
  { defaultHook, hooks }: Listeners,
  type: ReportType,
  address: string | null,
): readonly Listener[] {
  if (hooks.length === 0 || (address !== null && address !== defaultHook)) return NO_LISTENERS.hooks
  return hooks.filter(({ events }) => events === null || events.includes(type))
}

/**
 * Returns a report to its address, unless that is null, and its copies to these hooks. Each is signed, retried and
 * ordered by itself.
 */
export function addressed(
  report: Omit<Report, 'address'>,
  address: string | null,
  hooks: readonly Listener[],
): readonly Report[] {
  if (hooks.length === 0) return address === null ? [] : [to(address, report, report.number)]
  const copies = hooks.map((hook) => to(hook.address, report, numberOf(hook.id, report.number)))
  return address === null ? copies : [to(address, report, report.number), ...copies]
}

function to(address: string, { messageId, accountId, body }: Omit<Report, 'address'>, number: number): Report {
  return { messageId, accountId, number, address, body }
}
