/** Who made a bulk: an operator, a user of the account, or a key. */
import type { AnswerOf } from '../../api/api.ts'
import { useBulkTexts } from './bulk-texts.ts'

type Made = Pick<AnswerOf<'GET', '/bulks'>['data'][number], 'created_by' | 'created_by_kind'>

/** The kind comes first: a name may be any text. Users of an account read no names of operators. */
export function MakerName({ made: { created_by: name, created_by_kind: kind } }: { readonly made: Made }) {
  const texts = useBulkTexts()
  if (kind === null) return <>–</>
  return (
    <span className="[overflow-wrap:anywhere]">
      {texts.makers[kind]}
      {name !== null && <span className="text-muted"> · {name}</span>}
    </span>
  )
}
