/** Describes a change for the audit log: its subject, the values before and after. Contains no secrets. */

import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import { keyIdOf } from '../../../domain/accounts/api-key.ts'
import { type AuditEntry, hideInAddresses, subjectOfKey } from '../../../domain/accounts/audit.ts'
import type { Sender } from '../../../domain/accounts/sender.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type Micros, toDecimal } from '../../../domain/money/money.ts'
import { readOperators } from '../../../domain/numbers/operator-table.ts'
import type { NewApiKey } from '../../../ports/changes/account-change.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import { ACCOUNT_SETTINGS } from '../accounts/account-settings.ts'
import { ALARM_RULE } from '../alarms/alarm-rule.ts'
import { NOTIFICATION_TARGET } from '../alarms/notification-target.ts'
import { CARRIER_SETUP } from '../carriers/carrier.ts'
import { COST } from '../costs/cost.ts'
import { findSame, type Resource } from '../endpoint/resource.ts'
import { viewOf } from '../fields/fields.ts'
import { writeTime } from '../fields/shapes.ts'
import { GUARDS, LISTED_NUMBER } from '../guards/guard.ts'
import { INBOUND_NUMBER } from '../inbound-numbers/inbound-number.ts'
import { POOL } from '../pools/pool.ts'
import { PRICE } from '../prices/price.ts'
import { ROUTE } from '../routes/route.ts'

export type ChangeFacts = Pick<AuditEntry, 'subject' | 'before' | 'after'>

/** Describes many changes in slices. `rows` are the directory before them. */
export async function describeChanges(change: Change, rows: DirectoryRows): Promise<readonly ChangeFacts[]> {
  if (change.kind !== 'all') return describeChange(change, rows)
  return (await mapInSlices(change.changes, (each) => describeChange(each, rows))).flat()
}

