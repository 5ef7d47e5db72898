/**
 * A message as a row of the table `message`, in column order, and the contents of its steps, which are stored
 * separately and sealed. Plan and contents are JSON, the journey a shorter text.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import {
  type Content,
  type Journey,
  type Message,
  type PartState,
  type Plan,
  REDACTED,
  type Step,
  type StepState,
} from '../../../domain/message/message.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../cells/cell.ts'
import type { CellsOf } from '../cells/cells-of.ts'

export type MessageColumns = CellsOf<
  'message',
  typeof MESSAGE_COLUMNS,
  { msg_id: MessageId; account_id: AccountId; phone: Phone }
>

/** In step order; null if the texts are deleted, and for a message from before they were stored separately. */
export type MessageRow = [...MessageColumns, contents: string | null]

export const MESSAGE_COLUMNS =
  'msg_id, account_id, client_id, phone, plan, hook, report_steps, currency, created_at, version, status, journey, operator, test'

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

/**
 * The journey of a message as text. PostgreSQL stores a JSON object, which gateways of earlier versions beside this one
 * can read. A SQLite file has one gateway, which writes the values alone as a JSON list: 130 instead of 320 characters,
 * three times for each message. Files of earlier versions have objects. Both forms are read everywhere.
 */
export type WriteJourney = (journey: Journey) => string

export const writeObject: WriteJourney = (journey) => JSON.stringify(journey)

/** The members that most have not: together in an object at the end of the list, each undefined or written. */
type Rest<T> = { readonly [Key in keyof T as undefined extends T[Key] ? Key : never]-?: T[Key] | undefined }
type Optional<T> = { readonly [Key in keyof T as undefined extends T[Key] ? Key : never]: T[Key] }

type PartCells = [state: PartState['state'], ref: string | null, rest?: Rest<PartState>]

type StepCells = [
  status: StepState['status'],
  at: number,
  carrierId: string | null,
  parts: readonly PartCells[],
  detail: string | null,
  rest?: Rest<StepState>,
]

type JourneyCells = [
  version: number,
  status: Journey['status'],
  step: number,
  phase: Journey['phase'],
  attempts: number,
  deadlineAt: number,
  dueAt: number | null,
  heldMicros: Journey['heldMicros'],
  chargedMicros: Journey['chargedMicros'],
  reports: number,
  deliveredBy: number | null,
  steps: readonly StepCells[],
  rest?: Rest<Journey>,
]

/** The places of what SQL reads. */
const PLACES = { step: 2, phase: 3, dueAt: 6, heldMicros: 7, chargedMicros: 8 } as const

/** Returns SQL for SQLite that reads a member of the column `journey` in either form. */
export function memberOfJourney(member: keyof typeof PLACES): string {
  return `coalesce(json_extract(journey, '$[${PLACES[member]}]'), json_extract(journey, '$.${member}'))`
}

/**
 * SQL for SQLite: whether the column `journey` has a carrier, in either form. Its parameter is `"carrierId":"…"`. In a
 * list, a carrier is the only text that another list follows.
 */
export const HAS_CARRIER = `(SELECT instr(journey, member) + instr(journey, substr(member, 13) || ',[')
  FROM (SELECT ? AS member)) > 0`

export const writeList: WriteJourney = (journey) => JSON.stringify(toCells(journey))

export function readJourney(text: string): Journey {
  const stored: Journey | JourneyCells = JSON.parse(text)
  return Array.isArray(stored) ? fromCells(stored) : stored
}

/** Returns the journey with these changes, in the form that it has. */
export function changeJourney(text: string, change: (journey: Journey) => Journey): string {
  const write = text.startsWith('[') ? writeList : writeObject
  return write(change(readJourney(text)))
}

function toCells(journey: Journey): JourneyCells {
  const cells: JourneyCells = [
    journey.version,
    journey.status,
    journey.step,
    journey.phase,
    journey.attempts,
    journey.deadlineAt,
    journey.dueAt,
    journey.heldMicros,
    journey.chargedMicros,
    journey.reports,
    journey.deliveredBy,
    journey.steps.map(toStepCells),
  ]
  const { sendAt, verification, repeats, consent, bulk, trace, clicked, postponed, urgent, sentNowAt } = journey
  const { priority, testedCarrier } = journey
  const once = sendAt ?? verification ?? repeats ?? consent ?? bulk ?? trace
  const isPlain = (once ?? clicked ?? postponed ?? urgent ?? priority ?? testedCarrier) === undefined
  if (!isPlain) {
    const rare = { sentNowAt, priority, testedCarrier }
    cells.push({ sendAt, verification, repeats, consent, bulk, trace, clicked, postponed, urgent, ...rare })
  }
  return cells
}

function toStepCells(step: StepState): StepCells {
  const { status, at, carrierId, parts, detail, tried, uncertain, closed, again, from } = step
  const cells: StepCells = [status, at, carrierId, parts.map(toPartCells), detail]
  const isPlain = (tried ?? uncertain ?? closed ?? again ?? from) === undefined
  if (!isPlain) cells.push({ tried, uncertain, closed, again, from })
  return cells
}

function toPartCells({ state, ref, carrierId, category, perPart, noted }: PartState): PartCells {
  const isPlain = (carrierId ?? category ?? perPart ?? noted) === undefined
  return isPlain ? [state, ref] : [state, ref, { carrierId, category, perPart, noted }]
}

function fromCells(cells: JourneyCells): Journey {
  const [version, status, step, phase, attempts, deadlineAt, dueAt, ...others] = cells
  const [heldMicros, chargedMicros, reports, deliveredBy, steps, rest] = others
  const walk = { version, status, step, phase, attempts, deadlineAt, dueAt, steps: steps.map(fromStepCells) }
  return { ...walk, heldMicros, chargedMicros, reports, deliveredBy, ...readRest(rest) }
}

function fromStepCells([status, at, carrierId, parts, detail, rest]: StepCells): StepState {
  return { status, at, carrierId, detail, parts: parts.map(fromPartCells), ...readRest(rest) }
}

function fromPartCells([state, ref, rest]: PartCells): PartState {
  return { state, ref, ...readRest(rest) }
}

/** JSON has none of those that were undefined. */
function readRest<T>(rest: Rest<T> | undefined): Optional<T> | undefined {
  return rest as Optional<T> | undefined
}
