import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openLog } from '../../server/log.ts';
import { maja, signInExternally, unknownUser } from './upstream-flow.ts';
import { upstreamUnderTest } from './upstream-under-test.ts';

it('names the failure and no user', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-upstream-log-'));
  const file = path.join(folder, 'server.log');
  const test = await upstreamUnderTest({ log: openLog(file, 'debug') });
  const passed: string[] = [];
  const signIn = async (method: 'siths' | 'aad' | 'openid', user: { id: string }) => {
    const ended = await signInExternally(test.url(), method, { user: user.id, strong: true });
    passed.push(...ended.passed);
  };
  try {
    await test.giveMaja();
    for (const method of ['siths', 'aad', 'openid'] as const) {
      await signIn(method, maja);
      await signIn(method, unknownUser);
      for (const fault of [{ claims: { nonce: 'x' } }, { foreignKey: true }, { claims: { tid: 'x' } }]) {
        await test.elsewhere.misbehave(method, fault);
        await signIn(method, maja);
      }
      await test.elsewhere.behave();
    }
    const log = await readFile(file, 'utf8');
    expect(log).toContain('external sign-in failed');
    expect(log).toContain('/connect/upstream/:method');
    const secrets = passed
      .flatMap((address) => [...new URL(address).searchParams.values()])
      .filter((text) => text.length > 25);
    expect(secrets.length).toBeGreaterThan(10);
    const userData = [maja, unknownUser].flatMap((user) => [
      user.id,
      user.firstName,
      user.lastName,
      user.personalNumber,
      user.email,
      user.azureUsername ?? user.email,
    ]);
    for (const text of [...secrets, ...userData.filter((one) => one !== 'stranger')]) expect(log).not.toContain(text);
    for (const text of userData) expect(passed.join('\n')).not.toContain(text);
  } finally {
    await test.close();
    await rm(folder, { recursive: true, force: true });
  }
});
