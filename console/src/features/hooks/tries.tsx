/** The tries of a report, and when the next one is. */
import { useId } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { classes } from '../../parts/classes.ts'
import { Num, Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useHookTexts } from './hook-texts.ts'

type Report = AnswerOf<'GET', '/reports/{message}'>['data'][number]

/** Shows nothing for a report that was delivered once, at once. */
export function Tries({ report: { last_tries: tries, failed_tries: failed } }: { readonly report: Report }) {
  const texts = useHookTexts()
  const id = useId()
  if (tries.length === 0) return null
  return (
    <div>
      <p id={id} className="mb-2 text-sm text-muted">
        {failed > tries.length ? texts.someTries : texts.tries}
      </p>
      <ol aria-labelledby={id} className="flex flex-col gap-1 border-l pl-4">
        {tries.map(({ at, delivered, took_ms: took, detail }) => (
          <li key={at} className="flex flex-wrap gap-x-3">
            <Time at={at} show="exact" />
            <span className={classes('[overflow-wrap:anywhere]', delivered && 'text-good')}>
              {delivered ? texts.delivered(gatewayText(detail)) : gatewayText(detail)}
            </span>
            {took !== null && (
              <span className="text-muted">
                <Num value={took} /> ms
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The entry for a list of facts; none once the report is sent or failed. */
export function useNextTry() {
  const texts = useHookTexts()
  return ({ waits_for: waits, next_at: at }: Report) => {
    if (waits === null) return []
    const value = waits === 'retry' ? <Time at={at} show="both" /> : texts.waitsFor[waits]
    return [{ label: texts.nextTry, value }]
  }
}
