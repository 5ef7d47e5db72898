/** Reads what one operation of clients answered that ran for an operator. */
import { AdminProblem } from './admin-problem.ts'

interface OperationResult<Data> {
  readonly data: Data
  readonly warnings: readonly string[]
}

interface Answer<Data> {
  readonly error?: string
  readonly data?: readonly [
    { readonly success: boolean; readonly error?: string; readonly warnings?: readonly string[]; readonly data: Data },
  ]
}

/** Throws AdminProblem if the request as a whole was refused, or what `refuse` makes of the operation's error. */
export function resultIn<Data>(text: string, refuse: (error: string) => Error): OperationResult<Data> {
  const { error, data } = JSON.parse(text) as Answer<Data>
  const [result] = data ?? []
  if (result === undefined) throw new AdminProblem(503, error ?? 'the gateway did not answer')
  if (!result.success) throw refuse(result.error ?? 'was refused')
  return { data: result.data, warnings: [...(result.warnings ?? [])] }
}
