/** The operations about bulks. Each reads or changes one bulk before the other operations of its request. */
import { HOOK_FIELD, isSent, PRIORITY_FIELD, readFields } from '../../contract/fields/fields.ts'
import {
  BULK_CREATE_FIELDS,
  BULK_ERRORS_FIELDS,
  BULK_LIST_FIELDS,
  BULK_NAMING_FIELDS,
  BULK_START_FIELDS,
  DEFAULT_BULKS_LISTED,
  DEFAULT_ERRORS_LISTED,
} from '../../contract/operations/bulk-fields.ts'
import { inClientNames, type TranslatedItem } from '../../contract/operations/chatapp-names.ts'
import { type RequestObject, writeItemError, writeJsonResult, writeResult } from '../../contract/request/envelope.ts'
import {
  hasPlaceholders,
  ITEM_ERRORS,
  tooFarAhead,
  tooManyBytesIn,
  tooManyPlaceholders,
} from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import {
  type Bulk,
  type BulkCommand,
  type BulkView,
  DEFAULT_PACE,
  MAX_OPEN_BULKS,
  newBulk,
  waitingLines,
} from '../../domain/bulk/bulk.ts'
import { MESSAGE_CHANNELS } from '../../domain/channels/channel.ts'
import { type BulkId, makeMessageId } from '../../domain/ids/message-id.ts'
import { highestClassOfBulk } from '../../domain/message/traffic-class.ts'
import { NO_MONEY } from '../../domain/money/money.ts'
import { isTestSender } from '../../domain/routing/test-mode.ts'
import { MAX_LIST_BYTES } from '../../domain/structures/answer-size.ts'
import { nearPlaceholdersIn, placeholdersIn } from '../../domain/text/placeholders.ts'
import { checkHook } from '../request/check-hook.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'
import { sendNamed } from '../send/price.ts'
import { checkPriority } from '../send/read-send.ts'
import { describeError, writeBulk } from './describe-bulk.ts'
import { stopBulk } from './stop-bulk.ts'

const MAX_MESSAGE_BYTES = 16 * 1024
const MAX_PLACEHOLDERS = 50
const MAX_WARNINGS = 10
/** Of a result about one bulk. */
const RESULT_BYTES = 2 * 1024
const NOTHING_CHARGED = { statuses: {}, chargedMicros: NO_MONEY } as const

/** Throws ItemRefused for a message that no line can make a send. */
export function planBulkCreate(scope: Scope, item: RequestObject): DirectInquiry {
  const { tools, account, key, now } = scope
  const fields = readFields(item, BULK_CREATE_FIELDS, tools.limits)
  const { id = null, message, pace = DEFAULT_PACE, skipDuplicates = false } = fields
  const text = checkMessage(scope, message)
  scope.lists.count(RESULT_BYTES)
  const hook = checkHookOf(scope, message) ?? account.settings.defaultHook
  return {
    warnings: warningsOf(message),
    answer: async () => {
      const bulkId = makeMessageId(await tools.store.reserveIds(1), account.id)
      const bulk = {
        id: bulkId,
        accountId: account.id,
        test: key.test,
        clientId: id,
        message: text,
        hook,
        currency: account.currency,
        pace,
        createdAt: now,
        maker: { kind: key.usedBy ?? 'key', name: key.name } as const,
        ...(skipDuplicates ? { skipDuplicates } : {}),
      }
      const made = await tools.store.bulk({ kind: 'create', accountId: account.id, bulk, maxOpen: MAX_OPEN_BULKS })
      if (!made) return writeItemError(id, ITEM_ERRORS.tooManyBulks)
      return write({ ...newBulk(bulk), totals: NOTHING_CHARGED })
    },
  }
}

/** Returns the message as JSON. */
function checkMessage(scope: Scope, message: RequestObject): string {
  const translated = scope.tools.chatappNames.translate(message)
  sendNamed('type', translated.item.type)
  checkSendersOf(scope, translated)
  const { priority = null } = readFields(message, [PRIORITY_FIELD], scope.tools.limits)
  checkPriority(highestClassOfBulk(scope.key.priority), priority)
  const text = JSON.stringify(message)
  if (Buffer.byteLength(text) > MAX_MESSAGE_BYTES) throw new ItemRefused(tooManyBytesIn('message', MAX_MESSAGE_BYTES))
  if (placeholdersIn(message).length > MAX_PLACEHOLDERS) {
    throw new ItemRefused(tooManyPlaceholders('message', MAX_PLACEHOLDERS))
  }
  return text
}

/** Throws ItemRefused for a sender under which no line could be sent. */
function checkSendersOf({ account, directory, key }: Scope, translated: TranslatedItem): void {
  const { item } = translated
  for (const channel of MESSAGE_CHANNELS) {
    const sender = item[`${channel}_signature`]
    if (!String(item.type).split('+').includes(channel) || !isSent(sender)) continue
    if (typeof sender === 'string' && placeholdersIn(sender).length > 0) continue
    if (typeof sender === 'string' && key.test && isTestSender(sender)) continue
    if (typeof sender === 'string' && directory.hasSender(account.id, channel, sender)) continue
    throw new ItemRefused(ITEM_ERRORS.alphaName, inClientNames(`${channel}_signature`, translated))
  }
}

/** Returns what the message may be meant to fill in its lines, and does not. */
function warningsOf(message: RequestObject): readonly string[] {
  return [...new Set(nearPlaceholdersIn(message))].slice(0, MAX_WARNINGS).map(notFilled)
}

