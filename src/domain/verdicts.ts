/** Summarizes the verdicts of one attempt. */
import type { Verdict } from './journey-event.ts'

export type NotTaken = Exclude<Verdict, { kind: 'taken' }>

const GRAVITY: readonly NotTaken['kind'][] = ['unreachable', 'unclear', 'slow', 'refused']

/** Returns the verdict that decides for the whole step; null if every part was taken. */
export function gravestOf(verdicts: readonly Verdict[]): NotTaken | null {
  const missing = verdicts.filter((verdict) => verdict.kind !== 'taken')
  return missing.sort((a, b) => GRAVITY.indexOf(b.kind) - GRAVITY.indexOf(a.kind))[0] ?? null
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
