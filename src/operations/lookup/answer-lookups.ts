/**
 * Asks lookup services all questions of a request at once, before anything of it is written. What the account cannot
 * pay is not asked; what is answered is charged when the request is written.
 */
import { writeItemError } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import type { LookupInquiry, Planned, Scope } from '../request/planned.ts'

export async function answerLookups(
  scope: Scope,
  inquiries: readonly LookupInquiry[],
): Promise<ReadonlyMap<LookupInquiry, Planned>> {
  const spendable = await spendableOf(scope, inquiries)
  let spent = 0
  const answers = inquiries.map(async (inquiry): Promise<readonly [LookupInquiry, Planned]> => {
    spent += inquiry.priceMicros
    if (spent > spendable) return [inquiry, fail(inquiry, ITEM_ERRORS.insufficientFunds)]
    const answer = await scope.numbers.ask(inquiry.question)
    return [inquiry, answer === null ? fail(inquiry, ITEM_ERRORS.lookupFailed) : inquiry.conclude(answer)]
  })
  return new Map(await Promise.all(answers))
}

/** Nothing is read for lookups that are free. */
async function spendableOf(scope: Scope, inquiries: readonly LookupInquiry[]): Promise<number> {
  return inquiries.every(({ priceMicros }) => priceMicros === 0) ? 0 : spendableMicros(scope)
}

/** Rejects with StoreError. Credit included. */
export async function spendableMicros({ account, tools }: Scope): Promise<number> {
  const balances = await tools.store.balancesOf(account.id)
  return (balances?.available ?? 0) + account.creditLimitMicros
}

function fail({ id }: LookupInquiry, error: string): Planned {
  return { draft: { kind: 'written', text: writeItemError(id, error) }, item: null }
}
