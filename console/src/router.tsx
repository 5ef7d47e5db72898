/** Routes from the list of pages. Each page is a chunk of its own; search parameters are plain texts. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router'
import { Frame } from './frame/frame.tsx'
import { GuardedPage } from './frame/guarded-page.tsx'
import { FailedPage, UnknownPage } from './frame/wrong-pages.tsx'
import { LoginPage } from './pages/login/login.tsx'
import { SsoAnswerPage } from './pages/login/sso-answer.tsx'
import { PAGES, type PageEntry } from './pages.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: UnknownPage })
const login = createRoute({ getParentRoute: () => root, path: '/login', component: LoginPage })
const ssoAnswer = createRoute({ getParentRoute: () => root, path: '/login/sso', component: SsoAnswerPage })
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

function routeOf(entry: PageEntry) {
  const { path, load } = entry
  const page = lazyRouteComponent(load, 'Page')
  const { preload = async () => undefined } = page
  // With its preload, so that pointing at a link loads the page.
  const component: RouteComponent = Object.assign(() => <GuardedPage entry={entry} page={page} />, { preload })
  return createRoute({ getParentRoute: () => frame, path, component, errorComponent: FailedPage })
}

export const router = createRouter({
  routeTree: root.addChildren([login, ssoAnswer, frame.addChildren(PAGES.map(routeOf))]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: UnknownPage,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const written = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    return written === '' ? '' : `?${written}`
  },
})
