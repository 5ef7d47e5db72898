/** Inbound numbers: which account gets the messages that recipients write to a number, a short code or an agent. */

import Type from 'typebox'
import { hasApprovedSender } from '../../../domain/accounts/sender.ts'
import { carriesTexts } from '../../../domain/channels/channel.ts'
import { MAX_REPLY } from '../../../domain/inbound/automatic-reply.ts'
import {
  describeInboundNumber,
  type InboundNumber,
  inboundAddressOf,
  inboundFormsOf,
  keywordOf,
  MAX_KEYWORD,
} from '../../../domain/inbound/inbound-number.ts'
import { HOOK_RULE } from '../../../domain/reports/report-target.ts'
import { hasHiddenCharacters } from '../../../domain/text/hidden-characters.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { brokenHookRule, faultOfLoginHook, type HookGuard, isHook } from '../../request/check-hook.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { findSame, inputFields, keyFields, resource } from '../endpoint/resource.ts'
import { listEndpoint, removeEndpoint, setItem } from '../endpoint/resource-endpoints.ts'
import { checkField, checkNew, FieldRefused } from '../fields/field-refused.ts'
import {
  ACCOUNT_ID,
  field,
  HOOK_CODEC,
  inputSchemas,
  partialSchemas,
  readPublicFields,
  viewOf,
  viewSchemas,
  withDefaults,
} from '../fields/fields.ts'
import { checkName } from '../fields/label.ts'
import { ACCOUNT, CARRIER, nullable, ONLY_NEW, OPERATORS, pageOf, READERS, SENDER_NAME } from '../fields/shapes.ts'

/** Stored and compared in one form, so that a request may write it as the carrier does. */
const ADDRESS = {
  view: (address: string) => address,
  read: (address: string) => inboundAddressOf(address),
}

const KEYWORD_RULE = `must be one word of 1 to ${MAX_KEYWORD} letters and digits`

const KEYWORD = {
  view: (keyword: string) => keyword,
  read: (keyword: string) => {
    const word = /\s/.test(keyword.trim()) ? null : keywordOf(keyword)
    if (word === null) throw new FieldRefused('keyword', KEYWORD_RULE)
    return word
  },
}

export const INBOUND_NUMBER = resource<InboundNumber>({
  section: 'inbound_numbers',
  key: ['carrierId', 'address', 'keyword'],
  fields: {
    carrierId: field('carrier', CARRIER),
    address: field(
      'address',
      Type.String({
        maxLength: 100,
        description: 'what recipients write to, as the carrier names it: a number, a short code, the id of an agent',
        examples: ['491234'],
      }),
      ADDRESS,
    ),
    keyword: field(
      'keyword',
      nullable(Type.String({ maxLength: MAX_KEYWORD }), {
        default: null,
        description: 'only messages whose first word is this; none for messages without the keyword of another account',
      }),
      KEYWORD,
    ),
    accountId: field('account', ACCOUNT, ACCOUNT_ID),
    hook: field(
      'hook',
      nullable(Type.String({ maxLength: 2_048 }), {
        default: null,
        description:
          'where its messages are reported, or feed: to keep them for event/list; by default the default hook of the account',
      }),
      HOOK_CODEC,
    ),
    reply: nullable(Type.String({ maxLength: MAX_REPLY }), {
      default: null,
      description: 'text that answers its messages, once an hour to each phone at most; by default none',
    }),
    replySender: nullable(SENDER_NAME, {
      default: null,
      description: 'sender name of the reply; by default the address',
    }),
  },
  items: ({ inboundNumbers }) => inboundNumbers,
  check: (number, { rows, carriers, hookGuard }) => {
    const { carrierId, address, keyword, accountId, hook, reply, replySender } = number
    const carrier = carriers.find(({ id }) => id === carrierId)
    if (carrier === undefined) throw new ChangeRefused(`there is no carrier ${carrierId}`)
    const { channel } = carrier
    if (!carriesTexts(channel)) {
      throw new ChangeRefused(`carrier ${carrierId} is of the channel ${channel}, which brings no messages`)
    }
    checkName('address', 'an address', address)
    const [, ...others] = inboundFormsOf(address)
    const same = rows.inboundNumbers.find((each) => {
      return each.carrierId === carrierId && each.keyword === keyword && others.includes(each.address)
    })
    if (same !== undefined) throw new ChangeRefused(`${describeInboundNumber(same)} is the same number`)
    // Those of earlier versions can be removed, so it is no rule of reading.
    checkField('keyword', keyword === null || !hasHiddenCharacters(keyword), KEYWORD_RULE)
    if (!rows.accounts.some(({ id }) => id === accountId)) throw new ChangeRefused(`there is no account ${accountId}`)
    if (hook !== null) {
      checkHookOf(hook, hookGuard)
      const fault = faultOfLoginHook(rows.logins, accountId, hook)
      checkField('hook', fault === null, fault ?? '')
    }
    checkField('reply', reply === null || reply.trim() !== '', 'must not be empty')
    const sender = replySender ?? address
    const isApproved = hasApprovedSender(rows.senders, { accountId, channel, name: sender })
    checkField('reply_sender', reply === null || isApproved, `the account has no approved sender ${sender} for it`)
    return number
  },
  describe: (number) => `inbound number ${describeInboundNumber(number)}`,
  set: (number) => ({ kind: 'set inbound number', number }),
  remove: (number) => ({ kind: 'remove inbound number', number }),
})

