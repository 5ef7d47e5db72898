/** Rates, which prices and costs are: their validity as fields, and how one follows another. */
import Type from 'typebox'
import { findPrevious, type Rate, type RateKind } from '../../../domain/money/rate.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { checkItem, type Resource, setUpOf } from '../endpoint/resource.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { field, MOMENT } from '../fields/fields.ts'
import { nullable } from '../fields/shapes.ts'

export const VALIDITY = {
  from: field('from', momentField('first day or time (RFC 3339) of validity'), MOMENT),
  until: field('until', momentField('end of validity: the first day or time at which it is no longer valid'), MOMENT),
}

export function endPreviousField(what: RateKind<Rate>['what']) {
  return Type.Optional(Type.Boolean({ description: `end the ${what} that is valid when this one begins` }))
}

export interface SetRateOptions {
  /** Ends the rate for the same that is valid at the start of this one. Otherwise an overlapping one is refused. */
  readonly endPrevious?: boolean
}

/**
 * Replaces the rate with the same key and start. Returns the others, without the one that it ends. Throws
 * ChangeRefused.
 */
export async function setRate<T extends Rate>(
  { resource, kind }: { readonly resource: Resource<T>; readonly kind: RateKind<T> },
  store: SetupStore,
  rate: T,
  { endPrevious = false }: SetRateOptions = {},
): Promise<readonly T[]> {
  const rows = await store.loadDirectory()
  const checked = checkItem(
    resource,
    rate,
    setUpOf(rows, () => {}),
  )
  if (endPrevious && rate.from === null) throw new ChangeRefused('end_previous requires from')
  const rates = resource.items(rows)
  const previous = endPrevious ? findPrevious(kind, rates, checked) : undefined
  if (previous === undefined) {
    await store.change(resource.set(checked))
  } else {
    const changes = [{ ...previous, until: checked.from }, checked].map(resource.set)
    await store.change({ kind: 'all', revision: rows.revision, changes })
  }
  return rates.filter((each) => each !== previous)
}

/** Refuses a rate that is no longer valid: it would leave its numbers without one. */
export function checkNotEnded(what: RateKind<Rate>['what'], rate: Pick<Rate, 'until'>, now: number): void {
  if (!isPast(rate, now)) return
  throw new FieldRefused('until', `must be later than now; to remove a ${what}: posthorn ${what} remove`)
}

export function isPast({ until }: Pick<Rate, 'until'>, now: number): boolean {
  return until !== null && until <= now
}

/** Completes the description of a rate: ` from 2026-03-01`; empty without a beginning. */
export function describeStart({ from }: Pick<Rate, 'from'>): string {
  return from === null ? '' : ` from ${writeMoment(from)}`
}

function momentField(description: string) {
  return nullable(Type.String(), { default: null, description })
}
