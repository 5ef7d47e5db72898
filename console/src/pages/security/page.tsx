/** The user's own password, one-time codes and sessions. */
import { useMay, useMe } from '../../api/me.ts'
import { useFrameTexts } from '../../frame/frame-texts.ts'
import { Card, KeyValues, PageHeader } from '../../parts/page/page.tsx'
import { Loading, Notice } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { Codes } from './codes.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { useSecurityTexts } from './security-texts.ts'
import { Sessions } from './sessions.tsx'

export function Page() {
  const texts = useSecurityTexts()
  const me = useMe()
  const { roles } = useFrameTexts()
  const may = useMay()
  if (me === undefined) return <Loading />
  const { user, role, password, codes, sso, expires_at: expiresAt, proved_until: provedUntil } = me
  return (
    <div className="max-w-3xl">
      <PageHeader title={texts.title} />
      <div className="flex flex-col gap-5">
        {sso ? (
          <Notice kind="info">{texts.sso}</Notice>
        ) : (
          !(password && codes) && <Notice kind="info">{texts.setUp}</Notice>
        )}
        <Card title={texts.session}>
          <KeyValues
            items={[
              { label: texts.user, value: user },
              { label: texts.role, value: roles[role] ?? role },
              {
                label: texts.expires,
                value: expiresAt === null ? texts.noExpiry : <Time at={expiresAt} show="both" />,
              },
              ...(provedUntil === null ? [] : [{ label: texts.proved, value: <Time at={provedUntil} show="both" /> }]),
            ]}
          />
        </Card>
        {!sso && (
          <>
            <Password has={{ password, codes }} />
            <Codes has={{ password, codes }} />
            <Passkeys />
          </>
        )}
        {may('listTokens') && <Sessions user={user} mayRevoke={may('revokeToken')} />}
      </div>
    </div>
  )
}
