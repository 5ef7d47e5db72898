/** Requests, approves or rejects a sender name of an account. */
import Type, { type Static } from 'typebox'
import { isSenderName, SENDER_MAX_CHARACTERS } from '../../../contract/fields/kinds.ts'
import {
  approvedSender,
  hasApprovedSender,
  isPool,
  MAX_POOL_MEMBERS,
  MAX_REGISTRATIONS,
  type Sender,
} from '../../../domain/accounts/sender.ts'
import { senderWarnings } from '../../../domain/accounts/sender-rules.ts'
import { descriptorOf, MESSAGE_CHANNELS, type MessageChannel, SENDER_IDS } from '../../../domain/channels/channel.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { inboundFormsOf } from '../../../domain/inbound/inbound-number.ts'
import { isCountry, readCountry } from '../../../domain/numbers/country.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, NAME_SEARCH, nullable, OPERATORS, PAGING, pageOf, READERS, SENDER_NAME } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

const CHANNEL = Type.Enum([...MESSAGE_CHANNELS], { description: 'channel that shows the name' })
const COUNTRIES = nullable(Type.Array(Type.String()), { description: 'ISO 3166 codes; null for all countries' })

const IDS = Type.Object(
  Object.fromEntries(SENDER_IDS.map((id) => [id, Type.Optional(Type.String({ maxLength: 100 }))])),
  { additionalProperties: false, description: 'registration ids of the name at carriers' },
)

const MEMBERS = Type.Array(SENDER_NAME, {
  maxItems: MAX_POOL_MEMBERS,
  uniqueItems: true,
  description: 'of a pool: the approved SMS senders of the account that it sends from; none for any other',
})

const PER_SECOND = nullable(Type.Number({ minimum: 0.1, maximum: 10_000 }), {
  description: 'parts that may be sent from it in a second, of all gateways together; null for no limit',
})

const REGISTRATION = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
  Type.String({ pattern: `^[ -~]{1,${MAX_REGISTRATIONS.characters}}$` }),
  { maxProperties: MAX_REGISTRATIONS.names, additionalProperties: false },
)
const REGISTRATIONS = Type.Record(Type.String({ pattern: '^[A-Za-z]{2}$' }), REGISTRATION, {
  maxProperties: MAX_REGISTRATIONS.countries,
  additionalProperties: false,
  description: 'by country of the recipient: values that the settings of carriers write as registration.NAME',
  examples: ['{"IN":{"entity":"1101234560000012345"}}'],
})

const SenderView = Type.Object({
  account: ACCOUNT,
  channel: CHANNEL,
  name: SENDER_NAME,
  state: Type.Enum(['requested', 'approved', 'rejected'], { description: 'only approved names can be used' }),
  reason: nullable(Type.String()),
  countries: COUNTRIES,
  ids: IDS,
  members: MEMBERS,
  per_second: PER_SECOND,
  registrations: REGISTRATIONS,
  warnings: Type.Array(Type.String(), { description: 'why it may not arrive in its countries' }),
})

/** Without the registrations at carriers. */
const ClientSender = Type.Omit(SenderView, ['ids', 'registrations'])
const KEY = { account: ACCOUNT, channel: CHANNEL, name: SENDER_NAME }
const DETAILS = {
  countries: Type.Optional(COUNTRIES),
  ids: Type.Optional(IDS),
  members: Type.Optional(MEMBERS),
  per_second: Type.Optional(PER_SECOND),
  registrations: Type.Optional(REGISTRATIONS),
}
const SenderRequest = Type.Object({ ...KEY, ...DETAILS })
/** Of the details, those that only operators set. */
const BY_OPERATORS = { ids: null, members: null, per_second: null, registrations: null }

/** Of an account, by its users. */
const MAX_SENDERS = 200

export const SENDER_CHANGES = {
  'set sender': {
    what: 'senders',
    may: OPERATORS,
    accounts: ({ sender }) => [sender.accountId],
    refuseClients: ({ sender }, { senders }) => {
      const own = senders.filter(({ accountId }) => accountId === sender.accountId)
      const isThere = own.some(({ channel, name }) => channel === sender.channel && name === sender.name)
      return isThere || own.length < MAX_SENDERS
        ? null
        : `the account has ${own.length} senders: ask the operator for more`
    },
    audit: ({ sender }, rows) => {
      const { accountId, channel, name } = sender
      const before = findSender(rows, sender)
      const shown = ({ accountId: _, channel: __, name: ___, ...details }: Sender) => details
      const subject = `sender ${name} of account ${accountId} for ${channel}`
      return entry(subject, before === undefined ? null : shown(before), shown(sender))
    },
  },
} satisfies Changes