function describeChange(change: Exclude<Change, ChangeOf<'all'>>, rows: DirectoryRows): readonly ChangeFacts[] {
  switch (change.kind) {
    case 'create account': {
      const { name, currency, state, settings } = change.account
      return [
        fact(`account ${JSON.stringify(name)}`, null, { name, currency, state, ...viewOf(ACCOUNT_SETTINGS, settings) }),
      ]
    }
    case 'set hook secrets': {
      const before = rows.accounts.find(({ id }) => id === change.accountId)?.hookSecrets.length
      return [
        fact(
          `account ${change.accountId}`,
          { hook_secrets: before },
          { hook_secrets: change.hookSecrets.length, changed: true },
        ),
      ]
    }
    case 'add key': {
      const { replaces } = change
      const old = rows.keys.find(({ hash }) => hash === replaces?.hash)
      const added = fact(keySubject(change.key), null, keyFacts(change.key))
      if (old === undefined || replaces === undefined) return [added]
      return [added, fact(keySubject(old), keyFacts(old), keyFacts({ ...old, expiresAt: replaces.expiresAt }))]
    }
    case 'set key scopes':
      return rows.keys
        .filter(({ hash }) => change.hashes.includes(hash))
        .map((key) => fact(keySubject(key), keyFacts(key), keyFacts({ ...key, scopes: change.scopes })))
    case 'remove keys':
      return rows.keys
        .filter(({ hash }) => change.hashes.includes(hash))
        .map((key) => fact(keySubject(key), keyFacts(key), null))
    case 'set sender': {
      const { accountId, channel, name } = change.sender
      const before = rows.senders.find(
        (each) => each.accountId === accountId && each.channel === channel && each.name === name,
      )
      const shown = ({ state, reason, countries, ids }: Sender) => ({ state, reason, countries, ids })
      return [
        fact(
          `sender ${name} of account ${accountId} for ${channel}`,
          before === undefined ? null : shown(before),
          shown(change.sender),
        ),
      ]
    }
    case 'set chat template': {
      const { id, accountId, signature, status } = change.template
      const before = rows.chatTemplates.find((each) => each.id === id)
      return [
        fact(`chat template ${id} of account ${accountId}`, before === undefined ? null : { status: before.status }, {
          signature,
          status,
        }),
      ]
    }
    case 'top up':
    case 'correct': {
      const kind = change.kind === 'top up' ? 'top_up' : 'correction'
      const note = change.note === undefined ? {} : { note: change.note }
      return [fact(`money of account ${change.accountId}`, null, { [kind]: toDecimal(change.amountMicros), ...note })]
    }
    case 'set credit limit': {
      const before = rows.accounts.find(({ id }) => id === change.accountId)?.creditLimitMicros
      const limit = (micros: Micros | undefined) => ({ credit_limit: micros === undefined ? null : toDecimal(micros) })
      return [fact(`money of account ${change.accountId}`, limit(before), limit(change.creditLimitMicros))]
    }
    case 'change hook': {
      // Operators delete hooks and test them, and make no other change of them.
      const { accountId, change: wanted } = change
      const id = wanted.kind === 'create' ? '' : ` ${wanted.id}`
      return [fact(`hook${id} of account ${accountId}`, null, { change: wanted.kind })]
    }
    case 'resume hook':
      return [fact(`hook of account ${change.hook.accountId}`, { stopped: true }, { stopped: false })]
    case 'try hook':
      return [fact(`hook of account ${change.hook.accountId}`, null, { tried: hideInAddresses(change.hook.hook) })]
    case 'resend reports': {
      const { messageId, accountId, address, since, until = null, pending, number } = change
      if (number !== undefined) return [fact(`report ${number} of message ${messageId}`, null, { resent: true })]
      const times = { since: writeTime(since), ...(until === null ? {} : { until: writeTime(until) }) }
      const filter = { message: messageId, account: accountId, address, ...times, pending }
      return [fact('failed reports', null, { resent: filter })]
    }
    case 'set admin user': {
      const before = rows.adminUsers.find((each) => each.name === change.user.name)
      return [fact(`user ${change.user.name}`, before === undefined ? null : viewUser(before), viewUser(change.user))]
    }
    case 'set admin secrets': {
      const before = rows.adminUsers.find((each) => each.name === change.user)
      if (before === undefined) return []
      const { user, passwordHash, totpSecret, keepToken } = change
      const ended = rows.adminTokens.filter((token) => token.user === user && token.label !== keepToken)
      const after = { ...viewUser({ ...before, passwordHash, totpSecret }), secrets_changed: true }
      return [fact(`user ${user}`, viewUser(before), { ...after, tokens_ended: ended.map(({ label }) => label) })]
    }
    case 'add passkey':
      return [
        fact(`passkey ${change.passkey.name} of user ${change.passkey.user}`, null, { name: change.passkey.name }),
      ]
    case 'rename passkey':
      return [fact(`passkey ${change.name} of user ${change.user}`, { name: change.name }, { name: change.newName })]
    case 'remove passkeys':
      return rows.passkeys
        .filter(({ user, name }) => user === change.user && (change.name === null || name === change.name))
        .map(({ user, name }) => fact(`passkey ${name} of user ${user}`, { name }, null))
    case 'prove session':
      return [fact(`token ${change.label} of user ${change.user}`, null, { proved: true })]
    case 'note failed login': {
      const subject = change.user === null ? 'login of an unknown user' : `login of user ${change.user}`
      return [fact(subject, null, { failed: true })]
    }
    case 'count login':
    case 'settle login':
    case 'use one-time token':
    case 'add challenge':
    case 'use passkey':
      return []
    case 'add sign-in link':
      return [fact(`sign-in link of user ${change.user}`, null, { expires_at: writeTime(change.expiresAt) })]
    case 'open session':
    case 'add admin token': {
      const { user, label, expiresAt } = change.token
      return [fact(`token ${label} of user ${user}`, null, { label, expires_at: writeTime(expiresAt) })]
    }
    case 'remove admin token':
      return [fact(`token ${change.label} of user ${change.user}`, { label: change.label }, null)]
    case 'change opt-outs':
      return change.changes.map(({ kind, optOut: { accountId, sender } }) => {
        const whose = sender === null ? 'every sender' : `sender ${sender}`
        return fact(`opt-out from ${whose} of account ${accountId}`, null, { action: kind })
      })
    case 'note forgotten phone': {
      const { phoneHash, messages, replies, optOuts } = change
      return [fact(`phone ${phoneHash}`, null, { forgotten: { messages, replies, opt_outs: optOuts } })]
    }
    case 'note bulk':
      return [fact(`bulk ${change.bulkId} of account ${change.accountId}`, null, { action: change.action })]
    case 'note queue': {
      const { accountId, messageId, action, messages, releasedMicros } = change
      const all = action === 'discard' ? 'the queue' : 'messages without a receipt'
      const what = `${messageId === null ? all : `message ${messageId}`} of account ${accountId}`
      return [fact(what, null, { action, messages, released: toDecimal(releasedMicros) })]
    }
    case 'note message':
    case 'note test message': {
      const { accountId, messageId, type, kind } = change
      return [fact(`message ${messageId} of account ${accountId}`, null, { sent: type, test: kind !== 'note message' })]
    }
    case 'seal with':
      return [fact('the key that seals', null, { key: change.keyId })]
    case 'set traffic alarm': {
      const { accountId, kind, prefix, state, until } = change.alarm
      const before = rows.trafficAlarms.find(
        (each) => each.accountId === accountId && each.kind === kind && each.prefix === prefix,
      )
      return [
        fact(
          `alarm of ${kind} to ${prefix}${accountId === null ? '' : ` of account ${accountId}`}`,
          before === undefined ? null : { state: before.state, until: writeTime(before.until) },
          { state, until: writeTime(until) },
        ),
      ]
    }
    case 'acknowledge alarm':
      return [fact(`alarm ${change.alarmId}`, null, { state: 'acknowledged' })]
    case 'resolve alarm':
      return [fact(`alarm ${change.alarmId}`, null, { state: 'resolved' })]
    case 'raise alarm':
    case 'clear alarm':
    case 'delete alarms':
    case 'settle notifications':
      return []
    default:
      return [describeRouting(change, rows)]
  }
}

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

