/** The table of commands that lanes execute. */

import type { Acknowledgement } from '../../../ports/stores/event-store.ts'
import type { EndedParts, NewPart, OneName } from '../../../ports/stores/part-store.ts'
import { type ForgetOrder, forgetMessages } from '../../commands/erasure/forget-phone.ts'
import { keepAnswer } from '../../commands/installation/admin-requests.ts'
import { endParts, keepPart } from '../../commands/parts/long-messages.ts'
import { nameMessages } from '../../commands/parts/message-names.ts'
import { acknowledgeEvents } from '../../commands/reports/event-feed.ts'
import { BY_OPERATORS, GATEWAY, INBOUND, SHORT_LINKS } from '../../rows/queues/command-queue.ts'
import { changeBulks } from '../bulk/change-bulk.ts'
import { applyChanges } from '../changes/apply-change.ts'
import { enqueue, hold, holdDue, release } from '../claiming/claim-due.ts'
import { takeSlots } from '../cluster/carrier-slots.ts'
import { leavePlaces, notePlaces, takePlaces } from '../cluster/login-places.ts'
import { joinOverdue, recordInbound } from '../inbound/record-inbound.ts'
import { closeMonths } from '../money/close-months.ts'
import { recordSteps } from '../recording/record-steps.ts'
import { holdReports } from '../reports/claim-reports.ts'
import { replayReports } from '../reports/replay-reports.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { stopHooks } from '../reports/stop-hooks.ts'
import { acceptMessages } from '../requests/accept-messages.ts'
import { type EventReport, writeEventReports } from '../session/event-reports.ts'
import { runEach } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'
import { countClicks } from '../statistics/count-clicks.ts'
import { countTraffic } from '../statistics/count-traffic.ts'
import { sweepTotals } from '../statistics/message-totals.ts'
import { DROP_CONTENTS, leaveToSweep, sweepMessages } from '../sweeping/sweep-messages.ts'

interface KeptAnswer {
  readonly actor: string
  readonly key: string
  readonly answer: string
}

/** Commands executed in lanes. Each takes the inputs of several callers at once and answers each; an Error rejects. */
export const COMMANDS = {
  accept: acceptMessages,
  record: recordSteps,
  hold,
  holdDue,
  release,
  enqueue,
  takeSlots,
  takePlaces,
  leavePlaces,
  notePlaces,
  settleReports,
  holdReports,
  acknowledgeEvents: (session: Session, calls: readonly Acknowledgement[]) =>
    runEach(
      session,
      calls,
      ({ accountId }) => accountId,
      (call) => acknowledgeEvents(call, (ids) => leaveToSweep(session, ids)),
    ),
  keepPart: (session: Session, parts: readonly NewPart[]) =>
    runEach(
      session,
      parts,
      ({ accountId }) => accountId,
      (part) => keepPart(part, (text) => session.hashPhone(text)),
    ),
  nameMessages: (session: Session, all: readonly OneName[]) =>
    runEach(
      session,
      all,
      ({ accountId }) => accountId,
      (named) => nameMessages(named, (text) => session.hashPhone(text)),
    ),
  endParts: (session: Session, all: readonly EndedParts[]) =>
    runEach(
      session,
      all,
      ({ accountId }) => accountId,
      (ended) =>
        endParts(ended, {
          hashPhone: (text) => session.hashPhone(text),
          report: (report, at) => session.noteReports(writeEventReports(session, [{ report, at }])),
        }),
    ),
  replayReports,
  writeReports,
  countClicks,
  change: applyChanges,
  keepAnswer: (session: Session, answers: readonly KeptAnswer[]) =>
    runEach(
      session,
      answers,
      () => 0,
      ({ actor, key, answer }) => keepAnswer(actor, key, answer),
    ),
  stopHooks,
  closeMonths,
  joinOverdue,
  countTraffic,
  sweepMessages,
  sweepTotals,
  recordInbound,
  forgetMessages: (session: Session, orders: readonly ForgetOrder[]) =>
    runEach(
      session,
      orders,
      ({ bucket }) => bucket,
      (order) => forgetMessages(order, { contents: DROP_CONTENTS }),
    ),
  bulk: changeBulks,
} as const

type Commands = typeof COMMANDS
export type CommandName = keyof Commands
export type ArgumentOf<D extends CommandName> = Parameters<Commands[D]>[1][number]
export type AnswerOf<D extends CommandName> = Exclude<Awaited<ReturnType<Commands[D]>>[number], Error>

export type EngineCommand = {
  [D in CommandName]: { readonly name: D; readonly buckets: readonly number[]; readonly of: ArgumentOf<D> }
}[CommandName]

/** Returns the accounts whose money or settings the command changes. */
export function accountsOf(command: EngineCommand): readonly number[] {
  if (command.name === 'accept') return [command.of.accountId]
  if (command.name === 'bulk') return command.of.kind === 'send lines' ? [command.of.accountId] : []
  if (command.name !== 'record') return []
  return command.of.flatMap(({ turn }) => (turn.postings.length > 0 ? [turn.message.accountId] : []))
}

/** Requests of clients besides `accept`. */
type OfAccount =
  | 'acknowledgeEvents'
  | 'keepPart'
  | 'endParts'
  | 'nameMessages'
  | 'replayReports'
  | 'writeReports'
  | 'bulk'

const TENANTS: Readonly<Record<Exclude<CommandName, 'accept' | OfAccount>, number>> = {
  record: GATEWAY,
  hold: GATEWAY,
  holdDue: GATEWAY,
  release: GATEWAY,
  enqueue: GATEWAY,
  takeSlots: GATEWAY,
  takePlaces: GATEWAY,
  leavePlaces: GATEWAY,
  notePlaces: GATEWAY,
  settleReports: GATEWAY,
  holdReports: GATEWAY,
  stopHooks: GATEWAY,
  countTraffic: GATEWAY,
  recordInbound: INBOUND,
  joinOverdue: INBOUND,
  countClicks: SHORT_LINKS,
  change: BY_OPERATORS,
  keepAnswer: BY_OPERATORS,
  closeMonths: BY_OPERATORS,
  sweepMessages: BY_OPERATORS,
  sweepTotals: BY_OPERATORS,
  forgetMessages: BY_OPERATORS,
}

/** Returns the tenant of the command: tenants take turns (command-queue.ts). */
export function commandTenant(command: EngineCommand): number {
  const { name, of } = command
  if (name === 'writeReports') return of.report.accountId
  if (name === 'accept' || name === 'bulk') return of.accountId
  if (name === 'acknowledgeEvents' || name === 'replayReports') return of.accountId
  if (name === 'keepPart' || name === 'endParts' || name === 'nameMessages') return of.accountId
  return TENANTS[name]
}

/** Writes reports whose events have ids already. */
async function writeReports(session: Session, events: readonly EventReport[]): Promise<readonly null[]> {
  await session.leased()
  session.noteReports(writeEventReports(session, events))
  return events.map(() => null)
}
