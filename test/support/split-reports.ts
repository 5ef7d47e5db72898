/** The reports in the body of a call to a hook: one object, or an array of several. */

export interface SplitReport {
  /** The `webhook-id`, or the `webhook_id` in an array. */
  readonly id: string
  /** As it is posted alone. */
  readonly body: string
}

export function splitReports({ id, body }: SplitReport): readonly SplitReport[] {
  if (!body.startsWith('[')) return [{ id, body }]
  const items = JSON.parse(body) as readonly { readonly webhook_id: string }[]
  return items.map(({ webhook_id, ...report }) => ({ id: webhook_id, body: JSON.stringify(report) }))
}