function notFilled(text: string): string {
  return `message: ${text} is no placeholder and is sent as it is; write {{name}}`
}

function bulkStateIs(state: string): string {
  return `${ITEM_ERRORS.bulkState}: it is ${state}`
}

/** Returns the hook of the message, checked as that of a send; null without one. */
function checkHookOf({ tools }: Scope, message: RequestObject): string | null {
  if (placeholdersIn(message['hook']).length > 0) throw new ItemRefused(hasPlaceholders('hook'), 'hook')
  const { hook = null } = readFields(message, [HOOK_FIELD], tools.limits)
  if (hook !== null) checkHook(tools, hook)
  return hook
}

/** Throws ItemRefused for a start too far ahead. */
export function planBulkStart(scope: Scope, item: RequestObject): DirectInquiry {
  const { tools, now } = scope
  const { id = null, bulkId, startAt = now, ignoreBalance = false } = readFields(item, BULK_START_FIELDS, tools.limits)
  const { sendAheadSeconds } = tools.limits
  if (startAt > now + sendAheadSeconds * 1000) throw new ItemRefused(tooFarAhead('start_at', sendAheadSeconds))
  return aboutBulk(scope, { id, bulkId }, async (bulk) => {
    if (isUnsent(bulk) && waitingLines(bulk) === 0) return writeItemError(id, ITEM_ERRORS.bulkEmpty)
    if (isUnsent(bulk) && !ignoreBalance && !(await canPay(scope, bulk)))
      return writeItemError(id, ITEM_ERRORS.insufficientFunds)
    return run(scope, { id, bulk }, { kind: 'start', at: now, startAt })
  })
}

/** Whether it has never been started, or waits for its time. */
function isUnsent({ state }: Bulk): boolean {
  return state === 'uploading' || state === 'ready'
}

async function canPay({ tools, account }: Scope, { estimateMicros }: Bulk): Promise<boolean> {
  const balances = await tools.store.balancesOf(account.id)
  return balances !== null && balances.available + account.creditLimitMicros >= estimateMicros
}

export function planBulkPause(scope: Scope, item: RequestObject): DirectInquiry {
  return planCommand(scope, item, { kind: 'pause', at: scope.now, reason: 'client' })
}

export function planBulkStop(scope: Scope, item: RequestObject): DirectInquiry {
  const { id = null, bulkId } = readFields(item, BULK_NAMING_FIELDS, scope.tools.limits)
  return aboutBulk(scope, { id, bulkId }, async (bulk) => {
    const stopped = await stopBulk(scope.tools, bulk, scope.now)
    return stopped === null ? writeItemError(id, bulkStateIs(bulk.state)) : write(stopped)
  })
}

function planCommand(scope: Scope, item: RequestObject, command: BulkCommand): DirectInquiry {
  const { id = null, bulkId } = readFields(item, BULK_NAMING_FIELDS, scope.tools.limits)
  return aboutBulk(scope, { id, bulkId }, (bulk) => run(scope, { id, bulk }, command))
}

export function planBulkStatus(scope: Scope, item: RequestObject): DirectInquiry {
  const { id = null, bulkId } = readFields(item, BULK_NAMING_FIELDS, scope.tools.limits)
  return aboutBulk(scope, { id, bulkId }, async (bulk) => write(bulk))
}

export function planBulkErrors(scope: Scope, item: RequestObject): DirectInquiry {
  const fields = readFields(item, BULK_ERRORS_FIELDS, scope.tools.limits)
  const { id = null, bulkId, after = 0, limit = DEFAULT_ERRORS_LISTED } = fields
  scope.lists.count(MAX_LIST_BYTES)
  return aboutBulk(scope, { id, bulkId }, async (bulk) => {
    const errors = await scope.tools.store.bulkErrors({ bulkId: bulk.id, after, limit })
    return writeResult(errors.map(describeError))
  })
}

export function planBulkList(scope: Scope, item: RequestObject): DirectInquiry {
  const { account, key, tools } = scope
  const { after: place = 0, limit = DEFAULT_BULKS_LISTED } = readFields(item, BULK_LIST_FIELDS, tools.limits)
  const after = place === 0 ? null : place
  scope.lists.count(limit * RESULT_BYTES)
  return {
    answer: async () => {
      const bulks = await tools.store.listBulks({ accountId: account.id, test: key.test, after, limit })
      return writeJsonResult(`[${bulks.map(writeBulk).join(',')}]`)
    },
  }
}

interface Naming {
  /** The client's id of the operation as a JSON token; null without one. */
  readonly id: string | null
  readonly bulkId: number
}

function aboutBulk(scope: Scope, { id, bulkId }: Naming, answer: (bulk: BulkView) => Promise<string>): DirectInquiry {
  scope.lists.count(RESULT_BYTES)
  return {
    answer: async () => {
      const bulk = await scope.tools.store.findBulk(scope.account.id, bulkId as BulkId)
      if (bulk === null || bulk.test !== scope.key.test) return writeItemError(id, ITEM_ERRORS.noSuchBulk)
      return answer(bulk)
    },
  }
}

async function run(
  { tools, account }: Scope,
  { id, bulk }: { readonly id: string | null; readonly bulk: BulkView },
  command: BulkCommand,
): Promise<string> {
  const order = { kind: 'command', accountId: account.id, bulkId: bulk.id, command } as const
  const after = await tools.store.bulk(order)
  return after === null ? writeItemError(id, bulkStateIs(bulk.state)) : write({ ...after, totals: bulk.totals })
}

function write(bulk: BulkView): string {
  return writeJsonResult(writeBulk(bulk))
}