const INBOUND_NUMBERS: ChangeRule = { what: 'inbound numbers', may: OPERATORS }

export const INBOUND_NUMBER_CHANGES = {
  'set inbound number': { ...INBOUND_NUMBERS, audit: ({ number }, rows) => itemSet(INBOUND_NUMBER, number, rows) },
  'remove inbound number': {
    ...INBOUND_NUMBERS,
    audit: ({ number }, rows) => itemRemoved(INBOUND_NUMBER, number, rows),
  },
} satisfies Changes

function checkHookOf(hook: string, guard: HookGuard | undefined): void {
  checkField('hook', isHook(hook), HOOK_RULE)
  const broken = guard === undefined ? null : brokenHookRule(guard, hook)
  checkField('hook', broken === null, broken ?? '')
}

const KEY = keyFields(INBOUND_NUMBER)
const SETTINGS = inputFields(INBOUND_NUMBER, 'carrierId', 'address', 'keyword')

/** Without the carrier. */
const ClientNumber = Type.Omit(Type.Object(viewSchemas(INBOUND_NUMBER.fields)), ['carrier'])

const ABOUT = { path: '/inbound-numbers', may: OPERATORS }

export const INBOUND_NUMBER_ENDPOINTS = [
  listEndpoint(
    INBOUND_NUMBER,
    {
      ...ABOUT,
      name: 'listInboundNumbers',
      command: 'inbound-number list',
      summary: 'list the numbers that recipients write to, and their accounts',
      may: READERS,
      clients: { may: CLIENTS, scope: 'account', fixed: { carrier: null }, result: pageOf(ClientNumber) },
    },
    { carrier: Type.Optional(CARRIER), account: Type.Optional(ACCOUNT) },
  ),
  endpoint({
    ...ABOUT,
    name: 'setInboundNumber',
    method: 'PUT',
    command: 'inbound-number set',
    summary:
      'give an account the messages that recipients write to a number, or change single settings of one; a shared ' +
      'number has keywords',
    body: {
      ...inputSchemas(KEY),
      ...partialSchemas(SETTINGS),
      new: ONLY_NEW,
      take_over: Type.Optional(
        Type.Boolean({ description: 'also if the number belongs to another account, whose settings then end' }),
      ),
    },
    result: Type.Object(viewSchemas(INBOUND_NUMBER.fields)),
    run: async (tools, { new: onlyNew, take_over: mayTakeOver = false, ...shown }) => {
      const key = readPublicFields(KEY, withDefaults(KEY, shown))
      const before = findSame(INBOUND_NUMBER, key, await tools.store.loadDirectory())
      if (before !== null && !mayTakeOver) checkNew(onlyNew, before, 'address', describeInboundNumber(before))
      const { account } = shown as { readonly account?: number }
      checkField('account', before !== null || account !== undefined, 'required for a new inbound number')
      const isOther = before !== null && account !== undefined && account !== before.accountId
      if (isOther && !mayTakeOver) {
        const number = describeInboundNumber(before)
        throw new ChangeRefused(
          `${number} belongs to account ${before.accountId}: to move it, set take_over (--take-over)`,
        )
      }
      const kept = before === null || isOther ? {} : viewOf(INBOUND_NUMBER.fields, before)
      return viewOf(INBOUND_NUMBER.fields, await setItem(INBOUND_NUMBER, tools, { ...kept, ...shown }))
    },
  }),
  removeEndpoint(INBOUND_NUMBER, {
    ...ABOUT,
    name: 'removeInboundNumber',
    command: 'inbound-number remove',
    summary: 'remove an inbound number; its later messages are only in the list of operators',
  }),
]
