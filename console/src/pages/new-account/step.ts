/** What each step after the first gets. */
import type { AnswerOf } from '../../api/api.ts'

export interface StepProps {
  readonly account: AnswerOf<'GET', '/accounts/{account}'>
  readonly onDone: () => void
}
