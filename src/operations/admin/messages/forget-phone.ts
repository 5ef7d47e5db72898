/** Erases the personal data of a phone number. The audit log records it by a keyed hash, never by the number. */
import Type from 'typebox'
import type { Forgotten } from '../../../ports/records/forgetting.ts'
import { ChangeRefused, StoreError } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { UpkeepStore } from '../../../ports/stores/upkeep-store.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { readRecipientField } from '../fields/field-refused.ts'
import { OPERATORS, RECIPIENT, whole } from '../fields/shapes.ts'

export const PRIVACY_CHANGES = {
  'note forgotten phone': {
    what: 'stored data of recipients',
    may: OPERATORS,
    audit: ({ phoneHash, messages, replies, optOuts }) =>
      entry(`phone ${phoneHash}`, null, { forgotten: { messages, replies, opt_outs: optOuts } }),
  },
} satisfies Changes

export const PRIVACY_ENDPOINTS = [
  endpoint({
    name: 'forgetPhone',
    method: 'POST',
    path: '/forgotten-phones',
    ownCommand: 'forget',
    summary: 'erase the personal data of a phone number; statuses and amounts of its messages stay',
    may: OPERATORS,
    body: { phone: RECIPIENT },
    result: Type.Object({
      phone_hash: Type.String({ description: 'keyed hash, as in the audit log' }),
      messages: whole({ description: 'forgotten' }),
      replies: whole({ description: 'deleted inbound messages' }),
      opt_outs: whole({ description: 'opt-outs that stay in force without the number' }),
      leftovers: Type.Enum(['none', 'room', 'log', 'server'], {
        description:
          'where bytes of the phone may remain: nowhere; in free space of the database file, which is overwritten ' +
          'when this is repeated while no gateway runs; in the log of a busy database: repeat it; or in files of a ' +
          'PostgreSQL server, until VACUUM and its log have overwritten them',
      }),
    }),
    run: async ({ store, clock, live }, { phone }) => {
      live?.lookups.forget(readRecipientField(phone))
      const { phoneHash, messages, replies, optOuts, leftovers } = await forgetPhone(store, phone, clock.now())
      return { phone_hash: phoneHash, messages, replies, opt_outs: optOuts, leftovers }
    },
  }),
]

type Done = Extract<Forgotten, { kind: 'forgotten' }>

/**
 * Throws ChangeRefused naming the obstacle; nothing is changed then, unless the obstacle arose or the store failed in
 * between: what is erased stays erased, and a repeat continues.
 */
export async function forgetPhone(store: SetupStore & UpkeepStore, text: string, now: number): Promise<Done> {
  const forgotten = await store.forget(readRecipientField(text), now).catch((error: Error) => {
    if (!(error instanceof StoreError)) throw error
    throw new AdminProblem(503, 'the store failed before all data was erased: run it again to continue')
  })
  if (forgotten.kind === 'in the way') {
    throw new ChangeRefused(`the phone cannot be erased yet: ${obstaclesIn(forgotten).join('; ')}`)
  }
  const { phoneHash, messages, replies, optOuts } = forgotten
  await store.change({ kind: 'note forgotten phone', phoneHash, messages, replies, optOuts })
  return forgotten
}

/** Where reports wait, inbound messages too. */
const PLACE = 'its hook, or in the event feed until event/list acknowledges it'

function obstaclesIn({ openMessages: open, pendingReports: pending, listed }: Exclude<Forgotten, Done>) {
  return [
    ...(open > 0 ? [open === 1 ? '1 message to it has not ended' : `${open} messages to it have not ended`] : []),
    ...(pending > 0 ? [pending === 1 ? `1 report waits for ${PLACE}` : `${pending} reports wait for ${PLACE}`] : []),
    ...(listed > 0 ? ['it is on the deny or allow list; remove it there with posthorn number remove'] : []),
  ]
}
