/** Divides the turns of one `record` into parts that are recorded apart, and joins their outcomes. */
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { RecordedTurn, RecordOutcome } from '../../ports/stores/delivery-store.ts'

/**
 * Returns parts of `size` turns, more only where a message has several turns: they stay in one part and in their order,
 * because a turn that follows a stale one is stale too.
 */
export function divideTurns(turns: readonly RecordedTurn[], size: number): readonly (readonly RecordedTurn[])[] {
  if (turns.length <= size) return [turns]
  const parts: RecordedTurn[][] = []
  const partOf = new Map<MessageId, RecordedTurn[]>()
  for (const recorded of turns) {
    const { id } = recorded.turn.message
    const last = parts.at(-1)
    const part = partOf.get(id) ?? (last !== undefined && last.length < size ? last : [])
    if (part.length === 0) parts.push(part)
    partOf.set(id, part)
    part.push(recorded)
  }
  return parts
}

export function joinOutcomes(outcomes: readonly RecordOutcome[]): RecordOutcome {
  return {
    stale: outcomes.flatMap(({ stale }) => stale),
    elsewhere: outcomes.flatMap(({ elsewhere }) => elsewhere),
    earlyReceipts: outcomes.flatMap(({ earlyReceipts }) => earlyReceipts),
    queuedReports: outcomes.flatMap(({ queuedReports }) => queuedReports),
  }
}
