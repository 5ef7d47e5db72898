/** The hole in the wall for POSTs to clients' hooks: one call, one answer, and no knowledge of what a report is. */

export interface HookPost {
  /** Never rejects; answers in bounded time. */
  post(call: HookCall): Promise<HookAnswer>
  /** Gives up what is still under way (it answers `failed`) and closes the connections. */
  stop(): Promise<void>
}

export interface HookCall {
  /** Whose hook it is: what is looked up for the call counts for this account. */
  readonly account: number
  /** As the client gave it; anything but an http(s) address is answered with `forbidden`. */
  readonly address: string
  readonly body: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

export type HookAnswer =
  /** The hook has answered, redirects included: they are not followed. */
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  /** Nobody knows whether the hook has got it: no connection, no answer in time, no HTTP. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was sent: the address is none that a hook may have. */
  | { readonly kind: 'forbidden'; readonly reason: string }
