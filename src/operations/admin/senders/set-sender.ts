/** Requests, approves or rejects a sender name of an account. */
import { isSenderName, SENDER_MAX_CHARACTERS } from '../../../contract/fields/sender-name.ts'
import { approvedSender, type Sender } from '../../../domain/accounts/sender.ts'
import { descriptorOf, type MessageChannel } from '../../../domain/channels/channel.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { isCountry } from '../../../domain/numbers/country.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { accountRow } from '../fields/account-row.ts'
import { OPERATORS } from '../fields/shapes.ts'

/** Of an account, by its users. */
const MAX_SENDERS = 200

export const SENDER_CHANGES = {
  'set sender': {
    ...{ what: 'senders', may: OPERATORS },
    accounts: ({ sender }) => [sender.accountId],
    refuseMore: ({ sender }, { senders }) => {
      const own = senders.filter(({ accountId }) => accountId === sender.accountId)
      const isThere = own.some(({ channel, name }) => channel === sender.channel && name === sender.name)
      return isThere || own.length < MAX_SENDERS
        ? null
        : `the account has ${own.length} senders: ask the operator for more`
    },
    audit: ({ sender }, rows) => {
      const { accountId, channel, name } = sender
      const before = findSender(rows, sender)
      const shown = ({ state, reason, countries, ids }: Sender) => ({ state, reason, countries, ids })
      const subject = `sender ${name} of account ${accountId} for ${channel}`
      return entry(subject, before === undefined ? null : shown(before), shown(sender))
    },
  },
} satisfies Changes

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
  const before = findSender(rows, input)
  const known = before ?? approvedSender(accountId, channel, name)
  const { countries = known.countries, ids = known.ids } = input
  const sender: Sender = { ...known, state, reason: reason ?? null, countries, ids }
  await store.change({ kind: 'set sender', sender })
  return sender
}

function findSender({ senders }: DirectoryRows, { accountId, channel, name }: SenderInput): Sender | undefined {
  return senders.find((each) => each.accountId === accountId && each.channel === channel && each.name === name)
}

function rule(channel: MessageChannel): string {
  return descriptorOf(channel).sender === 'number or name'
    ? `${channel} takes 3 to 11 characters of the GSM alphabet or 3 to 15 digits`
    : `${channel} takes 1 to ${SENDER_MAX_CHARACTERS} characters`
}
