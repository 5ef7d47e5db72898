/** The body that each login server posts, as its public source forms it, with invented data. */
const PHONE = '+491701234500'

export const LOGIN_REQUESTS: Readonly<Record<string, unknown>> = {
  supabase: {
    metadata: {
      uuid: '0b0a9b1e-7c5f-4a0e-9a51-2f6b1d3c7e10',
      time: '2026-11-29T17:00:00.123456789Z',
      name: 'send-sms',
      ip_address: '192.0.2.7',
    },
    user: {
      id: '6481a5c1-3d37-4a56-9f6a-bee08c554965',
      aud: 'authenticated',
      role: 'authenticated',
      email: '',
      phone: '491709999999',
      phone_confirmed_at: null,
      app_metadata: { provider: 'phone', providers: ['phone'] },
      user_metadata: {},
      identities: [],
      created_at: '2026-11-29T16:59:59.9Z',
      updated_at: '2026-11-29T17:00:00.1Z',
      is_anonymous: false,
    },
    sms: { otp: '482913', sms_type: 'verification', phone: '491701234500' },
  },
  zitadel: {
    contextInfo: {
      eventType: 'session.otp.sms.challenged',
      provider: { id: '285181292935381355', description: 'posthorn' },
      recipientPhoneNumber: PHONE,
    },
    templateData: {
      title: 'VerifySMSOTP.Title',
      preHeader: 'VerifySMSOTP.PreHeader',
      subject: 'VerifySMSOTP.Subject',
      greeting: 'VerifySMSOTP.Greeting',
      text: '482913 is your code for shop.example.\n@shop.example #482913',
      url: '',
      buttonText: 'VerifySMSOTP.ButtonText',
    },
    args: {
      displayName: 'Ada Example',
      lastPhone: PHONE,
      verifiedPhone: PHONE,
      loginName: 'ada@shop.example',
      oTP: '482913',
      expiry: '5m0s',
    },
  },
  fusionauth: {
    code: '482913',
    phoneNumber: PHONE,
    message: 'Your verification code is 4 8 2 9 1 3',
    textMessage: 'Two Factor Code: 482913',
    type: 'SMS',
    userId: '00000000-0000-0000-0000-000000000042',
  },
  authentik: {
    From: 'SMSTest',
    To: PHONE,
    Body: '482913',
    Message: 'Use this code to authenticate in authentik: 482913',
  },
  logto: { to: PHONE, type: 'SignIn', payload: { code: '482913' } },
  authgear: {
    to: PHONE,
    body: '482913 is your Shop code.',
    app_id: 'shop',
    template_name: 'setup_primary_oob_sms.txt',
    language_tag: 'en',
    template_variables: { app_name: 'Shop', code: '482913', has_password: false },
  },
  auth0: {
    recipient: PHONE,
    body: 'Your verification code is: 482913',
    sender: 'SMSTest',
  },
}
