/** Mobile operators with their names and prefixes. */
import { Ellipsis, ListOrdered, Pencil, Plus, RadioTower } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { operatorText } from '../../features/operators/operator-name.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/form/field.tsx'
import { FileButton } from '../../parts/form/file-button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { urlText, useUrlState } from '../../parts/list/url-state.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { usePreferences } from '../../texts/language.ts'
import { type Operator, refreshOperators } from './operator.ts'
import { AddPrefix, NameOperator } from './operator-dialogs.tsx'
import { OperatorPrefixes } from './operator-prefixes.tsx'
import { useOperatorTexts } from './operator-texts.ts'

type Chosen = { readonly action: 'name' | 'prefixes'; readonly operator: Operator } | { readonly action: 'add' }
interface ChosenFile {
  readonly name: string
  readonly csv: string
}

const STATE = { search: urlText() }

export function OperatorsTab() {
  const texts = useOperatorTexts()
  const mayChange = useMay()('setOperatorPrefix')
  const [{ search }, change] = useUrlState(STATE)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [loses, setLoses] = useState(false)
  const operators = usePages('/operators/list', { query: search === '' ? {} : { search } })
  const columns = useColumns(setChosen, mayChange)
  const close = () => setChosen(null)
  const choose = (csv: string, name: string) => {
    setLoses(false)
    setFile({ csv, name })
  }
  const actions = mayChange && (
    <>
      <FileButton accept=".csv,.txt,text/csv,text/plain" onText={choose}>
        {texts.import}
      </FileButton>
      <Button kind="primary" icon={Plus} onClick={() => setChosen({ action: 'add' })}>
        {texts.add}
      </Button>
    </>
  )
  return (
    <Card title={texts.title} description={texts.description} actions={actions} flush>
      <Filters isFiltered={search !== ''} onClear={() => change({ search: '' })}>
        <TextFilter label={texts.search} value={search} onValue={(value) => change({ search: value })} />
      </Filters>
      <DataTable
        caption={texts.title}
        columns={columns}
        list={operators}
        rowKey={({ mccmnc }) => mccmnc}
        empty={
          <EmptyState icon={RadioTower} title={search === '' ? texts.none : texts.noneHere}>
            {search === '' && texts.noneHint}
          </EmptyState>
        }
      />
      {chosen?.action === 'add' && <AddPrefix onClose={close} />}
      {chosen?.action === 'name' && <NameOperator operator={chosen.operator} onClose={close} />}
      {chosen?.action === 'prefixes' && (
        <OperatorPrefixes operator={chosen.operator} mayChange={mayChange} onClose={close} />
      )}
      <ConfirmDialog
        open={file !== null}
        onClose={() => setFile(null)}
        title={texts.importTitle}
        action={texts.importAction}
        danger
        run={async (key) => {
          const { prefixes } = await api.put('/operators', {
            body: { csv: file?.csv ?? '', ...(loses ? { confirm: true } : {}) },
            key,
          })
          refreshOperators()
          toast(texts.imported(prefixes))
        }}
      >
        <div className="flex flex-col gap-4">
          {texts.importText(file?.name ?? '')}
          <Checkbox label={texts.importLoss} name="confirm" value={loses} onValue={setLoses} />
        </div>
      </ConfirmDialog>
    </Card>
  )
}

function useColumns(choose: (chosen: Chosen) => void, mayChange: boolean): readonly Column<Operator>[] {
  const texts = useOperatorTexts()
  const { language } = usePreferences()
  const countryNames = new Intl.DisplayNames(language, { type: 'region' })
  return [
    {
      key: 'operator',
      label: texts.operator,
      cell: ({ name }) =>
        name === null ? (
          <span className="text-muted">{texts.unnamed}</span>
        ) : (
          <span className="font-medium">{name}</span>
        ),
    },
    {
      key: 'code',
      label: texts.code,
      cell: ({ mccmnc }) => <span className="whitespace-nowrap tabular-nums">{operatorText(mccmnc, null)}</span>,
    },
    {
      key: 'countries',
      label: texts.countries,
      hideOn: 'phone',
      cell: ({ countries }) => countries.map((each) => countryNames.of(each) ?? each).join(', ') || '–',
    },
    {
      key: 'prefixes',
      label: texts.prefixes,
      align: 'right',
      hideOn: 'phone',
      cell: ({ prefixes }) => <Num value={prefixes} />,
    },
    {
      key: 'actions',
      label: texts.actionsLabel,
      hideLabel: true,
      align: 'right',
      cell: (operator) => (
        <Menu
          trigger={
            <IconButton icon={Ellipsis} label={texts.actions(operatorText(operator.mccmnc, operator.name) ?? '')} />
          }
        >
          <MenuItem icon={ListOrdered} onSelect={() => choose({ action: 'prefixes', operator })}>
            {texts.show}
          </MenuItem>
          {mayChange && (
            <MenuItem icon={Pencil} onSelect={() => choose({ action: 'name', operator })}>
              {texts.rename}
            </MenuItem>
          )}
        </Menu>
      ),
    },
  ]
}
