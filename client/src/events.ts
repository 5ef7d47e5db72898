/** Reads events page by page, and waits while there are none. */
import { type Report, readReport } from './report.ts'
import type { EventPage, FeedEvent } from './result.ts'
import { wait } from './wait.ts'

export interface EventOptions {
  /** The cursor of the last event that was processed; without it, the last acknowledged event. */
  readonly after?: string | undefined
  /** Maximum number of events in one request: 1 to 1,000, by default 100. */
  readonly limit?: number | undefined
  /** Milliseconds until the next request after a page that was the last one; 1,000 by default. */
  readonly intervalMs?: number | undefined
  /** Ends the loop with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of events that were not read in time and are no longer kept. */
  readonly onMissed?: ((count: number) => void) | undefined
}

export interface ReceivedEvent {
  /** The same each time the event is read. */
  readonly id: string
  /** Store it together with what the event changes: as `after`, it continues behind this event. */
  readonly cursor: string
  readonly report: Report
}

/** @param read returns the page after a cursor. */
export async function* readEvents(
  read: (after: string | undefined) => Promise<EventPage>,
  { after, intervalMs = 1_000, signal, onMissed }: EventOptions,
): AsyncGenerator<ReceivedEvent, never> {
  for (let cursor = after; ; ) {
    const page = await read(cursor)
    if (page.missed > 0) onMissed?.(page.missed)
    for (const event of page.events) yield received(event)
    cursor = page.next
    if (!page.more) await wait(intervalMs, signal)
  }
}

function received(event: FeedEvent): ReceivedEvent {
  const { event_id: id, cursor, ...body } = event
  const report = readReport(body)
  return { id, cursor, report: report ?? { type: 'unknown', unknownType: event.type, body } }
}
