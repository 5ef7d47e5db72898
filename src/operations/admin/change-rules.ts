/**
 * Which roles may make which change. Endpoints say who may call them; this says who may change what, so that a document
 * with many changes (PUT /configuration) permits nothing that the endpoint of a single change refuses. `auditStore`
 * checks every change against it.
 */
import type { Role } from '../../domain/admin-user.ts'
import type { Change } from '../../ports/store.ts'
import { AdminProblem } from './admin-problem.ts'
import type { Actor } from './endpoint.ts'
import { FINANCE, OPERATORS, OWNERS } from './endpoints/shapes.ts'

type SingleChange = Exclude<Change, { readonly kind: 'all' }>

interface Rule {
  /** What is changed, as the refusal names it. */
  readonly what: string
  readonly may: readonly Role[]
}

const ACCOUNTS: Rule = { what: 'accounts', may: OPERATORS }
const KEYS: Rule = { what: 'API keys', may: OPERATORS }
const MONEY: Rule = { what: 'the money of accounts', may: FINANCE }
const PRICES: Rule = { what: 'prices', may: FINANCE }
const COSTS: Rule = { what: 'costs', may: [...OPERATORS, 'finance'] }
const CARRIERS: Rule = { what: 'carriers', may: OPERATORS }
const ROUTES: Rule = { what: 'routes', may: OPERATORS }
const POOLS: Rule = { what: 'number pools', may: OPERATORS }
const GUARDS: Rule = { what: 'guards', may: OPERATORS }
/** Users change their own passwords and tokens too: endpoints/session.ts. */
const USERS: Rule = { what: 'users and their tokens', may: OWNERS }

const RULES: { readonly [Kind in SingleChange['kind']]: Rule } = {
  'create account': ACCOUNTS,
  'set account': ACCOUNTS,
  'set hook secrets': { what: 'hook secrets', may: OPERATORS },
  'add key': KEYS,
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
  'set carrier': CARRIERS,
  'set draining': CARRIERS,
  'remove carrier': CARRIERS,
  'set route': ROUTES,
  'remove route': ROUTES,
  'set pool': POOLS,
  'remove pool': POOLS,
  'set operators': { what: 'the table of operators', may: OPERATORS },
  'set guard settings': GUARDS,
  'list number': GUARDS,
  'unlist number': GUARDS,
  'set traffic alarm': GUARDS,
  'change opt-outs': { what: 'opt-outs', may: [...OPERATORS, 'support'] },
  'note forgotten phone': { what: 'what is kept of recipients', may: OPERATORS },
  'resume hook': { what: 'stopped hooks', may: OPERATORS },
  'resend reports': { what: 'failed reports', may: [...OPERATORS, 'support'] },
  'seal with': { what: 'the key that seals', may: OWNERS },
  'set admin user': USERS,
  'add admin token': USERS,
  'remove admin token': USERS,
}

/** Throws an AdminProblem (403) that names what the role may not change. */
export function checkMayChange(actor: Actor, change: Change): void {
  if (change.kind === 'all') {
    for (const each of change.changes) checkMayChange(actor, each)
    return
  }
  const { what, may } = RULES[change.kind]
  if (may.includes(actor.role) || isOwnAccess(actor, change)) return
  throw new AdminProblem(403, `${actor.role} may not change ${what}; that is for ${may.join(', ')}`)
}

/** A user changes the own password and codes, and gives back the own token; endpoints/session.ts leaves role and state alone. */
function isOwnAccess({ name }: Actor, change: SingleChange): boolean {
  if (change.kind === 'set admin user') return change.user.name === name
  return change.kind === 'remove admin token' && change.user === name
}
