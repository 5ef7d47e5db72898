/** Which accounts belong to which price group from when on; planned moves are cancelled here. */
import { CalendarClock, CalendarX } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, urlNumber, useUrlState } from '../../parts/list/url-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { AccountFilter } from '../accounts/account-field.tsx'
import { AccountName, labelOf, useAccountName } from '../accounts/account-name.tsx'
import { invalidateGroups, pathOfGroup } from './group.ts'
import { useGroupTexts } from './group-texts.ts'
import { MoveButton } from './move-dialog.tsx'

export type Stay = AnswerOf<'GET', '/price-group-memberships'>['data'][number]

const STATES = ['planned', 'present', 'past'] as const
const TONES = { past: 'plain', present: 'good', planned: 'info' } as const
const FIELDS = { account: urlNumber(), state: urlChoice(['', ...STATES], '') }

export function Moves() {
  const texts = useGroupTexts()
  const may = useMay()
  const [{ account, state }, change] = useUrlState(FIELDS)
  const [cancelled, setCancelled] = useState<Stay | null>(null)
  const query = { ...(account === null ? {} : { account }), ...(state === '' ? {} : { state }) }
  const list = usePages('/price-group-memberships', { query })
  return (
    <Card title={texts.moves} description={texts.movesHint} actions={<MoveButton />} flush>
      <Filters isFiltered={account !== null || state !== ''} onClear={() => change({ account: null, state: '' })}>
        <AccountFilter label={texts.account} account={account} onAccount={(value) => change({ account: value })} />
        <SelectFilter
          label={texts.anyState}
          value={state}
          choices={STATES.map((value) => ({ value, label: texts.states[value] }))}
          onValue={(value) => change({ state: value })}
        />
      </Filters>
      <DataTable
        caption={texts.moves}
        columns={useColumns(may('removeGroupMembership') ? setCancelled : null)}
        list={list}
        rowKey={({ account: whose, from }) => `${whose} ${from}`}
        empty={<EmptyState icon={CalendarClock} title={texts.noMoves} />}
      />
      {cancelled !== null && <CancelMove stay={cancelled} onClose={() => setCancelled(null)} />}
    </Card>
  )
}

/** The name of the group, linked to its page. */
export function GroupName({ group }: { readonly group: string | null }) {
  const texts = useGroupTexts()
  if (group === null) return <span className="text-muted">{texts.noGroup}</span>
  return <TextLink to={pathOfGroup(group)}>{group}</TextLink>
}

function useColumns(cancel: ((stay: Stay) => void) | null): readonly Column<Stay>[] {
  const texts = useGroupTexts()
  const columns: readonly Column<Stay>[] = [
    {
      key: 'account',
      label: texts.account,
      wraps: true,
      cell: ({ account }) => <AccountName account={account} linked />,
    },
    { key: 'group', label: texts.group, cell: ({ group }) => <GroupName group={group} /> },
    {
      key: 'from',
      label: texts.from,
      belowOnPhone: true,
      cell: ({ from }) => <Moment at={from} none={texts.always} />,
    },
    {
      key: 'until',
      label: texts.until,
      belowOnPhone: true,
      cell: ({ until }) => <Moment at={until} none={texts.noEnd} />,
    },
    {
      key: 'state',
      label: texts.state,
      belowOnPhone: true,
      cell: ({ state }) => <Badge tone={TONES[state]}>{texts.states[state]}</Badge>,
    },
  ]
  if (cancel === null) return columns
  const actions: Column<Stay> = {
    key: 'cancel',
    label: texts.cancelMove,
    hideLabel: true,
    align: 'right',
    cell: (stay) =>
      stay.state === 'planned' && <IconButton label={texts.cancelMove} icon={CalendarX} onClick={() => cancel(stay)} />,
  }
  return [...columns, actions]
}

function CancelMove({ stay: { account, from }, onClose }: { readonly stay: Stay; readonly onClose: () => void }) {
  const texts = useGroupTexts()
  const name = labelOf(account, useAccountName(account))
  const run = async (key: string) => {
    await api.delete('/price-group-memberships', { query: { account, from }, key })
    invalidateGroups()
    toast(texts.moveCancelled)
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={texts.cancelMoveTitle}
      action={texts.cancelMove}
      keep={texts.cancel}
      run={run}
    >
      {texts.cancelMoveText(name)}
    </ConfirmDialog>
  )
}
