/** Posts to a hook and measures how long the answer takes. */
import type { Clock } from '../ports/clock.ts'
import type { HookAnswer, HookCall, HookPost } from '../ports/hook-post.ts'

export interface TimedAnswer {
  readonly answer: HookAnswer
  /** Milliseconds. */
  readonly tookMs: number
}

/** Nothing is posted without the secret that signs it. */
const HOOK_NOT_KNOWN: HookAnswer = { kind: 'failed', reason: 'not sent: the hook is too new' }

/** A null call is to a hook that only another node knows yet. Never rejects. */
export async function postTimed(
  { hookPost, clock }: { readonly hookPost: HookPost; readonly clock: Clock },
  call: HookCall | null,
): Promise<TimedAnswer> {
  const startedAt = clock.monotonic()
  const answer = call === null ? HOOK_NOT_KNOWN : await hookPost.post(call)
  return { answer, tookMs: clock.monotonic() - startedAt }
}
