/** Opens the port to clients' hooks: in a thread of its own, or in this one for tests with a clock of their own. */
import { HookThread } from '../../http/hooks/hook-thread.ts'
import { createHookPost } from '../../http/hooks/post-hook.ts'
import type { HookPost } from '../../ports/hooks/hook-post.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { HostNames } from '../../wire/host-names.ts'

export interface HookPostOptions {
  readonly clock: Clock
  readonly log: Log
  /** Networks in CIDR form in which hooks may be although they are not public. */
  readonly allow: readonly string[]
  readonly inThread: boolean
}

/** Beside this file, in the sources and in the published build. */
export const HOOK_WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './hook-worker.ts' : './hook-worker.js',
  import.meta.url,
)

export function openHookPost({ clock, log, allow, inThread }: HookPostOptions): HookPost {
  if (inThread) return new HookThread({ clock, log, file: HOOK_WORKER, worker: { allow } })
  // Separate from the names of carriers, because clients choose the names of hooks.
  const names = new HostNames()
  return createHookPost({ clock, allow, resolve: (name) => names.resolve(name) })
}
