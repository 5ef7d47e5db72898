/** Sender names: requested, approved or rejected, for all countries or some, with the data that carriers require. */
import { descriptorOf, type MessageChannel, type RoutedChannel, type SenderIdName } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { Country } from '../numbers/country.ts'

export interface Sender {
  readonly accountId: AccountId
  readonly channel: MessageChannel
  readonly name: string
  readonly state: 'requested' | 'approved' | 'rejected'
  /** Why it was rejected, or any note; null for none. */
  readonly reason: string | null
  /** Countries in which it may be used; null for all. */
  readonly countries: readonly Country[] | null
  readonly ids: SenderIds
}

/** Carriers' identifiers of the name. */
type SenderIds = Readonly<Partial<Record<SenderIdName, string>>>

/** Compared one by one: less work than to find one in a map, whose parts are out of the processor's cache. */
const FEW = 8

/** The approved senders of one account. */
export class ApprovedSenders {
  readonly #few: readonly Sender[]
  readonly #manyByName: ReadonlyMap<string, readonly Sender[]> | null

  constructor(senders: readonly Sender[]) {
    const isFew = senders.length <= FEW
    this.#few = isFew ? senders : []
    this.#manyByName = isFew ? null : Map.groupBy(senders, ({ name }) => name)
  }

  find(channel: MessageChannel, name: string): Sender | undefined {
    const named = this.#manyByName === null ? this.#few : (this.#manyByName.get(name) ?? [])
    return named.find((sender) => sender.channel === channel && sender.name === name)
  }
}

/** A sender name that may be used everywhere, the usual case. */
export function approvedSender(accountId: AccountId, channel: MessageChannel, name: string): Sender {
  return { accountId, channel, name, state: 'approved', reason: null, countries: null, ids: {} }
}

/** Returns whether the account has the name as an approved sender of the channel, for all countries or some. */
export function hasApprovedSender(
  senders: readonly Sender[],
  wanted: Pick<Sender, 'accountId' | 'channel' | 'name'>,
): boolean {
  const { accountId, channel, name } = wanted
  return senders.some((sender) => {
    return sender.accountId === accountId && sender.channel === channel && sender.name === name && isApproved(sender)
  })
}

function isApproved({ state }: Sender): boolean {
  return state === 'approved'
}

/** Returns the carrier with the ids of approved senders in its settings; its own settings for a sender win. */
export function withSenderIds<
  C extends { readonly kind: string; readonly channel: RoutedChannel; readonly settings: unknown },
>(carrier: C, senders: readonly Sender[]): C {
  if (carrier.channel === 'lookup') return carrier
  const { senderIds } = descriptorOf(carrier.channel)
  const { id, place } = senderIds.find((each) => each.place?.kind === carrier.kind) ?? {}
  if (id === undefined || place === undefined) return carrier
  const ours = senders.filter(({ channel, state }) => channel === carrier.channel && state === 'approved')
  const named = ours.flatMap(({ name, ids }): [string, string | number][] => {
    const value = ids[id as SenderIdName]
    return value === undefined ? [] : [[name, place.isNumber === true ? Number(value) : value]]
  })
  if (named.length === 0) return carrier
  const settings = Object(carrier.settings) as Readonly<Record<string, unknown>>
  return {
    ...carrier,
    settings: { ...settings, [place.setting]: { ...Object.fromEntries(named), ...Object(settings[place.setting]) } },
  }
}
