/** Hooks that are stopped or fail now. */
import { useApi } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { useHookTexts } from '../../features/hooks/hook-texts.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/page/page.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useOverviewTexts } from './overview-texts.ts'

const MAX_SHOWN = 5
const EVERY_MS = 15_000

/** Nothing while all hooks are well. */
export function Hooks() {
  const texts = useOverviewTexts()
  const hookTexts = useHookTexts()
  const query = { most: MAX_SHOWN }
  const stopped = useApi('/stopped-hooks', { query }, { every: EVERY_MS }).data
  const failing = useApi('/failing-hooks', { query }, { every: EVERY_MS }).data
  const hooks = [
    ...(stopped?.data ?? []).map((hook) => ({ ...hook, tab: 'stopped', waiting: null, error: null })),
    ...(failing?.data ?? []).map((hook) => ({ ...hook, tab: 'failing', error: hook.last_error })),
  ].slice(0, MAX_SHOWN)
  if (hooks.length === 0) return null
  return (
    <Card title={texts.hooks} actions={<TextLink to="/reports?tab=failing">{texts.allHooks}</TextLink>}>
      <ul className="flex flex-col divide-y">
        {hooks.map(({ account, address, tab, waiting, error }) => (
          <li
            key={`${account} ${address}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0"
          >
            <Badge dot tone={tab === 'stopped' ? 'bad' : 'warn'}>
              {tab === 'stopped' ? hookTexts.stopped : hookTexts.isFailing}
            </Badge>
            <TextLink to={`/reports?tab=${tab}&account=${account}`} className="font-medium [overflow-wrap:anywhere]">
              {address}
            </TextLink>
            <span className="text-muted">
              <AccountName account={account} />
            </span>
            {error !== null && <span className="text-muted [overflow-wrap:anywhere]">{gatewayText(error)}</span>}
            {waiting !== null && (
              <span className="ml-auto whitespace-nowrap text-muted">
                {hookTexts.waiting}: <Num value={waiting} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
