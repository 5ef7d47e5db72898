/** Mobile operators that lists have as MCC and MNC, with their names. */
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { operatorText } from './operator-name.ts'

const MCC_DIGITS = 3
/** More than any country has: all operators of one are read together. */
const MAX_OPERATORS = 1_000

/** Shows `Vodafone (262-02)`; the code alone until the name is known, and to users of an account. */
export function KnownOperator({ mccmnc }: { readonly mccmnc: string }) {
  const query = { search: mccmnc.slice(0, MCC_DIGITS), most: MAX_OPERATORS }
  const { data } = useApi('/operators/list', { query }, { enabled: useMay()('listOperators') })
  const name = data?.data.find((operator) => operator.mccmnc === mccmnc)?.name ?? null
  return <span className="whitespace-nowrap">{operatorText(mccmnc, name)}</span>
}

/** Shows each in a line of its own. */
export function KnownOperators({ codes }: { readonly codes: readonly string[] }) {
  return codes.map((mccmnc) => (
    <div key={mccmnc}>
      <KnownOperator mccmnc={mccmnc} />
    </div>
  ))
}
