/** Opens a page only for roles that may use it. The first page of another role is the first that it may open. */
import { Navigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ComponentType } from 'react'
import { useMe } from '../api/me.ts'
import type { PageEntry } from '../pages.ts'
import { PageHeader } from '../parts/page/page.tsx'
import { EmptyState } from '../parts/page/states.tsx'
import { useFrameTexts } from './frame-texts.ts'
import { mayOpen, navigationOf } from './page-access.ts'

interface GuardedPageProps {
  readonly entry: PageEntry
  readonly page: ComponentType
}

export function GuardedPage({ entry, page: Page }: GuardedPageProps) {
  const texts = useFrameTexts()
  const me = useMe()
  if (me === undefined) return null
  if (mayOpen(me.role, entry)) return <Page />
  const [first] = navigationOf(me)
  if (entry.path === '/' && first !== undefined) return <Navigate to={first.to} replace />
  return (
    <>
      <PageHeader title={texts.forbiddenPage} />
      <EmptyState icon={Lock} title={texts.forbiddenPageHint} />
    </>
  )
}
