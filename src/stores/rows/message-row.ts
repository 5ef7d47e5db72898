/** A message as a row of the table `message`, in the order of its columns. Plan and journey are JSON. */
import type { AccountId } from '../../domain/account.ts'
import type { Message } from '../../domain/message.ts'
import type { MessageId } from '../../domain/message-id.ts'
import type { Phone } from '../../domain/phone.ts'

export type MessageRow = [
  msgId: number,
  accountId: number,
  clientId: string | null,
  phone: string,
  plan: string,
  hook: string | null,
  reportSteps: number,
  currency: string,
  createdAt: number,
  version: number,
  status: string,
  journey: string,
  operator: string | null,
]

export const MESSAGE_COLUMNS = `msg_id, account_id, client_id, phone, plan, hook, report_steps, currency, created_at,
  version, status, journey, operator`

export function toMessageRow(message: Message): MessageRow {
  const { journey } = message
  return [
    message.id,
    message.accountId,
    message.clientId,
    message.phone,
    JSON.stringify(message.plan),
    message.hook,
    Number(message.reportSteps),
    message.currency,
    message.createdAt,
    journey.version,
    journey.status,
    JSON.stringify(journey),
    message.operator,
  ]
}

export function fromMessageRow(row: MessageRow): Message {
  const [id, accountId, clientId, phone, plan, hook, reportSteps, currency, createdAt, , , journey, operator] = row
  return {
    id: id as MessageId,
    accountId: accountId as AccountId,
    clientId,
    phone: phone as Phone,
    operator,
    plan: JSON.parse(plan),
    hook,
    reportSteps: reportSteps === 1,
    currency,
    createdAt,
    journey: JSON.parse(journey),
  }
}
