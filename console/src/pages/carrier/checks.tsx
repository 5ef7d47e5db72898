/** The last check of a carrier's receipts in each country. */
import { MailQuestion } from 'lucide-react'
import { rowsInHand } from '../../api/queries.ts'
import type { Carrier } from '../../features/carriers/carrier-view.tsx'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { usePreferences } from '../../texts/language.ts'
import { useTextsOfCarrier } from './texts.ts'

type Check = Carrier['checks'][number]

const TONES: Readonly<Record<string, BadgeTone>> = {
  arrived: 'good',
  'false receipt': 'bad',
  missing: 'warn',
  'not sent': 'warn',
}

export function Checks({ checks }: Pick<Carrier, 'checks'>) {
  const texts = useTextsOfCarrier()
  const { language } = usePreferences()
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const columns: readonly Column<Check>[] = [
    { key: 'country', label: texts.country, cell: ({ country }) => countries.of(country) ?? country },
    {
      key: 'outcome',
      label: texts.outcome,
      cell: ({ outcome }) =>
        outcome === null ? (
          texts.checkPending
        ) : (
          <Badge tone={TONES[outcome]}>{texts.outcomes[outcome] ?? outcome}</Badge>
        ),
    },
    {
      key: 'sent',
      label: texts.checkSent,
      cell: ({ sent_at: at, message }) =>
        message === null ? (
          <Time at={at} show="relative" />
        ) : (
          <TextLink to={`/messages/${message}`}>
            <Time at={at} show="relative" />
          </TextLink>
        ),
    },
    { key: 'ended', label: texts.checkEnded, cell: ({ ended_at: at }) => <Time at={at} show="relative" /> },
    {
      key: 'detail',
      label: texts.checkDetail,
      belowOnPhone: true,
      cell: ({ detail }) => (detail === null ? '–' : gatewayText(detail)),
    },
  ]
  return (
    <Card title={texts.checks} flush>
      <DataTable
        caption={texts.checks}
        columns={columns}
        list={rowsInHand(checks)}
        rowKey={({ country }) => country}
        empty={<EmptyState icon={MailQuestion} title={texts.checkPending} />}
      />
    </Card>
  )
}
