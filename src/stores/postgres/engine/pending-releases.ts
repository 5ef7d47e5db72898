/**
 * What the node may hold in the database but not in memory: messages and reports of abandoned calls whose outcome was
 * unknown, and failed releases. They are released with the next batch.
 */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { AcceptOutcome, ItemOutcome } from '../../../ports/stores/intake-store.ts'
import type { ReportKey } from '../claiming/claim-due.ts'
import type { AnswerOf, EngineCommand } from './commands.ts'

export class PendingReleases {
  #messages: MessageId[] = []
  #reports: ReportKey[] = []

  get isEmpty(): boolean {
    return this.#messages.length + this.#reports.length === 0
  }

  /** Adds an abandoned batch; its answers are null if nothing of it was written. */
  add(batch: readonly EngineCommand[], answers: readonly unknown[] | null): void {
    for (const [place, command] of batch.entries()) {
      if (command.name === 'release') {
        this.#messages.push(...command.of.messages)
        this.#reports.push(...command.of.reports)
      }
      const answer = answers?.[place]
      if (answer instanceof Error || answer === undefined) continue
      if (command.name === 'accept') this.#messages.push(...acceptedIn(answer as AcceptOutcome))
      if (command.name === 'bulk') this.#messages.push(...sentIn(answer as AnswerOf<'bulk'>))
      if (command.name === 'holdDue') this.#messages.push(...(answer as AnswerOf<'holdDue'>).map(({ id }) => id))
      if (command.name === 'holdReports') this.#reports.push(...(answer as AnswerOf<'holdReports'>))
    }
  }

  /** Returns them as commands for the front of a batch, which is now responsible for them. */
  take(): readonly EngineCommand[] {
    if (this.isEmpty) return []
    const of = { messages: this.#messages, reports: this.#reports }
    const ids = [...of.messages, ...of.reports.map(({ messageId }) => messageId)]
    this.#messages = []
    this.#reports = []
    return [{ name: 'release', buckets: [...new Set(ids.map(bucketOfMessage))], of }]
  }
}

/** Releasing messages that wait unheld has no effect and does no harm. */
function acceptedIn(outcome: AcceptOutcome): readonly MessageId[] {
  return outcome.kind === 'executed' ? idsOf(outcome.outcomes) : []
}

function sentIn(answer: AnswerOf<'bulk'>): readonly MessageId[] {
  return typeof answer === 'object' && answer !== null && 'outcomes' in answer ? idsOf(answer.outcomes) : []
}

function idsOf(outcomes: readonly ItemOutcome[]): readonly MessageId[] {
  return outcomes.flatMap((each) => (each.kind === 'accepted' ? [each.messageId] : []))
}
