/** Where each page of the console is, and how its dialogs are opened: for the story that looks at all of them. */

interface PageEntry {
  /** As in console/src/pages.ts. */
  readonly route: string
  /** `$message` and `$bulk` stand for those of the story. */
  readonly path: string
}

const page = (route: string, ...paths: readonly string[]): readonly PageEntry[] =>
  paths.map((path) => ({ route, path }))
const tabs = (path: string, ...names: readonly string[]) => names.map((name) => `${path}?tab=${name}`)

export const PAGES: readonly PageEntry[] = [
  ...page('/', '/'),
  ...page('/messages', '/messages'),
  ...page('/messages/$message', '/messages/$message'),
  ...page('/statistics', '/statistics', '/statistics?by=account'),
  ...page('/bulks', '/bulks'),
  ...page('/bulks/new', '/bulks/new?account=1'),
  ...page('/bulks/$account/$bulk', '/bulks/1/$bulk'),
  ...page('/compose', '/compose?account=1'),
  ...page('/accounts', '/accounts'),
  ...page('/accounts/new', '/accounts/new'),
  ...page(
    '/accounts/$account',
    ...tabs(
      '/accounts/1',
      'overview',
      'settings',
      'keys',
      'senders',
      'templates',
      'hooks',
      'opt-outs',
      'prices',
      'ledger',
    ),
  ),
  ...page('/prices', ...tabs('/prices', 'general', 'groups', 'moves')),
  ...page('/prices/$group', ...tabs('/prices/retail', 'prices', 'accounts')),
  ...page('/carriers', '/carriers'),
  ...page('/routes', ...tabs('/routes', 'routes', 'quality', 'pools', 'operators')),
  ...page('/carriers/$carrier', ...tabs('/carriers/sandbox-sms', 'live', 'history', 'settings', 'routes', 'costs')),
  ...page('/reports', ...tabs('/reports', 'failed', 'hooks', 'stopped', 'managed')),
  ...page('/guards', ...tabs('/guards', 'numbers', 'opt-outs', 'limits')),
  ...page('/links', '/links'),
  ...page('/inbound', ...tabs('/inbound', 'messages', 'conversation', 'numbers')),
  ...page('/alarms', ...tabs('/alarms', 'alarms', 'traffic', 'rules', 'targets')),
  ...page('/audit', '/audit'),
  ...page('/team', '/team'),
  ...page('/system', ...tabs('/system', 'gateways', 'configuration')),
  ...page('/security', '/security'),
]

interface DialogEntry {
  /** Below console/src. */
  readonly file: string
  readonly path: string
  /** Names of the buttons and menu items that open it, in their order. */
  readonly open?: readonly (string | RegExp)[]
  /** Instead of a button. */
  readonly keys?: string
}

const dialog = (file: string, path: string, ...open: readonly (string | RegExp)[]): DialogEntry => ({
  file,
  path,
  open,
})
const KEY = /^Actions for the key/
const LOGIN = /^Actions for the login/
const USER = 'Actions for dora'
const PRICE = /^Actions for the price/
const ACCOUNT = /^Actions/

