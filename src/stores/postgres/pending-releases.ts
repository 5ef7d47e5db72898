/**
 * What the node may hold in the database without having it in memory: messages and reports of calls that were given up
 * while nobody knew whether they were written, and what could not be given back. It is given back with the next batch.
 */
import { bucketOfMessage, type MessageId } from '../../domain/message-id.ts'
import type { AcceptOutcome } from '../../ports/intake-store.ts'
import type { ReportKey } from './claim-due.ts'
import type { AnswerOf, Command } from './commands.ts'

export class PendingReleases {
  #messages: MessageId[] = []
  #reports: ReportKey[] = []

  get isEmpty(): boolean {
    return this.#messages.length + this.#reports.length === 0
  }

  /** Of a batch that was given up; its answers are null when nothing of it was written. */
  add(batch: readonly Command[], answers: readonly unknown[] | null): void {
    for (const [place, command] of batch.entries()) {
      if (command.name === 'release') {
        this.#messages.push(...command.of.messages)
        this.#reports.push(...command.of.reports)
      }
      const answer = answers?.[place]
      if (answer instanceof Error || answer === undefined) continue
      if (command.name === 'accept') this.#messages.push(...acceptedIn(answer as AcceptOutcome))
      if (command.name === 'holdDue') this.#messages.push(...(answer as AnswerOf<'holdDue'>).map(({ id }) => id))
      if (command.name === 'holdReports') this.#reports.push(...(answer as AnswerOf<'holdReports'>))
    }
  }

  /** As commands for the front of a batch, which owes them from now on. */
  take(): readonly Command[] {
    if (this.isEmpty) return []
    const of = { messages: this.#messages, reports: this.#reports }
    const ids = [...of.messages, ...of.reports.map(({ messageId }) => messageId)]
    this.#messages = []
    this.#reports = []
    return [{ name: 'release', buckets: [...new Set(ids.map(bucketOfMessage))], of }]
  }
}

/** Those that wait for whoever has room are let go in vain, which does no harm. */
function acceptedIn(outcome: AcceptOutcome): readonly MessageId[] {
  if (outcome.kind !== 'executed') return []
  return outcome.outcomes.flatMap((each) => (each.kind === 'accepted' ? [each.messageId] : []))
}
