import type { OriginWatch } from '../web/origin-watch.ts';
import type { WarningSource } from './system-status-routes.ts';

/** Reports differences between the configured public URL and how browsers access the archive. */
export const originWarnings =
  (watch: OriginWatch, publicUrl: string): WarningSource =>
  async () => {
    const [first, ...more] = watch.otherOrigins();
    const proxySince = watch.untrustedProxySince();
    return [
      ...(first
        ? [
            {
              kind: 'other-origin' as const,
              since: first.since.toISOString(),
              configured: publicUrl,
              seen: [first, ...more].map(({ origin }) => origin),
            },
          ]
        : []),
      ...(proxySince ? [{ kind: 'untrusted-proxy' as const, since: proxySince.toISOString() }] : []),
    ];
  };
