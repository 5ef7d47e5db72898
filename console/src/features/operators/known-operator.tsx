/** Mobile operators that lists have as MCC and MNC, with their names. */
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
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

/** Of a longer list, those shown until the others are asked for: each country is a request. */
const SHOWN = 3

/** Shows each in a line of its own. */
export function KnownOperators({ codes }: { readonly codes: readonly string[] }) {
  const texts = usePartTexts()
  const [shown, setShown] = useState(SHOWN)
  return (
    <>
      {codes.slice(0, shown).map((mccmnc) => (
        <div key={mccmnc}>
          <KnownOperator mccmnc={mccmnc} />
        </div>
      ))}
      {codes.length > shown && (
        <Button kind="plain" size="small" onClick={() => setShown(codes.length)}>
          {texts.andMore(codes.length - shown)}
        </Button>
      )}
    </>
  )
}
