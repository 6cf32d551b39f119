import { useHost } from '../../state/host-store.ts'
import { useRequest } from '../../state/use-request.ts'
import { AuthoritiesField } from './AuthoritiesField.tsx'
import { ProxyFields } from './ProxyFields.tsx'

export function NetworkSection() {
  const { proxy, authorities } = useHost((mirror) => mirror.host.settings)
  const { value, reload } = useRequest('network.read', {}, { refetchOn: [proxy, authorities] })
  return (
    <div className="settings-fields column-4">
      <ProxyFields proxy={proxy} password={value?.password} onPassword={reload} />
      <AuthoritiesField certificates={value?.certificates} />
      <p className="meta">
        Servers on this computer make their own connections. They use HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS from Parley’s
        environment or from their own variables.
      </p>
    </div>
  )
}
