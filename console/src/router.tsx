/** Routes from the list of pages. Each page is a chunk of its own; search parameters are plain texts. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { Frame } from './frame/frame.tsx'
import { FailedPage, UnknownPage } from './frame/wrong-pages.tsx'
import { LoginPage } from './pages/login/login.tsx'
import { PAGES, type PageEntry } from './pages.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: UnknownPage })
const login = createRoute({ getParentRoute: () => root, path: '/login', component: LoginPage })
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

function routeOf({ path, load }: PageEntry) {
  const component = lazyRouteComponent(load, 'Page')
  return createRoute({ getParentRoute: () => frame, path, component, errorComponent: FailedPage })
}

export const router = createRouter({
  routeTree: root.addChildren([login, frame.addChildren(PAGES.map(routeOf))]),
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
