/**
 * Sender names: requested, approved or rejected, for all countries or some, with the data that carriers require. A
 * pool is a name behind which an account has several others: each recipient always gets the same of them.
 */
import { descriptorOf, type MessageChannel, type RoutedChannel, type SenderIdName } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import { type Country, countryOf } from '../numbers/country.ts'
import { formsOf, type Phone } from '../numbers/phone.ts'
import { rendezvous } from '../structures/rendezvous.ts'

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
  /** Of a pool: the senders of the account and channel from which its messages are sent. Otherwise empty. */
  readonly members: readonly string[]
  /** Parts of messages that may be sent from it in a second; null for no limit. */
  readonly perSecond: number | null
  /** By country of the recipient: what regulators or carriers there want to know of the sender. */
  readonly registrations: Readonly<Record<Country, Registration>>
}

/** Values by name, such as the campaign of 10DLC, for the requests of carriers. */
export type Registration = Readonly<Record<string, string>>

/** Of a sender; names of values for one country. */
export const MAX_REGISTRATIONS = { countries: 50, names: 20, characters: 200 } as const

/** A sender with a rate. */
export type RatedSender = Pick<Sender, 'accountId' | 'channel' | 'name'> & { readonly perSecond: number }

/** Of a pool. */
export const MAX_POOL_MEMBERS = 100

/** Carriers' identifiers of the name. */
type SenderIds = Readonly<Partial<Record<SenderIdName, string>>>

/** Compared one by one: less work than to find one in a map, whose parts are out of the processor's cache. */
const FEW = 8

/** The approved senders of one account. */
export class ApprovedSenders {
  readonly #few: readonly Sender[]
  readonly #manyByName: ReadonlyMap<string, readonly Sender[]> | null
  readonly #membersOf: ReadonlyMap<Sender, readonly Sender[]>
  readonly #poolOf: ReadonlyMap<Sender, Sender>

  constructor(senders: readonly Sender[]) {
    const isFew = senders.length <= FEW
    this.#few = isFew ? senders : []
    this.#manyByName = isFew ? null : Map.groupBy(senders, ({ name }) => name)
    const pools = senders.filter(isPool)
    this.#membersOf = new Map(
      pools.map((pool) => [pool, pool.members.flatMap((name) => this.find(pool.channel, name) ?? [])]),
    )
    this.#poolOf = new Map([...this.#membersOf].flatMap(([pool, members]) => members.map((member) => [member, pool])))
  }

  find(channel: MessageChannel, name: string): Sender | undefined {
    const named = this.#manyByName === null ? this.#few : (this.#manyByName.get(name) ?? [])
    return named.find((sender) => sender.channel === channel && sender.name === name)
  }

  /**
   * Returns the sender that the phone sees for this name: of a pool the member that the phone always gets, preferably
   * one for its country. Null if the account may not send under the name to the phone.
   */
  shownTo(phone: Phone, channel: MessageChannel, name: string): Sender | null {
    const sender = this.find(channel, name)
    if (sender === undefined || !servesCountryOf(sender, phone)) return null
    const members = this.#membersOf.get(sender)
    return members === undefined ? sender : chooseMember(members, phone)
  }

  /** Returns the sender, its pool and the other members of it: the names that share its opt-outs, the pool first. */
  sharing(channel: MessageChannel, name: string): readonly string[] {
    const sender = this.find(channel, name)
    const pool = sender === undefined ? undefined : (this.#poolOf.get(sender) ?? sender)
    return pool === undefined ? [name] : [pool.name, ...pool.members]
  }
}

export function isRated<S extends Pick<Sender, 'perSecond'>>(sender: S): sender is S & { readonly perSecond: number } {
  return sender.perSecond !== null
}

export function isPool({ members }: Pick<Sender, 'members'>): boolean {
  return members.length > 0
}

function servesCountryOf({ countries }: Sender, phone: Phone): boolean {
  return countries === null || countries.includes(countryOf(phone) ?? '')
}

/** The first form of the phone decides, so that a renumbering changes nothing. */
function chooseMember(members: readonly Sender[], phone: Phone): Sender | null {
  const fitting = members.filter((member) => servesCountryOf(member, phone))
  const local = fitting.filter(({ countries }) => countries !== null)
  const [key] = formsOf(phone)
  return rendezvous(local.length > 0 ? local : fitting, key)
}

/** What an operator may say of a sender besides its state, and the usual one has none of. */
export const NO_DETAILS: Omit<Sender, 'accountId' | 'channel' | 'name' | 'state'> = {
  reason: null,
  countries: null,
  ids: {},
  members: [],
  perSecond: null,
  registrations: {},
}

/** A sender name that may be used everywhere, the usual case. */
export function approvedSender(accountId: AccountId, channel: MessageChannel, name: string): Sender {
  return { accountId, channel, name, state: 'approved', ...NO_DETAILS }
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
