/**
 * Traces by OpenTelemetry. The gateway has only its API: spans go to the SDK that the operator loads with `--import`.
 * Without one there is no tracing, and no span is ever made.
 */
import {
  type Context,
  isSpanContextValid,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { readTraceparent } from '../../domain/network/traceparent.ts'
import type { OpenSpan, SpanStart, Tracing } from '../../ports/system/tracing.ts'

const NAME = 'posthorn'
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** Returns null if no SDK is registered. */
export function openTracing(): Tracing | null {
  const provider: TracerProvider & Partial<ProxyTracerProvider> = trace.getTracerProvider()
  // A proxy, also of another copy of the API: it has a tracer only once an SDK is registered.
  const tracer = provider.getDelegateTracer ? provider.getDelegateTracer(NAME) : provider.getTracer(NAME)
  return tracer === undefined ? null : { start: (span) => startSpan(tracer, span) }
}

function startSpan(tracer: Tracer, { name, parent, kind, at, facts = {} }: SpanStart): OpenSpan {
  const options = { kind: KINDS[kind], startTime: at, attributes: facts, root: parent === null }
  const span = tracer.startSpan(name, options, contextOf(parent))
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end: (endAt, further, failure) => {
      span.setAttributes(further)
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end(endAt)
    },
  }
}

function contextOf(parent: string | null): Context {
  const [, traceId = '', spanId = '', flags = '00'] = (readTraceparent(parent) ?? '').split('-')
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT
}
