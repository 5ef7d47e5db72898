/**
 * The `traceparent` of W3C Trace Context: the trace and the span of the caller. A message keeps that of its request, so
 * that its submissions and reports belong to the client's trace.
 */

/** Version 00, 55 characters. Ids of zeros alone are invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Returns the text if it is a valid `traceparent`; otherwise null: as if it was not sent. */
export function readTraceparent(text: string | null | undefined): string | null {
  return typeof text === 'string' && TRACEPARENT.test(text) ? text : null
}
