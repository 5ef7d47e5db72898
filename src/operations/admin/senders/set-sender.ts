/** Requests, approves or rejects a sender name of an account. */
import { isSenderName, SENDER_MAX_CHARACTERS } from '../../../contract/fields/sender-name.ts'
import { approvedSender, type Sender } from '../../../domain/accounts/sender.ts'
import { descriptorOf, type MessageChannel } from '../../../domain/channels/channel.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { isCountry } from '../../../domain/numbers/country.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { accountRow } from '../fields/account-row.ts'

export interface SenderInput extends Partial<Pick<Sender, 'reason' | 'countries' | 'ids'>> {
  readonly accountId: AccountId
  readonly channel: MessageChannel
  readonly name: string
  readonly state: Sender['state']
}

/** Keeps fields that the input omits. Throws ChangeRefused. */
export async function setSender(store: SetupStore, input: SenderInput): Promise<Sender> {
  const { accountId, channel, name, state, reason } = input
  const rows = await store.loadDirectory()
  accountRow(rows, accountId)
  if (!isSenderName(channel, name)) {
    throw new ChangeRefused(`${JSON.stringify(name)} cannot be a sender: ${rule(channel)}`)
  }
  if (state === 'rejected' && (reason ?? '') === '') throw new ChangeRefused('a rejection needs a reason')
  const unknown = input.countries?.find((country) => !isCountry(country))
  if (unknown !== undefined || input.countries?.length === 0) {
    throw new ChangeRefused('countries must be ISO 3166 codes such as DE, or none for all countries')
  }
  const before = rows.senders.find((each) => {
    return each.accountId === accountId && each.channel === channel && each.name === name
  })
  const known = before ?? approvedSender(accountId, channel, name)
  const { countries = known.countries, ids = known.ids } = input
  const sender: Sender = { ...known, state, reason: reason ?? null, countries, ids }
  await store.change({ kind: 'set sender', sender })
  return sender
}

function rule(channel: MessageChannel): string {
  return descriptorOf(channel).sender === 'number or name'
    ? `${channel} takes 3 to 11 characters of the GSM alphabet or 3 to 15 digits`
    : `${channel} takes 1 to ${SENDER_MAX_CHARACTERS} characters`
}
