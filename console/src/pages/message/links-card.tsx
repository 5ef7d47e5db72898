/** The short links of a message and how often they were opened. */
import { Card } from '../../parts/page/page.tsx'
import { usePageTexts } from './message-page-texts.ts'
import type { PageFacts } from './page-facts.ts'

export function LinksCard({ details }: Pick<PageFacts, 'details'>) {
  const texts = usePageTexts()
  if (details === undefined || details.links.length === 0) return null
  return (
    <Card title={texts.links}>
      <ul className="flex flex-col divide-y">
        {details.links.map(({ code, address, humans, robots }) => (
          <li key={code} className="py-2.5 first:pt-0 last:pb-0">
            <p className="[overflow-wrap:anywhere]">{address}</p>
            <p className="mt-0.5 text-sm text-muted">{texts.clicks(texts.humans(humans), texts.robots(robots))}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
