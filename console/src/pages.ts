/** All pages of the console: one line each. A page is a folder of `pages/` whose `page.tsx` exports `Page`. */
import {
  BellRing,
  Building2,
  ChartColumn,
  Gauge,
  Inbox,
  Layers,
  Link2,
  type LucideIcon,
  MessageSquareText,
  RadioTower,
  Route,
  ScrollText,
  Server,
  ShieldCheck,
  SquarePen,
  Tags,
  Users,
  Webhook,
} from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { ActionName } from './api/me.ts'
import type { Language } from './texts/language.ts'

type NavEntry = {
  readonly icon: LucideIcon
  /** Further words, of both languages, by which the search finds the page. */
  readonly words?: string
} & Readonly<Record<Language, string>>

export interface PageEntry {
  /** Below /console, with parameters: `/messages/$message`. */
  readonly path: string
  readonly load: () => Promise<{ readonly Page: FunctionComponent }>
  /** The endpoint that the page cannot do without: users whose role may not call it do not see the page. */
  readonly needs?: ActionName
  /** Entry of the navigation, in this order. */
  readonly nav?: NavEntry
  /** The same for users of an account, if it differs: the path has their `$account`. */
  readonly clientNav?: NavEntry
}

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    load: () => import('./pages/overview/page.tsx'),
    needs: 'showStatistics',
    nav: { icon: Gauge, en: 'Overview', de: 'Übersicht' },
  },
  {
    path: '/messages',
    load: () => import('./pages/messages/page.tsx'),
    needs: 'findMessages',
    nav: {
      icon: MessageSquareText,
      en: 'Messages',
      de: 'Nachrichten',
      words: 'refund, trace, cancel, Erstattung, Verlauf, abbrechen',
    },
  },
  { path: '/messages/$message', load: () => import('./pages/message/page.tsx'), needs: 'traceMessage' },
  {
    path: '/statistics',
    load: () => import('./pages/statistics/page.tsx'),
    needs: 'showStatistics',
    nav: { icon: ChartColumn, en: 'Statistics', de: 'Statistik' },
  },
  {
    path: '/links',
    load: () => import('./pages/links/page.tsx'),
    needs: 'listClicks',
    nav: { icon: Link2, en: 'Links', de: 'Links' },
  },
  {
    path: '/bulks',
    load: () => import('./pages/bulks/page.tsx'),
    needs: 'listAllBulks',
    nav: {
      icon: Layers,
      en: 'Bulks',
      de: 'Massensendungen',
      words: 'campaign, upload, recipients, Kampagne, Empfänger',
    },
  },
  { path: '/bulks/new', load: () => import('./pages/new-bulk/page.tsx'), needs: 'createBulk' },
  { path: '/bulks/$account/$bulk', load: () => import('./pages/bulk/page.tsx'), needs: 'readBulk' },
  {
    path: '/compose',
    load: () => import('./pages/compose/page.tsx'),
    needs: 'previewMessage',
    nav: { icon: SquarePen, en: 'Compose', de: 'Verfassen' },
  },
  {
    path: '/accounts',
    load: () => import('./pages/accounts/page.tsx'),
    needs: 'listAccounts',
    nav: {
      icon: Building2,
      en: 'Accounts',
      de: 'Konten',
      words: 'customers, ledger, statement, API key, Kunden, Kontoauszug, Schlüssel',
    },
  },
  { path: '/accounts/new', load: () => import('./pages/new-account/page.tsx'), needs: 'createAccount' },
  {
    path: '/accounts/$account',
    load: () => import('./pages/account/page.tsx'),
    needs: 'showAccount',
    clientNav: { icon: Building2, en: 'Account', de: 'Konto' },
  },
  {
    path: '/prices',
    load: () => import('./pages/prices/page.tsx'),
    needs: 'listPriceGroups',
    nav: { icon: Tags, en: 'Prices', de: 'Preise', words: 'import, export, sheet, tariff, Preisblatt, Tarif' },
  },
  { path: '/prices/$group', load: () => import('./pages/price-group/page.tsx'), needs: 'listPriceGroups' },
  {
    path: '/carriers',
    load: () => import('./pages/carriers/page.tsx'),
    needs: 'listCarriers',
    nav: {
      icon: RadioTower,
      en: 'Carriers',
      de: 'Carrier',
      words: 'discard, settle, costs, import, verwerfen, Kosten',
    },
  },
  { path: '/carriers/$carrier', load: () => import('./pages/carrier/page.tsx'), needs: 'listCosts' },
  {
    path: '/routes',
    load: () => import('./pages/routes/page.tsx'),
    needs: 'listRoutes',
    nav: { icon: Route, en: 'Routes', de: 'Routen' },
  },
  {
    path: '/guards',
    load: () => import('./pages/guards/page.tsx'),
    needs: 'showGuards',
    nav: { icon: ShieldCheck, en: 'Guards', de: 'Schutz' },
  },
  {
    path: '/reports',
    load: () => import('./pages/reports/page.tsx'),
    needs: 'listFailedReports',
    nav: { icon: Webhook, en: 'Reports', de: 'Berichte' },
    clientNav: { icon: Webhook, en: 'Reports to your systems', de: 'Berichte an Ihre Systeme' },
  },
  {
    path: '/inbound',
    load: () => import('./pages/inbound/page.tsx'),
    needs: 'listInboundNumbers',
    nav: { icon: Inbox, en: 'Inbound', de: 'Eingang' },
  },
  {
    path: '/alarms',
    load: () => import('./pages/alarms/page.tsx'),
    needs: 'listAlarms',
    nav: { icon: BellRing, en: 'Alarms', de: 'Alarme' },
  },
  {
    path: '/audit',
    load: () => import('./pages/audit/page.tsx'),
    needs: 'listAudit',
    nav: { icon: ScrollText, en: 'Audit log', de: 'Änderungsprotokoll' },
  },
  {
    path: '/team',
    load: () => import('./pages/team/page.tsx'),
    needs: 'listUsers',
    nav: {
      icon: Users,
      en: 'Team',
      de: 'Team',
      words: 'SSO, single sign-on, users, roles, tokens, Benutzer, Rollen, Firmenkonto',
    },
  },
  {
    path: '/system',
    load: () => import('./pages/system/page.tsx'),
    needs: 'listNodes',
    nav: { icon: Server, en: 'System', de: 'System', words: 'gateways, version, configuration, import' },
  },
  { path: '/security', load: () => import('./pages/security/page.tsx') },
]
