/** The rules by which carriers are judged: of all of them, and of carriers and countries that differ. */
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { useMay } from '../../../api/me.ts'
import { asRows, invalidate, useApi } from '../../../api/queries.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { type Column, DataTable } from '../../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../../parts/overlay/dialog.tsx'
import { toast } from '../../../parts/overlay/toast.tsx'
import { Card } from '../../../parts/page/page.tsx'
import { Num } from '../../../parts/values.tsx'
import { useDestination } from './destination.ts'
import { type QualityRule, RULE_FIELDS } from './quality-rule.ts'
import { QualityRuleDialog } from './quality-rule-dialog.tsx'
import { useQualityTexts } from './quality-texts.ts'
import { useRuleSubject } from './rule-subject.ts'

interface Chosen {
  readonly action: 'edit' | 'remove'
  /** Null for a new one. */
  readonly rule: QualityRule | null
}

export function QualityRules() {
  const texts = useQualityTexts()
  const may = useMay()
  const rules = useApi('/quality/rules')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const close = () => setChosen(null)
  const add = may('setQualityRule') && (
    <Button icon={Plus} onClick={() => setChosen({ action: 'edit', rule: null })}>
      {texts.addRule}
    </Button>
  )
  return (
    <Card title={texts.rules} description={texts.rulesHint} actions={add} flush>
      <DataTable
        caption={texts.rules}
        columns={useColumns(setChosen)}
        list={asRows(rules)}
        rowKey={({ carrier, country }) => `${carrier} ${country}`}
      />
      {chosen?.action === 'edit' && <QualityRuleDialog rule={chosen.rule} onClose={close} />}
      {chosen?.action === 'remove' && <RemoveRule rule={chosen.rule} onClose={close} />}
    </Card>
  )
}

function RemoveRule({ rule, onClose }: { readonly rule: QualityRule | null; readonly onClose: () => void }) {
  const texts = useQualityTexts()
  const subject = useRuleSubject()
  const { carrier = null, country = null } = rule ?? {}
  const of = subject({ carrier, country })
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={texts.removeRule(of)}
      action={texts.removeRule(of)}
      run={async (key) => {
        await api.delete('/quality/rules', {
          query: { ...(carrier !== null && { carrier }), ...(country !== null && { country }) },
          key,
        })
        invalidate('/quality/rules', '/quality')
        toast(texts.ruleRemoved)
      }}
    >
      {texts.removeRuleText}
    </ConfirmDialog>
  )
}

function useColumns(choose: (chosen: Chosen) => void): readonly Column<QualityRule>[] {
  const texts = useQualityTexts()
  const may = useMay()
  const subject = useRuleSubject()
  const destination = useDestination()
  return [
    {
      key: 'carrier',
      label: texts.ruleOf,
      cell: ({ carrier, country }) => (
        <>
          <div className="min-w-28 font-medium [overflow-wrap:anywhere]">{carrier ?? texts.allCarriers}</div>
          {country !== null && <div className="text-sm text-muted">{destination({ country, operator: null })}</div>}
        </>
      ),
    },
    { key: 'mode', label: texts.mode, cell: ({ mode }) => texts.modes[mode] },
    ...RULE_FIELDS.map((field) => ({
      key: field,
      label: texts.fields[field],
      align: 'right' as const,
      belowOnPhone: true,
      cell: (rule: QualityRule) => (rule[field] === null ? texts.noLimit : <Num value={rule[field]} />),
    })),
    ...(may('setQualityRule')
      ? [
          {
            key: 'actions',
            label: texts.actionsLabel,
            hideLabel: true,
            align: 'right' as const,
            cell: (rule: QualityRule) => {
              const of = subject(rule)
              return (
                <span className="inline-flex gap-1">
                  <IconButton
                    icon={Pencil}
                    label={texts.editRule(of)}
                    onClick={() => choose({ action: 'edit', rule })}
                  />
                  {(rule.carrier !== null || rule.country !== null) && (
                    <IconButton
                      icon={Trash2}
                      label={texts.removeRule(of)}
                      onClick={() => choose({ action: 'remove', rule })}
                    />
                  )}
                </span>
              )
            },
          },
        ]
      : []),
  ]
}
