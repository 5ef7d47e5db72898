/** The price group of an account and its planned moves: for operators. */
import { useApi } from '../../api/queries.ts'
import { Moment } from '../../parts/moment.tsx'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useGroupTexts } from './group-texts.ts'
import { MoveButton } from './move-dialog.tsx'
import { GroupName, type Stay } from './moves.tsx'

interface AccountGroupProps {
  readonly account: number
  readonly name: string
}

export function AccountGroup({ account, name }: AccountGroupProps) {
  const texts = useGroupTexts()
  const { data: present } = useApi('/price-group-memberships', { query: { account, state: 'present' } })
  const { data: planned } = useApi('/price-group-memberships', { query: { account, state: 'planned' } })
  const now = present?.data[0]
  const later = planned?.data ?? []
  return (
    <Card
      title={texts.ofAccount}
      description={texts.ofAccountHint}
      actions={<MoveButton account={{ value: String(account), label: `${name} · ${account}` }} />}
    >
      <KeyValues
        items={[
          { label: texts.states.present, value: <Membership group={now?.group ?? null} from={now?.from ?? null} /> },
          ...(later.length === 0
            ? []
            : [{ label: texts.states.planned, value: later.map((each) => <Membership key={each.from} {...each} />) }]),
        ]}
      />
      {later.length > 0 && (
        <TextLink
          to="/prices"
          search={{ tab: 'moves', account: String(account) }}
          className="mt-2 inline-block text-sm"
        >
          {texts.showMoves}
        </TextLink>
      )}
    </Card>
  )
}

function Membership({ group, from }: Pick<Stay, 'group' | 'from'>) {
  const texts = useGroupTexts()
  return (
    <>
      <div>
        <GroupName group={group} />
      </div>
      {from !== null && (
        <div className="text-sm text-muted">
          {texts.startingAt} <Moment at={from} none="" />
        </div>
      )}
    </>
  )
}
