/** Stores changes of opt-outs. Resolves once they are on disk and apply to new messages. */
import type { OptOutChange } from '../../domain/consent/opt-out.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { JourneyEvent } from '../../domain/message/journey-event.ts'
import type { Message } from '../../domain/message/message.ts'
import type { HookOutbox } from '../../ports/hooks/outbox.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'

export interface OptOutTools {
  readonly store: Pick<SetupStore, 'change'>
  readonly directory: () => Directory
  readonly refresh: () => Promise<void>
  readonly pump: Pick<HookOutbox, 'noteOptOuts'>
}

/** The pump, as consent uses it. */
export interface ConsentPump extends Pick<HookOutbox, 'noteOptOuts'> {
  messageOf(id: MessageId): Promise<Message | undefined>
  /** Resolves once the turn is on disk. */
  consent(message: Message, event: Extract<JourneyEvent, { kind: 'consent' }>): Promise<unknown>
}

export async function applyOptOuts(
  { store, directory, refresh, pump }: OptOutTools,
  changes: readonly OptOutChange[],
): Promise<void> {
  await store.change({ kind: 'change opt-outs', changes })
  pump.noteOptOuts(changes.flatMap(({ kind, optOut }) => (kind === 'add' ? optOut : [])))
  const { guards } = directory()
  if (changes.some(({ optOut }) => !guards.mayBeOptedOut(optOut.accountId))) await refresh()
}
