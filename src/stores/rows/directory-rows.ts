/**
 * What operators set up, as it is written; `directory-tables.ts` is how it is read. Where something may be missing in a key,
 * its column has a zero or an empty text.
 */
import type { AdminToken, AdminUser } from '../../domain/admin-user.ts'
import type { Cost, CostKey } from '../../domain/cost.ts'
import type { ListedNumber } from '../../domain/number-list.ts'
import type { Price, PriceKey } from '../../domain/price.ts'
import type { NumberPool, Route, RouteKey } from '../../domain/route.ts'
import type { Sender } from '../../domain/sender.ts'
import type { ChatTemplate } from '../../domain/template.ts'
import type { TrafficAlarm } from '../../domain/traffic-alarm.ts'
import type { NewApiKey } from '../../ports/account-change.ts'
import type { Row } from './cell.ts'

export function toKeyRow({ hash, accountId, name, createdAt, scopes, test, expiresAt }: NewApiKey): Row {
  return {
    hash,
    account_id: accountId,
    name,
    created_at: createdAt,
    scopes: JSON.stringify(scopes),
    test: Number(test),
    expires_at: expiresAt,
  }
}

export function routeKey({ channel, prefix, carrierId, accountId, sender }: RouteKey): Row {
  return { channel, prefix, carrier_id: carrierId, account_id: accountId ?? 0, sender: sender ?? '' }
}

export function toRouteRow(route: Route): Row {
  const { operators, priority, weight, poolId, ringSeconds = null } = route
  const list = operators === null ? null : JSON.stringify(operators)
  return { ...routeKey(route), operators: list, priority, weight, pool_id: poolId, ring_seconds: ringSeconds }
}

export function costKey({ carrierId, category, prefix, operator }: CostKey): Row {
  return { carrier_id: carrierId, category: category ?? '', prefix, operator: operator ?? '' }
}

export function toCostRow(cost: Cost): Row {
  return { ...costKey(cost), price_micros: cost.priceMicros, currency: cost.currency }
}

/** In the order of the table's primary key. */
export function priceKey({ accountId, currency, channel, prefix, operator, from }: PriceKey): Row {
  return { account_id: accountId ?? 0, currency, channel, prefix, operator: operator ?? '', valid_from: from ?? 0 }
}

/** In the order of the columns that are read. */
export function toPriceRow(price: Price): Row {
  return { ...priceKey(price), valid_until: price.until, price_micros: price.priceMicros }
}

export function numberKey({ list, digits, whole }: Omit<ListedNumber, 'note'>): Row {
  return { list, digits, whole: Number(whole) }
}

export function toNumberRow(number: ListedNumber): Row {
  return { ...numberKey(number), note: number.note }
}

export function toPoolRow({ id, numbers, codeDigits }: NumberPool): Row {
  return { pool_id: id, numbers: JSON.stringify(numbers), code_digits: codeDigits }
}

export function toAlarmRow({ accountId, kind, prefix, raisedAt, seen, usual, state, until }: TrafficAlarm): Row {
  return { account_id: accountId ?? 0, kind, prefix, raised_at: raisedAt, seen, usual, state, until }
}

export function toSenderRow({ accountId, channel, name, ...details }: Sender): Row {
  const approved = Number(details.state === 'approved')
  return { account_id: accountId, channel, name, approved, details: JSON.stringify(details) }
}

export function toTemplateRow({ id, accountId, template, signature, status, carrierId }: ChatTemplate): Row {
  return { template_id: id, account_id: accountId, template, signature, status, carrier_id: carrierId ?? null }
}

export function toUserRow({ name, role, state, passwordHash, totpSecret }: AdminUser): Row {
  return { name, role, state, password_hash: passwordHash, totp_secret: totpSecret }
}

export function toTokenRow({ hash, user, label, createdAt, expiresAt, provedAt }: AdminToken): Row {
  return { hash, user, label, created_at: createdAt, expires_at: expiresAt, proved_at: provedAt }
}
