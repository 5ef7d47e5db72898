/** What a change does, for the audit log: what it is about, how that was and how it is. It tells no secret. */

import type { AdminUser } from '../../domain/admin-user.ts'
import { keyIdOf } from '../../domain/api-key.ts'
import { type AuditEntry, subjectOfKey } from '../../domain/audit.ts'
import { describeCost } from '../../domain/cost.ts'
import type { DirectoryRows } from '../../domain/directory.ts'
import { type Micros, toDecimal } from '../../domain/money.ts'
import { readOperators } from '../../domain/operator-table.ts'
import { describePrice } from '../../domain/price.ts'
import type { NewApiKey } from '../../ports/account-change.ts'
import type { Change } from '../../ports/setup-store.ts'
import { hideSecrets } from './kept-secrets.ts'

export type ChangeFacts = Pick<AuditEntry, 'subject' | 'before' | 'after'>

/** `rows` are the directory before it. */
export function describeChange(change: Change, rows: DirectoryRows): readonly ChangeFacts[] {
  switch (change.kind) {
    case 'create account': {
      const { name, currency, state, settings } = change.account
      return [fact(`account ${JSON.stringify(name)}`, null, { name, currency, state, ...settings })]
    }
    case 'set hook secrets': {
      const before = rows.accounts.find(({ id }) => id === change.accountId)?.hookSecrets.length
      return [
        fact(
          `account ${change.accountId}`,
          { hookSecrets: before },
          { hookSecrets: change.hookSecrets.length, changed: true },
        ),
      ]
    }
    case 'add key': {
      const { replaces } = change
      const old = rows.keys.find(({ hash }) => hash === replaces?.hash)
      const added = fact(keySubject(change.key), null, keyFacts(change.key))
      if (old === undefined || replaces === undefined) return [added]
      return [added, fact(keySubject(old), keyFacts(old), { ...keyFacts(old), expiresAt: replaces.expiresAt })]
    }
    case 'remove keys':
      return rows.keys
        .filter(({ hash }) => change.hashes.includes(hash))
        .map((key) => fact(keySubject(key), keyFacts(key), null))
    case 'set sender': {
      const { accountId, channel, name, ...after } = change.sender
      const before = rows.senders.find(
        (each) => each.accountId === accountId && each.channel === channel && each.name === name,
      )
      return [fact(`sender ${name} of account ${accountId} for ${channel}`, before ?? null, after)]
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
      const deed = change.kind === 'top up' ? 'topUp' : 'correction'
      const note = change.note === undefined ? {} : { note: change.note }
      return [fact(`money of account ${change.accountId}`, null, { [deed]: toDecimal(change.amountMicros), ...note })]
    }
    case 'set credit limit': {
      const before = rows.accounts.find(({ id }) => id === change.accountId)?.creditLimitMicros
      const limit = (micros: Micros | undefined) => ({ creditLimit: micros === undefined ? null : toDecimal(micros) })
      return [fact(`money of account ${change.accountId}`, limit(before), limit(change.creditLimitMicros))]
    }
    case 'resume hook':
      return [fact(`hook of account ${change.hook.accountId}`, { stopped: true }, { stopped: false })]
    case 'resend reports': {
      const { messageId, accountId, address, pending } = change
      return [fact('failed reports', null, { resent: { messageId, accountId, address, pending } })]
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
      const after = { ...viewUser({ ...before, passwordHash, totpSecret }), secretsChanged: true }
      return [fact(`user ${user}`, viewUser(before), { ...after, tokensEnded: ended.map(({ label }) => label) })]
    }
    case 'prove session':
      return [fact(`token ${change.label} of user ${change.user}`, null, { proved: true })]
    case 'note failed login': {
      const subject = change.user === null ? 'login of an unknown user' : `login of user ${change.user}`
      return [fact(subject, null, { failed: true, address: change.address })]
    }
    case 'count login':
    case 'settle login':
      return []
    case 'open session':
    case 'add admin token': {
      const { user, label, expiresAt } = change.token
      return [fact(`token ${label} of user ${user}`, null, { label, expiresAt })]
    }
    case 'remove admin token':
      return [fact(`token ${change.label} of user ${change.user}`, { label: change.label }, null)]
    case 'change opt-outs':
      return change.changes.map(({ kind, optOut: { accountId, sender } }) => {
        const whose = sender === null ? 'every sender' : `sender ${sender}`
        return fact(`opt-out from ${whose} of account ${accountId}`, null, { deed: kind })
      })
    case 'note forgotten phone': {
      const { phoneHash, messages, replies, optOuts } = change
      return [fact(`phone ${phoneHash}`, null, { forgotten: { messages, replies, optOuts } })]
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
          before === undefined ? null : { state: before.state, until: before.until },
          { state, until },
        ),
      ]
    }
    case 'all':
      return change.changes.flatMap((each) => describeChange(each, rows))
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
      const before = { ...account?.settings, name: account?.name, state: account?.state }
      return fact(`account ${accountId}`, ...differenceOf(before, { ...before, ...settings, ...rest }))
    }
    case 'set carrier': {
      const before = rows.carriers.find(({ id }) => id === change.carrier.id)
      return fact(`carrier ${change.carrier.id}`, before === undefined ? null : hidden(before), hidden(change.carrier))
    }
    case 'set draining': {
      const before = rows.carriers.find(({ id }) => id === change.carrierId)?.draining
      return fact(`carrier ${change.carrierId}`, { draining: before }, { draining: change.draining })
    }
    case 'remove carrier': {
      const before = rows.carriers.find(({ id }) => id === change.carrierId)
      return fact(`carrier ${change.carrierId}`, before === undefined ? null : hidden(before), null)
    }
    case 'set route':
    case 'remove route': {
      const { channel, prefix, carrierId, accountId, sender } = change.route
      const before = rows.routes.find(
        (each) =>
          each.channel === channel &&
          each.prefix === prefix &&
          each.carrierId === carrierId &&
          each.accountId === accountId &&
          each.sender === sender,
      )
      return fact(
        `route ${channel} ${prefix} to ${carrierId}`,
        before ?? null,
        change.kind === 'set route' ? change.route : null,
      )
    }
    case 'set cost':
    case 'remove cost': {
      const name = describeCost(change.cost)
      const before = rows.costs.find((each) => describeCost(each) === name)
      return fact(`cost of ${name}`, before ?? null, change.kind === 'set cost' ? change.cost : null)
    }
    case 'set pool': {
      const { id, codeDigits, numbers } = change.pool
      const before = rows.pools.find((each) => each.id === id)
      const was = before === undefined ? null : { codeDigits: before.codeDigits, numbers: before.numbers.length }
      return fact(`pool ${id}`, was, { codeDigits, numbers: numbers.length })
    }
    case 'remove pool':
      return fact(`pool ${change.poolId}`, { id: change.poolId }, null)
    case 'set price':
    case 'remove price': {
      const name = describePrice(change.price)
      const before = rows.prices.find((each) => each.from === change.price.from && describePrice(each) === name)
      return fact(`price of ${name}`, before ?? null, change.kind === 'set price' ? change.price : null)
    }
    case 'set tariff': {
      const { accountId, currency, prices } = change
      const before = rows.prices.filter((each) => each.accountId === accountId && each.currency === currency)
      const whose = accountId === null ? 'general tariff' : `tariff of account ${accountId}`
      return fact(`${whose} in ${currency}`, { prices: before.length }, { prices: prices.length })
    }
    case 'set guard settings':
      return fact('guards', ...differenceOf(rows.guardSettings, change.settings))
    case 'list number':
    case 'unlist number': {
      const { list, whole, digits } = change.number
      const entry = rows.listedNumbers.find(
        (each) => each.list === list && each.whole === whole && each.digits === digits,
      )
      const before = entry === undefined ? null : { note: entry.note }
      // A whole number is a person's, and the log is for ever.
      const subject = `${list} list: ${whole ? 'a phone' : `numbers that begin with ${digits.slice(0, 8)}`}`
      return fact(subject, before, change.kind === 'list number' ? { note: change.number.note } : null)
    }
    case 'set operators':
      return fact('operators', countOf(rows.operators), countOf(change.operators))
  }
}

function keySubject(key: NewApiKey): string {
  return subjectOfKey(keyIdOf(key), key.accountId)
}

function keyFacts({ name, scopes, test, expiresAt }: NewApiKey): object {
  return { name, scopes, test, expiresAt }
}

function viewUser({ role, state, passwordHash, totpSecret }: AdminUser): object {
  return { role, state, password: passwordHash !== null, codes: totpSecret !== null }
}

function fact(subject: string, before: unknown, after: unknown): ChangeFacts {
  return { subject, before, after }
}

function hidden({ settings, ...carrier }: { readonly settings: unknown }): object {
  return { ...carrier, settings: hideSecrets(settings) }
}

function countOf(operators: string): object {
  return { prefixes: readOperators(operators).length }
}

/** What of two objects differs, on either side. */
function differenceOf(before: object, after: object): readonly [before: object, after: object] {
  const changed = (one: object, other: object) =>
    Object.fromEntries(
      Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Object(other)[name])),
    )
  return [changed(before, after), changed(after, before)]
}
