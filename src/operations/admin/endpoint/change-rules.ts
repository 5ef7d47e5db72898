/**
 * Which roles may make which changes. Endpoints restrict callers; these rules restrict changes, so that a document with
 * many changes (PUT /configuration) permits nothing that the single endpoint refuses. `auditStore` checks every change
 * against them.
 */
import type { AccountSettings } from '../../../domain/accounts/account.ts'
import { PROOF_MS, type Role } from '../../../domain/accounts/admin-user.ts'
import { canProve } from '../../../domain/accounts/passkey.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { FINANCE, OPERATORS, OWNERS, READERS } from '../fields/shapes.ts'
import { AdminProblem } from './admin-problem.ts'
import { CLIENT_ADMINS, CLIENTS } from './client-access.ts'
import { CLIENT_CHANGES } from './client-changes.ts'
import type { Actor } from './endpoint.ts'

type SingleChange = Exclude<Change, { readonly kind: 'all' }>

interface Rule {
  /** Subject of the change, for the refusal. */
  readonly what: string
  readonly may: readonly Role[]
  /** A session must have proven password and code within the last PROOF_MS. */
  readonly proof?: true
}

const ACCOUNTS: Rule = { what: 'accounts', may: OPERATORS }
const KEYS: Rule = { what: 'API keys', may: OPERATORS, proof: true }
const MONEY: Rule = { what: 'the money of accounts', may: FINANCE, proof: true }
const PRICES: Rule = { what: 'prices', may: FINANCE, proof: true }
const COSTS: Rule = { what: 'costs', may: [...OPERATORS, 'finance'] }
const CARRIERS: Rule = { what: 'carriers', may: OPERATORS }
/** The settings hold secrets and decide where messages go. */
const CARRIER_SETTINGS: Rule = { ...CARRIERS, what: 'the settings of carriers', proof: true }
const ROUTES: Rule = { what: 'routes', may: OPERATORS }
const POOLS: Rule = { what: 'number pools', may: OPERATORS }
const INBOUND_NUMBERS: Rule = { what: 'inbound numbers', may: OPERATORS }
const GUARDS: Rule = { what: 'guards', may: OPERATORS }
const ALARM_RULES: Rule = { what: 'rules of alarms', may: OPERATORS }
const ALARMS: Rule = { what: 'alarms', may: [...OPERATORS, 'support'] }
/** They decide where notifications go. */
const TARGETS: Rule = { what: 'notification targets', may: OPERATORS, proof: true }
const USERS: Rule = { what: 'users and their tokens', may: OWNERS, proof: true }
/** Logging in is itself a proof of identity. */
/** Of the user who changes them. */
const OWN_PASSKEYS: Rule = { what: 'passkeys', may: [...READERS, ...CLIENTS], proof: true }
const LOGINS: Rule = { what: 'sessions', may: [...READERS, ...CLIENTS] }

const RULES: { readonly [Kind in SingleChange['kind']]: Rule } = {
  'create account': ACCOUNTS,
  'set account': ACCOUNTS,
  'set hook secrets': { what: 'hook secrets', may: OPERATORS, proof: true },
  'add key': KEYS,
  'set key scopes': KEYS,
  'remove keys': KEYS,
  'set sender': { what: 'senders', may: OPERATORS },
  'set chat template': { what: 'chat-app templates', may: OPERATORS },
  'top up': MONEY,
  correct: MONEY,
  'set credit limit': MONEY,
  'set price': PRICES,
  'remove price': PRICES,
  'set tariff': PRICES,
  'set cost': COSTS,
  'remove cost': COSTS,
  'set carrier': CARRIER_SETTINGS,
  'set draining': CARRIERS,
  'remove carrier': CARRIERS,
  'set route': ROUTES,
  'remove route': ROUTES,
  'set pool': POOLS,
  'remove pool': POOLS,
  'set inbound number': INBOUND_NUMBERS,
  'remove inbound number': INBOUND_NUMBERS,
  'set operators': { what: 'the table of operators', may: OPERATORS },
  'set guard settings': GUARDS,
  'list number': GUARDS,
  'unlist number': GUARDS,
  'set traffic alarm': GUARDS,
  'set notification target': TARGETS,
  'remove notification target': TARGETS,
  'set alarm rule': ALARM_RULES,
  'remove alarm rule': ALARM_RULES,
  'raise alarm': ALARMS,
  'clear alarm': ALARMS,
  'acknowledge alarm': ALARMS,
  'resolve alarm': ALARMS,
  'delete alarms': ALARMS,
  'settle notifications': ALARMS,
  'change opt-outs': { what: 'opt-outs', may: [...OPERATORS, 'support'] },
  'note forgotten phone': { what: 'stored data of recipients', may: OPERATORS },
  // Spends the money of the account, and reaches a recipient in its name.
  'note message': { what: 'messages of clients', may: OPERATORS, proof: true },
  'note test message': { what: 'messages of clients', may: OPERATORS },
  'note bulk': { what: 'bulks of clients', may: OPERATORS },
  'note queue': { what: 'open messages', may: OPERATORS },
  'change hook': { what: 'hooks of clients', may: OPERATORS },
  'resume hook': { what: 'stopped hooks', may: OPERATORS },
  'try hook': { what: 'failed reports', may: [...OPERATORS, 'support'] },
  'resend reports': { what: 'failed reports', may: [...OPERATORS, 'support'] },
  'seal with': { what: 'the key that seals', may: OWNERS },
  'set admin user': USERS,
  'add admin token': USERS,
  'remove admin token': USERS,
  'set admin secrets': USERS,
  'add sign-in link': USERS,
  'use one-time token': LOGINS,
  'add challenge': LOGINS,
  'use passkey': LOGINS,
  'add passkey': OWN_PASSKEYS,
  'rename passkey': OWN_PASSKEYS,
  'remove passkeys': USERS,
  'count login': LOGINS,
  'settle login': LOGINS,
  'note failed login': LOGINS,
  'open session': LOGINS,
  'prove session': LOGINS,
}

