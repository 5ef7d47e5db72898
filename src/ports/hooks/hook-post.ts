/**
 * The port for calls of clients' hooks: one request, one answer. A report goes as a signed POST, or in the form that
 * its address names (domain/reports/report-target.ts).
 */

export interface HookPost {
  /** Never rejects; answers in bounded time. */
  post(call: HookCall): Promise<HookAnswer>
  /** Whether this node can call the hook now; its reports wait in the store until one can. Always if absent. */
  reaches?(hook: string): boolean
  /** Aborts requests in progress (they answer `failed`) and closes the connections. */
  stop(): Promise<void>
}

export interface HookCall {
  /** The account of the hook: DNS lookups for the request count towards its limit. */
  readonly account: number
  /** Of the report; anything but an http(s) address, alone or in a form, is answered with `forbidden`. */
  readonly address: string
  readonly body: string
  /** `posthorn-reports`: reports in the body, a JSON array; null if it is the object of one report. */
  readonly count: number | null
  /** `webhook-id`: the same on every try of one report, so that clients can drop duplicates; new for every array. */
  readonly id: string
  /** The header of this name, which is not signed; absent for none. */
  readonly traceparent?: string
  /** `webhook-timestamp`: the time of this try, milliseconds since 1970. */
  readonly at: number
  /** One signature for each, by Standard Webhooks 1.0; without secrets there is no signature. */
  readonly secrets: readonly string[]
}

export type HookAnswer =
  /** The hook answered. Redirects count as answers and are not followed. */
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly retryAfterMs: number | null
      /** The text of the answer in a form whose programs say something with it; absent elsewhere. */
      readonly text?: string
    }
  /** It is unknown whether the hook got it: no connection, no answer in time, no HTTP. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was sent: the address is not allowed for hooks. */
  | { readonly kind: 'forbidden'; readonly reason: string }