export const SENDER_ENDPOINTS = [
  endpoint({
    name: 'listSenders',
    method: 'GET',
    path: '/senders',
    command: 'sender list',
    summary: 'list sender names',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', result: pageOf(ClientSender) },
    query: {
      ...PAGING,
      account: Type.Optional(ACCOUNT),
      state: Type.Optional(SenderView.properties.state),
      search: NAME_SEARCH,
    },
    result: pageOf(SenderView),
    run: async ({ store }, { account, state, search = '', ...paging }) => {
      const { senders } = await store.loadDirectory()
      const found = senders.filter(
        (sender) =>
          (account ?? sender.accountId) === sender.accountId &&
          (state ?? sender.state) === sender.state &&
          sender.name.toLowerCase().includes(search.toLowerCase()),
      )
      return takePage(found, paging, viewSender)
    },
  }),
  endpoint({
    name: 'requestSender',
    method: 'POST',
    path: '/senders/request',
    command: 'sender request',
    summary: 'request a sender name for an account; it cannot be used until approved',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account', fixed: BY_OPERATORS, result: ClientSender },
    body: { ...KEY, ...DETAILS },
    result: SenderView,
    run: async ({ store }, input, actor) => {
      const asked = readInput(input)
      if (actor.account !== null) await checkNotApproved(store, asked)
      return viewSender(await setSender(store, { ...asked, state: 'requested' }))
    },
  }),
  endpoint({
    name: 'approveSender',
    method: 'POST',
    path: '/senders/approve',
    command: 'sender approve',
    summary: 'approve a sender name of an account for one channel',
    may: OPERATORS,
    body: { ...KEY, ...DETAILS },
    result: SenderView,
    run: async ({ store }, input) => viewSender(await setSender(store, { ...readInput(input), state: 'approved' })),
  }),
  endpoint({
    name: 'rejectSender',
    method: 'POST',
    path: '/senders/reject',
    command: 'sender reject',
    summary: 'reject a sender name, or revoke its approval; messages with it are refused',
    may: OPERATORS,
    body: { ...KEY, reason: Type.String({ minLength: 1, maxLength: 500, description: 'why' }) },
    result: SenderView,
    run: async ({ store }, { account, reason, ...input }) => {
      const accountId = toAccountId(account)
      return viewSender(await setSender(store, { ...input, accountId, state: 'rejected', reason }))
    },
  }),
]

type SenderKey = Pick<Sender, 'accountId' | 'channel' | 'name'>

export interface SenderInput
  extends SenderKey,
    Pick<Sender, 'state'>,
    Partial<Omit<Sender, keyof SenderKey | 'state'>> {}

function readInput({ account, per_second: perSecond, ...input }: Static<typeof SenderRequest>) {
  return { ...input, accountId: toAccountId(account), ...(perSecond === undefined ? {} : { perSecond }) }
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
  const named = input.countries?.map(readCountry) ?? input.countries
  if (named?.every(isCountry) === false || named?.length === 0) {
    throw new ChangeRefused('countries must be ISO 3166 codes such as DE, or none for all countries')
  }
  const registered = Object.entries(input.registrations ?? {}).map(
    ([country, its]) => [readCountry(country), its] as const,
  )
  const unknown = registered.find(([country]) => !isCountry(country))
  if (unknown !== undefined) throw new FieldRefused('registrations', `${unknown[0]} is no ISO 3166 code`)
  const before = findSender(rows, input)
  const known = before ?? approvedSender(accountId, channel, name)
  const countries = named === undefined ? known.countries : named
  const registrations = input.registrations === undefined ? known.registrations : Object.fromEntries(registered)
  const sender: Sender = { ...known, ...input, reason: reason ?? null, countries, registrations }
  checkPool(rows, sender)
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

/** A client cannot take back an approval by asking for it again. Throws ChangeRefused. */
async function checkNotApproved(store: SetupStore, wanted: Pick<Sender, 'accountId' | 'channel' | 'name'>) {
  const { accountId, channel, name } = wanted
  const { senders } = await store.loadDirectory()
  if (hasApprovedSender(senders, { accountId, channel, name }))
    throw new ChangeRefused(`sender ${name} is approved already for ${channel}`)
}

/** Throws FieldRefused for members that the account cannot send from, or that would be in two pools. */
function checkPool({ senders, inboundNumbers }: DirectoryRows, pool: Sender): void {
  const { accountId, channel, name, members, perSecond, state } = pool
  if (!isPool(pool) || state === 'rejected') return
  if (perSecond !== null) throw new FieldRefused('per_second', 'a pool has none: set the rates of its members')
  if (channel !== 'sms') throw new FieldRefused('members', 'only senders of sms can be pools')
  const own = senders.filter((each) => each.accountId === accountId && each.channel === channel)
  const poolOf = (member: string) => own.find((each) => each.name !== name && each.members.includes(member))
  const outer = poolOf(name)
  if (outer !== undefined) throw new FieldRefused('members', `${name} is a member of the pool ${outer.name} itself`)
  for (const member of members) {
    const problem = problemOf(member)
    if (problem !== null) throw new FieldRefused('members', `${member} ${problem}`)
  }

  function problemOf(member: string): string | null {
    const sender = own.find((each) => each.name === member)
    if (member === name) return 'is the pool itself'
    if (sender?.state !== 'approved') return 'is no approved sender of the account'
    if (isPool(sender)) return 'is a pool'
    const other = poolOf(member)
    if (other !== undefined) return `is a member of the pool ${other.name}`
    const forms = inboundFormsOf(member)
    const owners = inboundNumbers.filter(({ address }) => forms.includes(address)).map((each) => each.accountId)
    if (owners.length === 0 || owners.includes(accountId)) return null
    return `is an inbound number of account ${owners[0]}`
  }
}

function viewSender(sender: Sender): Static<typeof SenderView> {
  const { accountId: account, countries, ids, members, perSecond: per_second, registrations, ...rest } = sender
  const lists = { countries: countries === null ? null : [...countries], members: [...members] }
  const registered = Object.entries(registrations).map(([country, values]) => [country, { ...values }] as const)
  return {
    account,
    ...rest,
    ...lists,
    ids: { ...ids },
    per_second,
    registrations: Object.fromEntries(registered),
    warnings: [...senderWarnings(sender)],
  }
}
