/** The message that was just sent, and its timeline as it grows. */

import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import { TravelStory, useTravel } from '../../features/messages/travel.tsx'
import { StatusBadge } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Card } from '../../parts/page/page.tsx'

interface TravelProps {
  readonly message: number
  readonly close: () => void
}

export function Travel({ message, close }: TravelProps) {
  const texts = useComposeTexts()
  const travel = useTravel(message)
  return (
    <Card
      title={travel.hasEnded ? texts.ended(message) : texts.travels(message)}
      className="mb-5"
      actions={
        <>
          {travel.trace !== undefined && <StatusBadge status={travel.trace.status} />}
          <LinkButton to={`/messages/${message}`} size="small">
            {texts.open}
          </LinkButton>
          <Button kind="plain" size="small" onClick={close}>
            {texts.another}
          </Button>
        </>
      }
    >
      <TravelStory travel={travel} />
    </Card>
  )
}
