/** Lets an account send under a name. */
import { isSenderName, SENDER_MOST_CHARACTERS } from '../../contract/sender-name.ts'
import type { AccountId } from '../../domain/account.ts'
import type { MessageChannel } from '../../domain/channel.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'

export interface SenderApproval {
  readonly accountId: AccountId
  readonly channel: MessageChannel
  readonly name: string
}

/** Approving what is approved changes nothing. Throws a ChangeRefused. */
export async function approveSender(store: Store, { accountId, channel, name }: SenderApproval): Promise<void> {
  if (!isSenderName(channel, name))
    throw new ChangeRefused(`${JSON.stringify(name)} cannot be a sender: ${rule(channel)}`)
  await store.change({ kind: 'set sender', sender: { accountId, channel, name, approved: true } })
}

function rule(channel: MessageChannel): string {
  return channel === 'sms'
    ? 'sms takes 3 to 11 characters of the GSM alphabet or 3 to 15 digits'
    : `${channel} takes 1 to ${SENDER_MOST_CHARACTERS} characters`
}
