/** Adds and removes opt-outs by hand. */
import type { OptOut } from '../../../domain/consent/opt-out.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { DeliveryStore } from '../../../ports/stores/delivery-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { accountRow } from '../fields/account-row.ts'
import { FieldRefused, readPhoneField } from '../fields/field-refused.ts'
import { OPERATORS } from '../fields/shapes.ts'

export const OPT_OUT_CHANGES = {
  'change opt-outs': {
    ...{ what: 'opt-outs', may: [...OPERATORS, 'support'] },
    accounts: ({ changes }) => changes.map(({ optOut }) => optOut.accountId),
    audit: ({ changes }) =>
      changes.map(({ kind, optOut: { accountId, sender } }) => {
        const whose = sender === null ? 'every sender' : `sender ${sender}`
        return entry(`opt-out from ${whose} of account ${accountId}`, null, { action: kind })
      }),
  },
} satisfies Changes

export interface OptOutInput {
  readonly account: number
  readonly phone: string
  /** Sender name of the account; null for all. */
  readonly sender: string | null
}

/** Keywords of the recipient cannot undo it. Throws ChangeRefused. */
export async function addOptOut(store: DeliveryStore & SetupStore, clock: Clock, input: OptOutInput): Promise<OptOut> {
  const optOut: OptOut = { ...(await readInput(store, input)), by: 'hand', at: clock.now() }
  await store.change({ kind: 'change opt-outs', changes: [{ kind: 'add', optOut }] })
  return optOut
}

/** Removes the opt-out, whatever its origin. Throws ChangeRefused if there is none. */
export async function removeOptOut(store: DeliveryStore & SetupStore, input: OptOutInput): Promise<void> {
  const { accountId, phone, sender } = await readInput(store, input)
  const known = await store.findOptOuts([{ accountId, phone }])
  if (!known.some((optOut) => optOut.sender === sender)) throw new ChangeRefused('there is no such opt-out')
  const optOut = { accountId, phone, sender, by: 'hand' } as const
  await store.change({ kind: 'change opt-outs', changes: [{ kind: 'remove', optOut }] })
}

async function readInput(
  store: DeliveryStore & SetupStore,
  input: OptOutInput,
): Promise<Pick<OptOut, 'accountId' | 'phone' | 'sender'>> {
  const rows = await store.loadDirectory()
  const accountId: AccountId = accountRow(rows, toAccountId(input.account)).id
  const phone = readPhoneField(input.phone)
  const { sender } = input
  if (sender !== null && !rows.senders.some((each) => each.accountId === accountId && each.name === sender)) {
    throw new FieldRefused('sender', `must be a sender name of account ${accountId}, or null for all`)
  }
  return { accountId, phone, sender }
}
