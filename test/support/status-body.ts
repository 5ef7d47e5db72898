/** The body of a report about the status of a message, as domain/reports/report.ts writes it. */
export function statusBody(change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    type: 'message.status',
    timestamp: '2026-03-01T08:00:05.000Z',
    id: null,
    msg_id: 4711,
    phone: 491701234567,
    status: 'DELIVERED',
    channel: 'sms',
    parts: 1,
    price: 0.05,
    currency: 'EUR',
    error: null,
    steps: [],
    ...change,
  })
}
