/** Limits how many alarms are open, so that no kind takes the room of another one. */
import type { AlarmKind, Severity } from './alarm.ts'

/** Kinds with as many subjects as clients like: accounts, prefixes, operators. Each has room of its own. */
const NUMEROUS: readonly AlarmKind[] = ['hook_stopped', 'balance_low', 'pumping', 'delivery_share']
/** Open alarms of a numerous kind and a severity. */
const MAX_OPEN_OF_KIND = 100
/** Open alarms of all other kinds together. */
const MAX_OPEN_OF_OTHERS = 200
const OTHERS = 'others'

interface Graded {
  readonly kind: AlarmKind
  readonly severity: Severity
}

/** Whether clients alone can cause many alarms of the kind. */
export function isNumerous(kind: AlarmKind): boolean {
  return NUMEROUS.includes(kind)
}

/** The room that is left beside open alarms. */
export class OpenAlarmLimit {
  readonly #used = new Map<string, number>()

  constructor(open: readonly Graded[]) {
    for (const alarm of open) this.#add(roomOf(alarm))
  }

  /** Returns whether one more alarm may be opened, and counts it then. */
  take(alarm: Graded): boolean {
    const room = roomOf(alarm)
    const most = room === OTHERS ? MAX_OPEN_OF_OTHERS : MAX_OPEN_OF_KIND
    if ((this.#used.get(room) ?? 0) >= most) return false
    this.#add(room)
    return true
  }

  #add(room: string): void {
    this.#used.set(room, (this.#used.get(room) ?? 0) + 1)
  }
}

function roomOf({ kind, severity }: Graded): string {
  return isNumerous(kind) ? `${kind} ${severity}` : OTHERS
}