export const DIALOGS: readonly DialogEntry[] = [
  { file: 'frame/shortcuts.tsx', path: '/accounts', keys: '?' },
  { file: 'frame/search-dialog.tsx', path: '/accounts', keys: '/' },
  dialog('frame/zone-dialog.tsx', '/accounts', /^User menu/, /^Time zone/),
  dialog('features/hooks/hook-secret.tsx', '/accounts/1?tab=hooks', 'Rotate secret'),
  dialog('features/templates/templates-card.tsx', '/accounts/1?tab=templates', 'Record template'),
  dialog('features/templates/templates-card.tsx', '/accounts/1?tab=templates', 'Approve'),
  dialog('features/ledger/money-dialogs.tsx', '/accounts/1?tab=ledger', 'Add money'),
  dialog('features/ledger/money-dialogs.tsx', '/accounts/1?tab=ledger', 'Correct'),
  dialog('features/ledger/money-dialogs.tsx', '/accounts/1?tab=ledger', 'Credit limit'),
  dialog('features/prices/price-dialog.tsx', '/accounts/1?tab=prices', 'Set price'),
  dialog('features/prices/price-dialog.tsx', '/accounts/1?tab=prices', PRICE, 'Edit'),
  dialog('features/prices/copy-dialog.tsx', '/accounts/1?tab=prices', /^Copy$/),
  dialog('features/prices/import-dialog.tsx', '/accounts/1?tab=prices', 'Import price list'),
  dialog('features/price-groups/groups.tsx', '/prices?tab=groups', 'Add group'),
  dialog('features/price-groups/move-dialog.tsx', '/prices?tab=moves', 'Move accounts'),
  dialog('features/price-groups/moves.tsx', '/prices?tab=moves', 'Cancel move'),
  dialog('pages/price-group/page.tsx', '/prices/retail', 'Remove group'),
  dialog('features/prices/price-dialog.tsx', '/prices', 'Set price'),
  dialog('features/sheets/sheet-dialog.tsx', '/accounts/1?tab=prices', 'Import carrier’s sheet'),
  dialog('features/sheets/sheet-dialog.tsx', '/carriers/sandbox-sms?tab=costs', 'Import carrier’s sheet'),
  dialog('features/keys/issue-key.tsx', '/accounts/1?tab=keys', 'Issue key'),
  dialog('features/keys/change-key.tsx', '/accounts/1?tab=keys', KEY, 'Rotate'),
  dialog('features/keys/change-key.tsx', '/accounts/1?tab=keys', KEY, 'Change rights'),
  dialog('features/keys/keys-card.tsx', '/accounts/1?tab=keys', KEY, 'Revoke'),
  dialog('features/logins/add-login.tsx', '/accounts/1?tab=keys', 'Add login'),
  dialog('features/logins/change-login.tsx', '/accounts/1?tab=keys', LOGIN, 'Change'),
  dialog('features/logins/logins-card.tsx', '/accounts/1?tab=keys', LOGIN, 'Remove'),
  dialog('features/senders/sender-dialogs.tsx', '/accounts/1?tab=senders', 'Approve sender'),
  dialog('features/senders/sender-dialogs.tsx', '/accounts/1?tab=senders', /^Change:/),
  dialog('features/senders/sender-dialogs.tsx', '/accounts/1?tab=senders', /^Reject:/),
  dialog('features/opt-outs/add-opt-out.tsx', '/guards?tab=opt-outs', 'Add opt-out'),
  dialog('pages/carriers/add-carrier.tsx', '/carriers', 'Add carrier'),
  dialog('pages/team/user-dialog.tsx', '/team', 'Add user'),
  dialog('pages/team/user-dialog.tsx', '/team', USER, 'Change role'),
  dialog('pages/team/sign-in-link.tsx', '/team', USER, 'Create sign-in link'),
  dialog('pages/team/tokens.tsx', '/team', USER, 'Tokens'),
  dialog('pages/team/page.tsx', '/team', USER, 'Disable'),
  dialog('pages/audit/page.tsx', '/audit', 'Details'),
  dialog('pages/account/account-actions.tsx', '/accounts/1', ACCOUNT, /^Suspend/),
  dialog('pages/account/account-actions.tsx', '/accounts/1', ACCOUNT, 'Close account'),
  dialog('pages/inbound/number-dialog.tsx', '/inbound?tab=numbers', 'Add number'),
  dialog('pages/inbound/number-dialog.tsx', '/inbound?tab=numbers', /^Change:/),
  dialog('pages/inbound/numbers.tsx', '/inbound?tab=numbers', /^Remove number:/),
  dialog('pages/alarms/target-dialog.tsx', '/alarms?tab=targets', 'Add target'),
  dialog('pages/alarms/target-dialog.tsx', '/alarms?tab=targets', /^Change target:/),
  dialog('pages/alarms/rule-dialog.tsx', '/alarms?tab=rules', 'Change rule: Disk nearly full'),
  dialog('pages/alarms/targets.tsx', '/alarms?tab=targets', /^Remove target:/),
  dialog('pages/alarms/traffic-alarms.tsx', '/alarms?tab=traffic', 'Allow'),
  dialog('pages/security/sessions.tsx', '/security', 'Revoke'),
  dialog('pages/message/refund-action.tsx', '/messages/$message', 'Refund'),
  dialog('pages/message/reports-card.tsx', '/messages/$message', 'Send the report again'),
  dialog('pages/carrier/page.tsx', '/carriers/sandbox-sms', 'Drain'),
  dialog('pages/carrier/page.tsx', '/carriers/sandbox-sms', 'Remove'),
  dialog('pages/carrier/test-dialog.tsx', '/carriers/sandbox-sms', 'Test'),
  dialog('pages/carrier/discard-dialog.tsx', '/carriers/sandbox-sms', 'Discard what waits'),
  dialog('pages/carrier/settle-dialog.tsx', '/carriers/sandbox-sms', 'Messages without a receipt'),
  dialog('pages/carrier/settings.tsx', '/carriers/sandbox-sms?tab=settings', 'Edit settings'),
  dialog('pages/carrier/costs.tsx', '/carriers/sandbox-sms?tab=costs', 'Set cost'),
  dialog('pages/carrier/costs.tsx', '/carriers/sandbox-sms?tab=costs', 'Remove cost'),
  dialog('pages/routes/route-dialog.tsx', '/routes', 'Add route'),
  dialog('pages/routes/route-dialog.tsx', '/routes', 'Edit route'),
  dialog('pages/routes/quality/quality-rule-dialog.tsx', '/routes?tab=quality', 'Change rule: All carriers'),
  dialog('pages/routes/routes-tab.tsx', '/routes', 'Remove route'),
]