type RoutingChange = ChangeOf<'all'>['changes'][number]

function describeRouting(change: RoutingChange | ChangeOf<'set account'>, rows: DirectoryRows): ChangeFacts {
  switch (change.kind) {
    case 'set account': {
      const { kind: _, accountId, settings, ...rest } = change
      const account = rows.accounts.find(({ id }) => id === accountId)
      const shown = (settings: object | undefined) => (settings === undefined ? {} : viewOf(ACCOUNT_SETTINGS, settings))
      const before = { ...shown(account?.settings), name: account?.name, state: account?.state }
      return fact(`account ${accountId}`, ...differenceOf(before, { ...before, ...shown(settings), ...rest }))
    }
    case 'set carrier':
      return itemFact(CARRIER_SETUP, change.carrier, { rows, isThereAfter: true })
    case 'set draining': {
      const before = rows.carriers.find(({ id }) => id === change.carrierId)?.draining
      return fact(`carrier ${change.carrierId}`, { draining: before }, { draining: change.draining })
    }
    case 'remove carrier':
      return itemFact(CARRIER_SETUP, { id: change.carrierId }, { rows, isThereAfter: false })
    case 'set route':
    case 'remove route':
      return itemFact(ROUTE, change.route, { rows, isThereAfter: change.kind === 'set route' })
    case 'set cost':
    case 'remove cost':
      return itemFact(COST, change.cost, { rows, isThereAfter: change.kind === 'set cost' })
    case 'set inbound number':
    case 'remove inbound number':
      return itemFact(INBOUND_NUMBER, change.number, { rows, isThereAfter: change.kind === 'set inbound number' })
    case 'set notification target':
      return itemFact(NOTIFICATION_TARGET, change.target, { rows, isThereAfter: true })
    case 'set alarm rule':
      return itemFact(ALARM_RULE, change.rule, { rows, isThereAfter: true })
    case 'remove alarm rule':
      return itemFact(ALARM_RULE, { kind: change.alarmKind }, { rows, isThereAfter: false })
    case 'remove notification target':
      return itemFact(NOTIFICATION_TARGET, { name: change.name }, { rows, isThereAfter: false })
    case 'set pool':
      return itemFact(POOL, change.pool, { rows, isThereAfter: true })
    case 'remove pool':
      return itemFact(POOL, { id: change.poolId }, { rows, isThereAfter: false })
    case 'set price':
    case 'remove price':
      return itemFact(PRICE, change.price, { rows, isThereAfter: change.kind === 'set price' })
    case 'set tariff': {
      const { accountId, currency, prices } = change
      const before = rows.prices.filter((each) => each.accountId === accountId && each.currency === currency)
      const whose = accountId === null ? 'general tariff' : `tariff of account ${accountId}`
      return fact(`${whose} in ${currency}`, { prices: before.length }, { prices: prices.length })
    }
    case 'set guard settings': {
      const [before, after] = [rows.guardSettings, change.settings].map((settings) => viewOf(GUARDS.fields, settings))
      return fact('guards', ...differenceOf(before ?? {}, after ?? {}))
    }
    case 'list number':
    case 'unlist number':
      return itemFact(LISTED_NUMBER, change.number, { rows, isThereAfter: change.kind === 'list number' })
    case 'set operators':
      return fact('operators', entriesIn(rows.operators, change.operators), entriesIn(change.operators, rows.operators))
  }
}

