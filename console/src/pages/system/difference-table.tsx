/** What changes, by section: each item with its fields as they are and as they would be. */
import { useState } from 'react'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import type { Reviewed } from './configuration-api.ts'
import { useSystemTexts } from './texts.ts'

type Change = Reviewed['changes'][number]
type Action = Change['action']
type Section = keyof ReturnType<typeof useSystemTexts>['sections']

const TONES: Readonly<Record<Action, BadgeTone>> = { added: 'good', removed: 'bad', changed: 'info' }
const ACTIONS: readonly Action[] = ['added', 'removed', 'changed']
const STEP = 100
const CELL = 'border-b px-4 py-2 align-top max-sm:px-3 first:pl-5 last:pr-5 [overflow-wrap:anywhere]'

export function DifferenceTable({ changes }: { readonly changes: readonly Change[] }) {
  const texts = useSystemTexts()
  const [filter, setFilter] = useState<{ readonly section: string; readonly action: Action | '' }>(NO_FILTER)
  const [shown, setShown] = useState(STEP)
  const { section, action } = filter
  const nameOf = (each: string) => texts.sections[each as Section] ?? each
  const sections = [...new Set(changes.map((change) => change.section))]
  const found = changes.filter((change) => {
    return (section === '' || change.section === section) && (action === '' || change.action === action)
  })
  const choose = (some: Partial<typeof filter>) => {
    setFilter({ ...filter, ...some })
    setShown(STEP)
  }
  return (
    <>
      <Filters isFiltered={section !== '' || action !== ''} onClear={() => choose(NO_FILTER)}>
        <SelectFilter
          label={texts.anySection}
          value={section}
          choices={sections.map((value) => ({ value, label: nameOf(value) }))}
          onValue={(value) => choose({ section: value })}
        />
        <SelectFilter
          label={texts.anyAction}
          value={action}
          choices={ACTIONS.map((value) => ({ value, label: texts.actions[value] }))}
          onValue={(value) => choose({ action: value })}
        />
      </Filters>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={texts.differences} tabIndex={0} className="max-h-[75vh] overflow-auto">
        <table className="w-full min-w-[520px] table-fixed border-separate border-spacing-0 text-left">
          <caption className="sr-only">{texts.differences}</caption>
          <thead>
            <tr>
              {[texts.what, texts.now, texts.after].map((label) => (
                <th
                  key={label}
                  scope="col"
                  className="sticky top-0 z-10 border-b bg-surface px-4 py-2.5 text-xs font-medium text-muted max-sm:px-3 first:pl-5 last:pr-5"
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          {found.slice(0, shown).map((change) => (
            <ItemRows key={`${change.section} ${change.item}`} change={change} section={nameOf(change.section)} />
          ))}
        </table>
      </section>
      {found.length > shown && (
        <div className="border-t px-5 py-2">
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  )
}

const NO_FILTER = { section: '', action: '' } as const

function ItemRows({ change, section }: { readonly change: Change; readonly section: string }) {
  const texts = useSystemTexts()
  const { action, item, fields } = change
  const isChanged = action === 'changed'
  return (
    <tbody>
      <tr className="bg-sunken">
        <th scope="rowgroup" colSpan={3} className={`${CELL} font-normal`}>
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Badge tone={TONES[action]}>{texts.actions[action]}</Badge>
            <span className="font-medium">{item}</span>
            <span className="text-sm text-muted">{section}</span>
          </div>
        </th>
      </tr>
      {fields
        .filter(({ before, after }) => isChanged || (before ?? after) !== 'null')
        .map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row" className={`${CELL} font-mono text-sm font-normal`}>
              {field}
            </th>
            <td className={`${CELL} text-muted`}>{before === null ? '–' : writeValue(before, texts.none)}</td>
            <td className={CELL}>{after === null ? '–' : writeValue(after, texts.none)}</td>
          </tr>
        ))}
    </tbody>
  )
}

/** Texts without their quotes; other values as in the file. */
function writeValue(json: string, none: string): string {
  if (json === 'null' || json === '""' || json === '[]' || json === '{}') return none
  if (!json.startsWith('"') && !json.startsWith('[')) return json
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value)
      ? value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ')
      : String(value)
  } catch {
    return json
  }
}
