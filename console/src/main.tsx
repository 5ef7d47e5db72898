/** Entry of the console. */
import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connectApi } from './api/api.ts'
import { queryClient } from './api/queries.ts'
import { askForProof } from './frame/proof-dialog.tsx'
import { router } from './router.tsx'
import { prepareGatewayTexts } from './texts/gateway-texts.ts'
import { currentLanguage } from './texts/language.ts'

connectApi({
  askForProof,
  signedOut: () => {
    const { pathname, href } = router.state.location
    if (pathname === '/login' || pathname === '/login/sso') return
    // Without data, the page was opened without a session.
    const ended = queryClient.getQueryData(['/me', {}]) === undefined ? {} : { ended: 'yes' }
    const search = pathname === '/' ? ended : { ...ended, return: href }
    queryClient.clear()
    void router.navigate({ to: '/login', search: search as never, replace: true })
  },
})

const element = document.getElementById('console')
if (element === null) throw new Error('index.html has no element for the console')
const root = createRoot(element)
// Before the first page, so that none is in two languages.
void prepareGatewayTexts(currentLanguage()).then(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </StrictMode>,
  ),
)