function keySubject(key: NewApiKey): string {
  return subjectOfKey(keyIdOf(key), key.accountId)
}

function keyFacts({ name, scopes, test, expiresAt }: NewApiKey): object {
  return { name, scopes, test, expires_at: writeTime(expiresAt) }
}

function viewUser({ role, accountId, state, passwordHash, totpSecret }: AdminUser): object {
  const account = accountId === null ? {} : { account: accountId }
  return { role, ...account, state, password: passwordHash !== null, codes: totpSecret !== null }
}

function fact(subject: string, before: unknown, after: unknown): ChangeFacts {
  return { subject, before: hideInAddresses(before), after: hideInAddresses(after) }
}

/** `item` is the item that is set; of a removed item, at least its key. */
function itemFact<T extends object>(
  resource: Resource<T>,
  item: Partial<T>,
  { rows, isThereAfter }: { readonly rows: DirectoryRows; readonly isThereAfter: boolean },
): ChangeFacts {
  const before = findSame(resource, item, rows)
  const { fields, subject = resource.describe, audited = (each: T) => viewOf(fields, each) } = resource
  const facts = {
    subject: subject(before ?? (item as T)),
    before: before === null ? null : audited(before),
    after: isThereAfter ? audited(item as T) : null,
  }
  // Carriers hide their secrets themselves, and the queries of their addresses are templates.
  return resource.isSecret === undefined ? fact(facts.subject, facts.before, facts.after) : facts
}

/** How many prefixes a table of operators has, and those that the other one has not, if they are few. */
function entriesIn(operators: string, other: string): object {
  const others = new Set(other.split('\n'))
  const own = operators.split('\n').filter((line) => !others.has(line))
  const entries =
    own.length === 0 || own.length > MAX_ENTRIES ? {} : { entries: own.map((line) => line.split('\t').join(',')) }
  return { prefixes: readOperators(operators).length, ...entries }
}

const MAX_ENTRIES = 20

/** Returns the entries that differ between the two objects. */
function differenceOf(before: object, after: object): readonly [before: object, after: object] {
  const changed = (one: object, other: object) =>
    Object.fromEntries(
      Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Object(other)[name])),
    )
  return [changed(before, after), changed(after, before)]
}
