import { isIP } from 'node:net';
import { z } from 'zod';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

const address = z.string().transform((text, context): MetricsAddress => {
  const [, name = '', digits = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(text.trim()) ?? [];
  const isIpv6 = name.startsWith('[');
  const host = isIpv6 ? name.slice(1, -1) : name;
  const port = Number(digits);
  if (host !== '' && (!isIpv6 || isIP(host) === 6) && port <= 65_535) return { host, port };
  context.addIssue({ code: 'custom', message: 'an address and a port, for example 127.0.0.1:9464 or [::1]:9464' });
  return z.NEVER;
});

export const metricsVariables = {
  address: {
    variable: 'DENTARIUM_METRICS_ADDRESS',
    schema: address.optional(),
    description:
      'address and port of the metrics for Prometheus, such as `127.0.0.1:9464`. See [Monitoring](monitoring.md#metrics)',
  },
} satisfies Settings;

/** Reads the address of the metrics; null when it is not set. @throws StartupError */
export const readMetricsAddress = (environment: Environment): MetricsAddress | null =>
  readSettings(environment, metricsVariables).address ?? null;
