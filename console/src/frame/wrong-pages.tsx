/** Pages for addresses that do not exist, and for pages that fail. */
import { Compass } from 'lucide-react'
import { LinkButton } from '../parts/button.tsx'
import { PageHeader } from '../parts/page/page.tsx'
import { EmptyState, ErrorState } from '../parts/page/states.tsx'
import { useFrameTexts } from './frame-texts.ts'

export function UnknownPage() {
  const texts = useFrameTexts()
  return (
    <main className="mx-auto max-w-xl p-6">
      <PageHeader title={texts.unknownPage} />
      <EmptyState
        icon={Compass}
        title={texts.unknownPageHint}
        action={
          <LinkButton kind="primary" to="/">
            {texts.toOverview}
          </LinkButton>
        }
      />
    </main>
  )
}

/** Also shown when the files of a page are gone because the gateway was upgraded: loading again gets the new ones. */
export function FailedPage({ error }: { readonly error: unknown }) {
  const texts = useFrameTexts()
  return (
    <>
      <PageHeader title={texts.failedPage} />
      <ErrorState error={error} retry={() => window.location.reload()} />
    </>
  )
}
