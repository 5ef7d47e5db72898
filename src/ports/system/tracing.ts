/** The port for traces: spans of requests, attempts, turns and reports. Absent if no tracer is installed. */

/** Attributes of a span: few and short, without phones, texts and secrets. */
type SpanFacts = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  readonly name: string
  /** The `traceparent` of the parent; null for a trace of its own. */
  readonly parent: string | null
  /** `client` for calls to others, `server` for requests. */
  readonly kind: 'server' | 'client' | 'internal'
  /** Milliseconds since 1970. */
  readonly at: number
  readonly facts?: SpanFacts
}

export interface OpenSpan {
  /** Of this span, for its children. */
  readonly traceparent: string
  /** `failure` marks the span as failed; null if it did well. */
  end(at: number, facts: SpanFacts, failure: string | null): void
}

export interface Tracing {
  start(span: SpanStart): OpenSpan
}