/** Throws AdminProblem naming what the role may not change. */
export function checkMayChange(actor: Actor, change: Change): void {
  if (change.kind === 'all') {
    for (const each of change.changes) checkMayChange(actor, each)
    return
  }
  if (isOwnAccess(actor, change)) return
  const { what, may: operators } = ruleOf(actor, change)
  const may = change.kind in CLIENT_CHANGES ? [...operators, ...CLIENT_ADMINS] : operators
  if (!may.includes(actor.role)) {
    throw new AdminProblem(403, refuseRole(actor.role, `change ${what}`, may))
  }
}

/**
 * Throws ProofNeeded if the change needs a proof and the session's is too old. A user who has nothing to prove with
 * could set it up without a proof, so asking for one would protect nothing.
 */
export function checkProof(actor: Actor, change: Change, rows: DirectoryRows, now: number): void {
  if (change.kind === 'all') {
    for (const each of change.changes) checkProof(actor, each, rows, now)
    return
  }
  const { session, name } = actor
  if (session === null || session.provedAt + PROOF_MS > now || isOwnAccess(actor, change)) return
  const { what, proof = false } = sensitiveRule(change, rows) ?? ruleOf(actor, change)
  const user = rows.adminUsers.find((each) => each.name === name)
  if (proof && user !== undefined && canProve(user, rows.passkeys)) throw new ProofNeeded(what)
}

const CLOSING: Rule = { ...ACCOUNTS, what: 'whether an account is closed', proof: true }
/** They decide where reports go, and from where requests are accepted. */
const ADDRESSES: Rule = { ...ACCOUNTS, what: 'the default hook and the networks of accounts', proof: true }

/** Some fields of an account need a proof; returns null if the change leaves them as they are. */
function sensitiveRule(change: SingleChange, { accounts }: DirectoryRows): Rule | null {
  if (change.kind !== 'set account') return null
  if ('state' in change && change.state === 'closed') return CLOSING
  const before = accounts.find(({ id }) => id === change.accountId)?.settings
  const { settings = before } = change
  return addressesIn(settings) === addressesIn(before) ? null : ADDRESSES
}

function addressesIn(settings: AccountSettings | undefined): string {
  return JSON.stringify([settings?.defaultHook, settings?.allowedNetworks])
}

function ruleOf({ name }: Actor, change: SingleChange): Rule {
  return change.kind === 'remove passkeys' && change.user === name ? OWN_PASSKEYS : RULES[change.kind]
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** For example `finance may not change accounts; owner and operator may`. */
export function refuseRole(role: Role, action: string, may: readonly Role[]): string {
  return `${role} may not ${action}; ${LIST.format(may)} may`
}

/** The session must prove its user's identity again (RFC 9470). */
export class ProofNeeded extends AdminProblem {
  constructor(what: string) {
    super(401, `to change ${what}, prove again who you are: POST /admin/v1/session/proof or /session/proof/passkey`)
  }
}

/** Users may set their own secrets, proven in the same request (set-secrets.ts), and delete their own token. */
function isOwnAccess({ name, token }: Actor, change: SingleChange): boolean {
  if (change.kind === 'set admin secrets') return change.user === name
  return change.kind === 'remove admin token' && change.user === name && change.label === token
}
