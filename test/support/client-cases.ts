/** For every endpoint that users of an account may call: a request for the things of a given account. */
import type { ClientAccount } from './client-account.ts'

export interface ClientCase {
  readonly params?: object
  readonly query?: object
  readonly body?: object
}

const ofAccount = ({ id }: ClientAccount): ClientCase => ({ params: { account: id } })
const filtered = ({ id }: ClientAccount): ClientCase => ({ query: { account: id } })
const withUser = ({ spare }: ClientAccount): ClientCase => ({ params: { user: spare } })
const ofBulk = ({ id, bulk }: ClientAccount): ClientCase => ({ params: { account: id, bulk } })
const ofKey =
  (name: string, body?: object) =>
  ({ id }: ClientAccount): ClientCase => ({ params: { account: id, name }, ...(body === undefined ? {} : { body }) })
const self = (): ClientCase => ({})

const BULK_MESSAGE = { type: 'sms', sms_signature: 'Posthorn', sms_message: 'Hello' }
/** A real one, whose routes are hidden. */
const MESSAGE = { ...BULK_MESSAGE, sms_signature: 'SMSTest', phone: '491701234500' }
const BULK_CSV = 'phone\n491701234501'

/** By name of the endpoint. In the order of the table of endpoints, so reads come before what removes. */
export const CLIENT_CASES: Readonly<Record<string, (account: ClientAccount) => ClientCase>> = {
  showAccount: ofAccount,
  showBalance: ofAccount,
  showAccountChecklist: ofAccount,
  listPostings: ofAccount,
  showStatement: ({ id, month }) => ({ params: { account: id, month } }),
  exportStatement: ({ id, month }) => ({ params: { account: id, month } }),
  listPrices: filtered,
  listAccountPrices: ofAccount,
  exportTariff: ({ id }) => ({ query: { account: id, currency: 'EUR' } }),
  listKeys: ofAccount,
  issueKey: ({ id }) => ({ params: { account: id }, body: { name: 'mobile' } }),
  setKey: ofKey('old', { scopes: ['balance'] }),
  rotateKey: ofKey('old', {}),
  revokeKey: ofKey('old'),
  listLogins: ofAccount,
  showLogin: ({ id }) => ({ params: { account: id, name: `old-${id}` } }),
  listBinds: ofAccount,
  addLogin: ({ id }) => ({ params: { account: id }, body: { name: `new-${id}` } }),
  setLogin: ({ id }) => ({ params: { account: id, name: `old-${id}` }, body: { per_second: 5 } }),
  removeLogin: ({ id }) => ({ params: { account: id, name: `old-${id}` } }),
  listSenders: filtered,
  requestSender: ({ id }) => ({ body: { account: id, channel: 'sms', name: 'NewShop' } }),
  listChatTemplates: ofAccount,
  listMessages: filtered,
  readNumber: ({ id, phone }) => ({ body: { account: id, phone } }),
  findMessages: ({ id, phone }) => ({ body: { account: id, phone } }),
  showMessageDetails: ({ message }) => ({ params: { message } }),
  showConversation: ({ id, phone }) => ({ params: { account: id }, body: { phone } }),
  traceMessage: ({ message }) => ({ params: { message } }),
  listMessageRecords: ({ id }) => ({ body: { account: id } }),
  listInbound: filtered,
  traceInbound: ({ inbound }) => ({ params: { inbound } }),
  listInboundNumbers: filtered,
  listAudit: filtered,
  exportAudit: filtered,
  listFailedReports: filtered,
  countReports: filtered,
  listReports: ({ message }) => ({ params: { message } }),
  resendReport: ({ message }) => ({ params: { message, number: 0 } }),
  resendReports: ({ id, message }) => ({ body: { account: id, message } }),
  listHookStates: ofAccount,
  listStoppedHooks: filtered,
  resumeHook: ({ id, failedHook }) => ({ body: { account: id, address: failedHook } }),
  showHookStatistics: ofAccount,
  listFailingHooks: filtered,
  tryHook: ({ id, failedHook }) => ({ body: { account: id, address: failedHook } }),
  listWaitingReports: ({ id, failedHook }) => ({ query: { account: id, address: failedHook } }),
  rotateHookSecret: ({ id }) => ({ params: { account: id }, body: {} }),
  retireHookSecret: ofAccount,
  listClientHooks: filtered,
  testClientHook: ({ id, hook }) => ({ params: { account: id, hook } }),
  deleteClientHook: ({ id, hook }) => ({ params: { account: id, hook } }),
  showSendChoices: ofAccount,
  listSmsTemplates: ofAccount,
  previewMessage: ({ id }) => ({ params: { account: id }, body: { message: MESSAGE } }),
  sendMessage: ({ id }) => ({ params: { account: id }, body: { message: MESSAGE, test: false } }),
  previewBulk: ({ id }) => ({ params: { account: id }, body: { message: BULK_MESSAGE, test: true, csv: BULK_CSV } }),
  createBulk: ({ id }) => ({ params: { account: id }, body: { message: BULK_MESSAGE, test: true } }),
  addBulkLines: ({ id, bulk }) => ({ params: { account: id, bulk }, body: { csv: BULK_CSV } }),
  startBulk: ofBulk,
  listBulkErrors: ofBulk,
  countBulkErrors: ofBulk,
  listAllBulks: filtered,
  listBulks: ofAccount,
  readBulk: ofBulk,
  setBulk: ({ id, bulk }) => ({ params: { account: id, bulk }, body: { pace: 10 } }),
  pauseBulk: ofBulk,
  stopBulk: ofBulk,
  showCallStatistics: filtered,
  showVerificationStatistics: filtered,
  showHolds: filtered,
  listClicks: filtered,
  showStatistics: filtered,
  exportStatistics: filtered,
  challengeProof: () => ({}),
  proveSession: () => ({ body: { password: 'correct horse battery', code: '123456' } }),
  issueSignInLink: withUser,
  proposeCodes: self,
  keepCodes: () => ({ body: { secret: 'JBSWY3DPEHPK3PXP', code: '123456' } }),
  setPassword: () => ({ body: { password: 'correct horse battery' } }),
  provePasskey: () => ({ body: { credential: {} } }),
  listPasskeys: self,
  proposePasskey: self,
  addPasskey: () => ({ body: { name: 'laptop', credential: {} } }),
  renamePasskey: () => ({ params: { passkey: 'laptop' }, body: { name: 'phone' } }),
  removePasskey: () => ({ params: { passkey: 'laptop' } }),
  removePasskeys: withUser,
  listOptOuts: filtered,
  addOptOut: ({ id }) => ({ params: { account: id }, body: { phone: '491708888888' } }),
  removeOptOut: ({ id }) => ({ params: { account: id }, body: { phone: '491709999999' } }),
  findOptOuts: ({ id }) => ({ body: { account: id, phone: '491709999999' } }),
  showMe: self,
  listUsers: filtered,
  addUser: ({ id }) => ({ body: { user: 'new', role: 'client-reader', account: id } }),
  listTokens: withUser,
  issueToken: ({ spare }) => ({ params: { user: spare }, body: { label: 'more' } }),
  revokeToken: ({ spare }) => ({ params: { user: spare, label: 'spare' } }),
  changeUser: ({ spare }) => ({ params: { user: spare }, body: { role: 'client-admin' } }),
  removeCodes: ({ idle }) => ({ params: { user: idle } }),
  logOut: self,
}
