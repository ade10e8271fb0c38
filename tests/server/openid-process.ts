import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { JWK } from 'jose';
import type { FaultInjection } from '../../stand-ins/openid/faults.ts';
import { azureTenants } from '../../stand-ins/openid/kinds.ts';
import type { OpenIdStandIn } from '../../stand-ins/openid/start.ts';

const paths = {
  siths: '/siths',
  openid: '/openid',
  aad: `/azure/${azureTenants.own}/v2.0`,
  otherDirectory: `/azure/${azureTenants.other}/v2.0`,
} as const;
export type ProviderName = keyof typeof paths;

export interface OpenIdProcess extends OpenIdStandIn {
  /** Stays in effect until changed. */
  misbehave(provider: ProviderName, injected: FaultInjection): Promise<void>;
  /** Resets all faults. */
  behave(): Promise<void>;
  rotateKeys(provider: ProviderName): Promise<void>;
}

/** The OpenID providers of `stand-ins/openid` in a child process. */
export const startOpenId = async (
  options: { readonly sithsKey?: JWK; readonly archiveUrl?: string } = {},
): Promise<OpenIdProcess> => {
  const script = path.join(import.meta.dirname, '../../stand-ins/openid/main.ts');
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (!child.stdout) throw new Error('no output');
  const [first] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  if (typeof first !== 'string') throw new Error('the stand-in did not start');
  const facts: Pick<OpenIdStandIn, 'url' | 'environment' | 'azure'> = JSON.parse(first);
  const configure = async (provider: ProviderName, body: object) => {
    await fetch(`${facts.url}/test${paths[provider]}`, { method: 'POST', body: JSON.stringify(body) });
  };
  return {
    ...facts,
    misbehave: (provider, injected) => configure(provider, { faults: injected }),
    behave: async () => {
      for (const name of ['siths', 'openid', 'aad', 'otherDirectory'] as const) await configure(name, { faults: {} });
    },
    rotateKeys: (provider) => configure(provider, { rotate: true }),
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
};