/** Dialogs that need more than a click: the story that opens and looks at each. */
export const IN_OTHER_STORIES: Readonly<Record<string, string>> = {
  'frame/proof-dialog.tsx': 'every-dialog',
  'frame/set-up-prompt.tsx': 'my-security',
  'features/hooks/hooks-card.tsx': 'account-hooks',
  'features/hooks/resend-dialog.tsx': 'reports',
  'features/hooks/resume-dialog.tsx': 'reports',
  'features/hooks/waiting-dialog.tsx': 'reports',
  'features/opt-outs/opt-outs-card.tsx': 'guards',
  'parts/unsaved.tsx': 'leaving',
  'pages/account/queue-notice.tsx': 'waiting-messages',
  'pages/account/review-dialog.tsx': 'accounts',
  'pages/bulk/actions.tsx': 'bulks',
  'pages/bulk/pace-dialog.tsx': 'bulks',
  'pages/bulk/start-dialog.tsx': 'bulks',
  'pages/carrier/edit-answers.tsx': 'carriers',
  'pages/compose/page.tsx': 'compose',
  'pages/routes/quality/decision-dialog.tsx': 'quality',
  'pages/routes/quality/quality-rules.tsx': 'quality',
  'pages/guards/number-dialog.tsx': 'guards',
  'pages/guards/number-lists.tsx': 'guards',
  'pages/message/waiting-actions.tsx': 'waiting-messages',
  'pages/reports/client-hooks.tsx': 'reports',
  'pages/reports/report-dialog.tsx': 'reports',
  'pages/reports/resend-one-dialog.tsx': 'reports',
  'pages/routes/operator-dialogs.tsx': 'routes',
  'pages/routes/operator-prefixes.tsx': 'routes',
  'pages/routes/operators-tab.tsx': 'routes',
  'pages/routes/pool-dialog.tsx': 'routes',
  'pages/routes/pool-numbers.tsx': 'routes',
  'pages/routes/pools-tab.tsx': 'routes',
  'pages/security/passkeys.tsx': 'my-passkeys',
  'pages/system/review.tsx': 'system',
}
