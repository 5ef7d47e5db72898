/**
 * A message as a row of the table `message`, in column order, and the contents of its steps, which are stored
 * separately and sealed. Plan and contents are JSON, the journey a text of `journey-text.ts`.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import { type Content, type Plan, REDACTED, type Step } from '../../../domain/message/plan.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../cells/cell.ts'
import { readJourney, type WriteJourney, writeObject } from './journey-text.ts'

export type MessageColumns = [
  id: MessageId,
  accountId: AccountId,
  clientId: string | null,
  phone: Phone,
  plan: string,
  hook: string | null,
  reportSteps: number,
  currency: string,
  createdAt: number,
  version: number,
  status: string,
  journey: string,
  operator: string | null,
  test: number,
]

/** In step order; null if the texts are deleted, and for a message from before they were stored separately. */
export type MessageRow = [...MessageColumns, contents: string | null]

export const MESSAGE_COLUMNS = `msg_id, account_id, client_id, phone, plan, hook, report_steps, currency, created_at,
  version, status, journey, operator, test`

/** The place of the hook in a row. */
const HOOK_AT = 5

/** Returns the row with its hook as it is stored. */
export function sealHook<Row extends readonly Cell[]>(row: Row, { addresses }: Vault): Row {
  return mapHook(row, (hook) => addresses.seal(hook))
}

/** Returns the row with its hook as the client gave it. */
export function openHook<Row extends readonly Cell[]>(row: Row, { addresses }: Vault): Row {
  return mapHook(row, (hook) => addresses.open(hook))
}

/** Most hooks have no query, and their rows are not copied. */
function mapHook<Row extends readonly Cell[]>(row: Row, map: (hook: string) => string): Row {
  const hook = row[HOOK_AT]
  return typeof hook === 'string' && hook.includes('?') ? (row.with(HOOK_AT, map(hook)) as readonly Cell[] as Row) : row
}

export function toMessageRow(message: Message, writeJourney: WriteJourney = writeObject): MessageRow {
  const { journey } = message
  return [
    message.id,
    message.accountId,
    message.clientId,
    message.phone,
    JSON.stringify(message.plan.map(withoutContent)),
    message.hook,
    Number(message.reportSteps),
    message.currency,
    message.createdAt,
    journey.version,
    journey.status,
    writeJourney(journey),
    message.operator,
    Number(message.test),
    JSON.stringify(message.plan.map(({ content }) => content)),
  ]
}

/** JSON has no member that is undefined. A copy without it would take four times as long. */
function withoutContent(step: Step): object {
  return { ...step, content: undefined }
}

export function fromMessageRow(row: MessageRow): Message {
  const [
    id,
    accountId,
    clientId,
    phone,
    plan,
    hook,
    reportSteps,
    currency,
    createdAt,
    ,
    ,
    journey,
    operator,
    test,
    contents,
  ] = row
  return {
    id,
    accountId,
    test: test === 1,
    clientId,
    phone,
    operator,
    plan: readPlan(plan, contents),
    hook,
    reportSteps: reportSteps === 1,
    currency,
    createdAt,
    journey: readJourney(journey),
  }
}

function readPlan(plan: string, contents: string | null): Plan {
  const steps: readonly (Omit<Step, 'content'> & Partial<Step>)[] = JSON.parse(plan)
  const carried: readonly Content[] = contents === null ? [] : JSON.parse(contents)
  return steps.map((step, index) => ({ ...step, content: carried[index] ?? step.content ?? REDACTED }))
}
