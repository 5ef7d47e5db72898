/** What a provider asks, as fields of a form: `answers.accountSid`. */
import type { AnswerOf } from '../../api/api.ts'
import { TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { useFormTexts } from './settings-form/form-texts.ts'

export type Question = AnswerOf<'GET', '/providers/{provider}'>['questions'][number]
export type AnswerValues = { [answer: `answers.${string}`]: string }

interface QuestionFieldsProps {
  readonly questions: readonly Question[]
  readonly form: Pick<FormState<AnswerValues>, 'field'>
  /** Whether secrets are stored, and stay if nothing is typed. */
  readonly isStored?: boolean
}

export function QuestionFields({ questions, form, isStored = false }: QuestionFieldsProps) {
  const texts = useFormTexts()
  return questions.map(({ name, title, help, example, secret, required }) => (
    <TextField
      key={name}
      {...form.field(`answers.${name}`)}
      label={title}
      hint={help}
      optional={!required && !isStored}
      placeholder={secret && isStored ? texts.stored : (example ?? undefined)}
      spellCheck={false}
      {...(secret && { type: 'password', autoComplete: 'new-password' })}
    />
  ))
}

/** Returns the answers that the form has; `before` leaves out those that are the same. */
export function answersOf(
  questions: readonly Question[],
  values: AnswerValues,
  before: AnswerValues = {},
): Readonly<Record<string, string>> {
  const typed = questions.flatMap(({ name }) => {
    const answer = (values[`answers.${name}`] ?? '').trim()
    return answer === '' || answer === before[`answers.${name}`] ? [] : [[name, answer] as const]
  })
  return Object.fromEntries(typed)
}
