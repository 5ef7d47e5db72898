/** Summarizes the verdicts of one attempt. */
import type { Verdict } from './journey-event.ts'

export type NotTaken = Exclude<Verdict, { kind: 'taken' }>

const GRAVITY: readonly NotTaken['kind'][] = ['unreachable', 'unclear', 'slow', 'refused']

/** Returns the verdict that decides for the whole step; null if every part was taken. */
export function gravestOf(verdicts: readonly Verdict[]): NotTaken | null {
  let gravest: NotTaken | null = null
  for (const verdict of verdicts) {
    if (verdict.kind === 'taken') continue
    if (gravest === null || GRAVITY.indexOf(verdict.kind) > GRAVITY.indexOf(gravest.kind)) gravest = verdict
  }
  return gravest
}

export function mayHaveArrived(verdict: Verdict): boolean {
  return verdict.kind === 'taken' || verdict.kind === 'unclear'
}

/** Describes the verdicts, for the timeline. */
export function describe(verdicts: readonly Verdict[]): string {
  return verdicts.map((verdict) => (verdict.kind === 'taken' ? describeTaken(verdict) : verdict.reason)).join('; ')
}

function describeTaken({ ref, note }: Extract<Verdict, { kind: 'taken' }>): string {
  return note === undefined ? `as ${ref}` : `as ${ref}, ${note}`
}
