/**
 * What every message passes before it stands in line for a carrier: whether its people may be written to at all, and now.
 * Who has opted out is asked of the store, for many messages at once, and only for accounts of which anybody has.
 */
import type { Directory } from '../domain/directory.ts'
import type { Message } from '../domain/message.ts'
import { isOptedOut, type OptOut } from '../domain/opt-out.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { barOf } from './bar.ts'
import { BatchWriter } from './batch-writer.ts'
import type { Journeys } from './journeys.ts'

export interface ScreenTools {
  readonly store: Pick<Store, 'findOptOuts'>
  readonly directory: () => Directory
  readonly clock: Clock
  readonly log: Log
  /** Takes those that may go. */
  readonly lineUp: (message: Message) => void
}

/** People asked for at once. */
const BATCH_MOST = 500

export class Screen {
  readonly #tools: ScreenTools
  readonly #journeys: Journeys
  readonly #questions: BatchWriter<Message>

  constructor(tools: ScreenTools, journeys: Journeys) {
    this.#tools = tools
    this.#journeys = journeys
    this.#questions = new BatchWriter(tools, 'questions for opt-outs', BATCH_MOST, (batch) => this.#ask(batch))
  }

  get idle(): boolean {
    return this.#questions.idle
  }

  /** Lets a message that is held go to its line, or tells it why it may not. Simulated phones are nobody's. */
  pass(message: Message): void {
    const { directory, clock, lineUp } = this.#tools
    if (message.test) {
      lineUp(message)
      return
    }
    const bar = message.journey.phase === 'open' ? barOf(message, directory(), clock.now()) : null
    if (bar !== null) void this.#journeys.tell(message, bar)
    else if (canBeOptedOut(message, directory())) this.#questions.add(message)
    else lineUp(message)
  }

  /** Resolves once nothing is asked any more. */
  close(): Promise<void> {
    return this.#questions.close()
  }

  async #ask(batch: readonly Message[]): Promise<void> {
    const people = new Map(batch.map((message) => [personOf(message), message]))
    const found = Map.groupBy(await this.#tools.store.findOptOuts([...people.values()]), personOf)
    for (const message of batch) {
      this.#judge(this.#journeys.here(message.id) ?? message, found.get(personOf(message)) ?? [])
    }
  }

  #judge(message: Message, optOuts: readonly OptOut[]): void {
    const { plan, journey } = message
    const barred = plan.flatMap(({ channel, sender }, index) =>
      channel !== 'call' && isOptedOut(optOuts, sender) ? [index] : [],
    )
    const { step } = journey
    if (!barred.includes(step)) {
      this.#tools.lineUp(message)
      return
    }
    const at = this.#tools.clock.now()
    void this.#journeys.tell(message, { kind: 'filtered', at, step, barred, reason: 'the person has opted out' })
  }
}

/** A call is what somebody asked for just now, whatever messages he does not want. */
function canBeOptedOut({ accountId, plan, journey }: Message, { guards }: Directory): boolean {
  return journey.phase === 'open' && plan[journey.step]?.channel !== 'call' && guards.mayBeOptedOut(accountId)
}

function personOf({ accountId, phone }: Pick<OptOut, 'accountId' | 'phone'>): string {
  return `${accountId} ${phone}`
}
