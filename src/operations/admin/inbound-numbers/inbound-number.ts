/** Inbound numbers: which account gets the messages that recipients write to a number, a short code or an agent. */
import Type from 'typebox'
import { PUBLIC_RULE } from '../../../contract/error-texts.ts'
import { isAbsoluteAddress } from '../../../contract/kinds.ts'
import { EVENT_FEED } from '../../../domain/event-feed.ts'
import {
  describeInboundNumber,
  type InboundNumber,
  inboundAddressOf,
  keywordOf,
  MAX_KEYWORD,
} from '../../../domain/inbound-number.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { type HookGuard, isVisiblyPrivate } from '../../check-hook.ts'
import { checkField } from '../field-refused.ts'
import { ACCOUNT_ID, field } from '../fields.ts'
import { checkName } from '../label.ts'
import { resource } from '../resource.ts'
import { listEndpoint, removeEndpoint, setEndpoint } from '../resource-endpoints.ts'
import { ACCOUNT, CARRIER, nullable, OPERATORS, READERS } from '../shapes.ts'

/** Stored and compared in one form, so that a request may write it as the carrier does. */
const ADDRESS = {
  view: (address: string) => address,
  read: (address: string) => inboundAddressOf(address),
}

/** Anything but one word becomes empty, which is refused with the item. */
const KEYWORD = {
  view: (keyword: string) => keyword,
  read: (keyword: string) => (/\s/.test(keyword.trim()) ? '' : (keywordOf(keyword) ?? '')),
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
    hook: nullable(Type.String({ maxLength: 2_048 }), {
      default: null,
      description:
        'where its messages are reported, or feed: to keep them for event/list; by default the default hook of the account',
    }),
  },
  items: ({ inboundNumbers }) => inboundNumbers,
  check: (number, { rows, carriers, hookGuard }) => {
    const { carrierId, address, keyword, accountId, hook } = number
    const carrier = carriers.find(({ id }) => id === carrierId)
    if (carrier === undefined) throw new ChangeRefused(`there is no carrier ${carrierId}`)
    if (carrier.channel === 'call') throw new ChangeRefused(`carrier ${carrierId} is for calls: it brings no messages`)
    checkName('an address', address)
    checkField('keyword', keyword !== '', `must be one word of 1 to ${MAX_KEYWORD} letters and digits`)
    if (!rows.accounts.some(({ id }) => id === accountId)) throw new ChangeRefused(`there is no account ${accountId}`)
    if (hook !== null) checkHookOf(hook, hookGuard)
    return number
  },
  describe: (number) => `inbound number ${describeInboundNumber(number)}`,
  set: (number) => ({ kind: 'set inbound number', number }),
  remove: (number) => ({ kind: 'remove inbound number', number }),
})

function checkHookOf(hook: string, guard: HookGuard | undefined): void {
  if (hook === EVENT_FEED) return
  checkField('hook', isAbsoluteAddress(hook), `must be an absolute http(s) address, ${EVENT_FEED} or null`)
  const isPrivate = guard !== undefined && isVisiblyPrivate(guard, hook)
  checkField('hook', !isPrivate, `${PUBLIC_RULE}, except those of POSTHORN_HOOK_ALLOW`)
}

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
    },
    { carrier: Type.Optional(CARRIER), account: Type.Optional(ACCOUNT) },
  ),
  setEndpoint(INBOUND_NUMBER, {
    ...ABOUT,
    name: 'setInboundNumber',
    command: 'inbound-number set',
    summary: 'give an account the messages that recipients write to a number; a shared number has keywords',
  }),
  removeEndpoint(INBOUND_NUMBER, {
    ...ABOUT,
    name: 'removeInboundNumber',
    command: 'inbound-number remove',
    summary: 'remove an inbound number; its later messages are only in the list of operators',
  }),
]
