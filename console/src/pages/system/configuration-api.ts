/** The configuration as it is read and sent. */
import { type AnswerOf, api } from '../../api/api.ts'

/** What is sent, both for the review and to apply it. */
export interface Wanted {
  readonly configuration: Readonly<Record<string, unknown>>
  readonly lose_receipts: boolean
}

export type Reviewed = AnswerOf<'PUT', '/configuration'>

/** Returns the text that `posthorn config export` prints. */
export async function readConfiguration(): Promise<string> {
  return `${JSON.stringify(await api.get('/configuration'), null, 2)}\n`
}

/** Returns what it would change, without changing it. */
export function reviewConfiguration(wanted: Wanted, key?: string): Promise<Reviewed> {
  return api.put('/configuration', { body: { ...wanted, dry_run: true }, key })
}
