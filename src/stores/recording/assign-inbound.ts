/** Decides whose an inbound message is, by the inbound numbers, and writes its report. */
import type { AccountSettings } from '../../domain/accounts/account.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { makeMessageId } from '../../domain/ids/message-id.ts'
import type { AccountInbound, AnsweredMessage } from '../../domain/inbound/inbound-message.ts'
import { type InboundNumber, inboundFormsOf, numberFor } from '../../domain/inbound/inbound-number.ts'
import type { InboundReportForm } from '../../domain/inbound/inbound-report-form.ts'
import { ANSWERED_WITHIN_MS, type Answering, answeredBy, quotedOf } from '../../domain/message/answered-message.ts'
import { type Phone, readRecipient } from '../../domain/numbers/phone.ts'
import { addressed, hooksFor, type Listeners } from '../../domain/reports/client-hook.ts'
import { isFeed } from '../../domain/reports/event-feed.ts'
import { type Report, writeInboundReport } from '../../domain/reports/report.ts'
import { formOf } from '../../domain/reports/report-target.ts'
import type { InboundMessage } from '../../ports/carriers/carrier.ts'
import type { Vault } from '../../ports/system/vault.ts'
import type { Cell } from '../rows/cells/cell.ts'
import { fromMessageRow, type MessageColumns } from '../rows/messages/message-row.ts'
import { readListeners } from '../rows/setup/account-hooks.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'

/** An inbound number, with the channel of its carrier and who listens to its account. */
export interface OwnNumber extends InboundNumber {
  readonly channel: Channel
  readonly listeners: Listeners
  /** Of the account, for its default hook and the hooks of its numbers. */
  readonly inboundForm: InboundReportForm
}

const { columns, read } = DIRECTORY_ROWS.inboundNumbers

/** Selects OwnNumbers; a condition on `inbound_number` follows. */
export const SELECT_OWN_NUMBERS =
  `SELECT ${columns.map((column) => `inbound_number.${column}`).join(', ')}, carrier.channel, account.settings, account_hooks.hooks ` +
  'FROM inbound_number JOIN carrier ON carrier.carrier_id = inbound_number.carrier_id ' +
  'JOIN account ON account.account_id = inbound_number.account_id ' +
  'LEFT JOIN account_hooks ON account_hooks.account_id = inbound_number.account_id'

export function readOwnNumber(cells: readonly Cell[], { addresses }: Vault): OwnNumber {
  const [channel, ofAccount = '{}', ofClient = null] = cells.slice(columns.length)
  const settings = addresses.openIn(String(ofAccount))
  const hooks = ofClient === null ? null : addresses.openIn(String(ofClient))
  const { inboundReportForm: inboundForm = 'message.inbound' }: Partial<AccountSettings> = JSON.parse(settings)
  const listeners = readListeners(settings, hooks)
  const number = read(cells)
  const hook = number.hook === null ? null : addresses.open(number.hook)
  return { ...number, hook, channel: String(channel) as Channel, listeners, inboundForm }
}

/** A key of the numbers that a message may belong to. */
export type NumbersKey = readonly [carrierId: string, address: string]

export function numbersKeysOf({ carrierId, recipient }: InboundMessage): readonly NumbersKey[] {
  return inboundFormsOf(recipient).map((address) => [carrierId, address])
}

/** Returns the number whose the message is; null for one of no account. `numbers` have one of the message's keys. */
export function ownerOf({ text }: InboundMessage, numbers: readonly OwnNumber[]): OwnNumber | null {
  return numberFor(numbers, text)
}

/** Where the message is that an inbound message answers. */
export type AnswerableQuery =
  | {
      /** The newest messages to its writer, of which `answeredMessage` selects one. */
      readonly of: 'newest'
      readonly accountId: AccountId
      readonly phone: Phone
      /** Accepted later than this, milliseconds. */
      readonly after: number
    }
  /** The one message that the carrier took under this id. */
  | { readonly of: 'quoted'; readonly accountId: AccountId; readonly carrierId: string; readonly ref: string }

/** Returns null if it quotes nothing and its sender is no phone number or user id. */
export function answerableQuery(message: InboundMessage, { accountId }: OwnNumber): AnswerableQuery | null {
  const { carrierId, sender, at, quotes: ref } = message
  if (ref !== undefined) return { of: 'quoted', accountId, carrierId, ref }
  const phone = readRecipient(sender)
  return phone === null ? null : { of: 'newest', accountId, phone, after: at - ANSWERED_WITHIN_MS }
}

/** `rows` are the messages of the query, the newest first. A quoted message is the one, or it is not the account's. */
export function answeredMessage(
  query: AnswerableQuery,
  { carrierId, address, channel }: OwnNumber,
  rows: readonly MessageColumns[],
): AnsweredMessage | null {
  const messages = rows.map((row) => fromMessageRow([...row, null]))
  const answering: Answering = { carrierId, address, channel }
  return query.of === 'quoted' ? quotedOf(messages) : answeredBy(messages, answering)
}

/** `counter` is an unused message counter, larger than those of the account's earlier inbound messages. */
export function accountInbound(
  { carrierId, sender, userId, recipient, text, at, content, parts = 1, ref }: InboundMessage,
  { accountId, channel, keyword }: OwnNumber,
  counter: number,
  inReplyTo: AnsweredMessage | null,
): AccountInbound {
  const id = makeMessageId(counter, accountId)
  const quotable = ref === undefined ? null : { carrierId, ref }
  const facts = { keyword, content: content ?? null, inReplyTo, quotable, parts, at }
  return { id, accountId, channel, sender, userId: userId ?? null, recipient, text, ...facts }
}

/**
 * Returns none if neither the number nor the account has a hook. The event feed, the hooks of the client and targets
 * in the form of a program (report-target.ts) get the form of this API.
 */
export function inboundReports(
  inbound: AccountInbound,
  { hook, listeners, inboundForm }: OwnNumber,
): readonly Report[] {
  const address = hook ?? listeners.defaultHook
  const hooks = hooksFor(listeners, 'message.inbound', address)
  const own = writeInboundReport(inbound, 'message.inbound')
  if (inboundForm === 'message.inbound' || isFeed(address) || formOf(address ?? '') !== null)
    return addressed(own, address, hooks)
  return [...addressed(writeInboundReport(inbound, inboundForm), address, []), ...addressed(own, null, hooks)]
}
