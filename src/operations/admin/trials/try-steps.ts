/** Tries the steps of a message with the rules of a real one: nothing is sent, charged or counted. */
import { LOOKUP_MAX_AGE } from '../../../contract/operations/lookup-fields.ts'
import { REQUEST_ERRORS } from '../../../contract/request/error-texts.ts'
import { ItemRefused } from '../../../contract/request/refused.ts'
import { KEY_SCOPES, type KeyInUse } from '../../../domain/accounts/api-key.ts'
import { type Channel, carriesTexts } from '../../../domain/channels/channel.ts'
import type { Access } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { REDACTED, type Step } from '../../../domain/message/message.ts'
import { NO_MONEY } from '../../../domain/money/money.ts'
import type { RatedNumber } from '../../../domain/money/rate.ts'
import { countryOf } from '../../../domain/numbers/country.ts'
import { factsByPrefix, type NumberFacts } from '../../../domain/numbers/number-facts.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { ExplainRouting, Routing } from '../../../ports/carriers/routing.ts'
import { internalKey } from '../../request/internal-key.ts'
import { openScope } from '../../request/open-scope.ts'
import type { OperationTools } from '../../request/operation-tools.ts'
import type { Scope } from '../../request/planned.ts'
import { planCallStep } from '../../send/plan-call.ts'
import { checkSenders, priceStep } from '../../send/read-send.ts'
import { makeMessage } from '../../send/send.ts'
import type { LiveGateway } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'

/** Of messages that are only tried. The first of equal routes is theirs. */
const NO_ID = 0 as MessageId

export interface AskedTrial {
  readonly channel: Channel
  /** Null for none: no sender is checked, and routes for single senders do not apply. */
  readonly sender: string | null
  readonly text: string
}

export interface TriedStep {
  readonly channel: Channel
  readonly sender: string | null
  /** Why a request with it would be refused; null if it would not. */
  readonly refused: string | null
  /** Null if it is refused before it is counted and priced. */
  readonly step: Step | null
  readonly routing: Routing
}

/** What is known of the phone, and from where. */
export interface TriedNumber extends RatedNumber {
  readonly facts: NumberFacts
  readonly source: 'lookup service' | 'prefix table' | null
}

export interface TrialOptions {
  readonly account: number
  readonly test: boolean
  readonly now: number
  /** For what keeps who made it; an unnamed operator if absent. */
  readonly by?: Pick<KeyInUse, 'name' | 'usedBy'>
}

/** Throws UnknownThing without such an account. */
export function openTrial({ operations }: LiveGateway, options: TrialOptions): Scope {
  return openScope(operations, { ...accessAs(operations, options), now: options.now, newId: () => NO_ID })
}

/** Returns the access of a key for everything that the account may do. Throws UnknownThing without such an account. */
export function accessAs(
  operations: OperationTools,
  { account: id, test, now, by = { name: 'operator', usedBy: 'operator' } }: TrialOptions,
): Access {
  const account = operations.directory().account(toAccountId(id))
  if (account === null) throw new UnknownThing(`there is no account ${id}`)
  const rights = { ...by, accountId: account.id, scopes: KEY_SCOPES, test, createdAt: now }
  return { account, key: internalKey(rights), networks: null }
}

/** Asks no lookup service: uses answers that one has given, if the account looks numbers up. */
export function findNumber({ account, key, lookup, numbers }: Scope, phone: Phone): TriedNumber {
  const operator = lookup.operatorOf(phone)
  const question = { phone, operator, accountId: account.id, maxAgeMs: LOOKUP_MAX_AGE * 1_000, withinMs: 0 }
  const looksUp = account.settings.lookUpNumbers && !key.test && numbers.serves(question)
  const known = looksUp ? numbers.known(question) : null
  if (known !== null && known.facts.operator !== null) {
    const facts = { ...known.facts, country: known.facts.country ?? countryOf(phone) }
    return { phone, operator: facts.operator, facts, source: 'lookup service' }
  }
  return { phone, operator, facts: factsByPrefix(phone, operator), source: operator === null ? null : 'prefix table' }
}

export function tryStep(scope: Scope, number: RatedNumber, asked: AskedTrial, explain: ExplainRouting): TriedStep {
  const { channel, sender } = asked
  const refusals: string[] = []
  if (carriesTexts(channel) && sender !== null) {
    attemptTo(refusals, () => checkSenders(scope, [{ channel, sender }], number.phone))
  }
  const step = attemptTo(refusals, () => makeStep(scope, number, asked))
  const routing = explainStep(scope, number, step ?? bareStep(asked), explain)
  return { channel, sender: sender === '' ? null : sender, refused: refusals[0] ?? null, step, routing }
}

/** Explains the routes of a step that is planned already. */
export function explainStep(scope: Scope, { phone, operator }: RatedNumber, step: Step, explain: ExplainRouting) {
  return explain(makeMessage(scope, { clientId: null, phone, operator, plan: [step], hook: null }))
}

/** Throws ItemRefused. */
function makeStep(scope: Scope, number: RatedNumber, { channel, sender, text }: AskedTrial): Step {
  const { limits } = scope.tools
  if (channel !== 'call') {
    const lifetimeSeconds = limits.lifetimeDefaultSeconds
    return priceStep(scope, number, { channel, sender: sender ?? '', content: { kind: 'text', text }, lifetimeSeconds })
  }
  const planned = planCallStep(scope, number, limits.callLifetimeSeconds)
  if (planned === null) throw new ItemRefused(REQUEST_ERRORS.operatorNotSupported)
  return planned.step
}

/** A step that cannot be priced still has routes. */
function bareStep({ channel, sender }: AskedTrial): Step {
  return { channel, sender: sender ?? '', content: REDACTED, lifetimeSeconds: 0, priceMicros: NO_MONEY, parts: 1 }
}

/** Notes the reason if it is refused. */
function attemptTo<T>(refusals: string[], work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    refusals.push(error.message)
    return null
  }
}
