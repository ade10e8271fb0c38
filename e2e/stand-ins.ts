import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { start as startBankId } from '../stand-ins/bank-id/start.ts';
import { start as startOpenId } from '../stand-ins/openid/start.ts';
import { start as startSms } from '../stand-ins/sms/start.ts';

const told = async (url: string, body?: unknown): Promise<unknown> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const reply = await fetch(url, body === undefined ? {} : init);
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return reply.status === 204 ? null : reply.json();
};

/** The test servers of all ways to sign in, and what a person would do at them. */
export const startStandIns = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dentarium-stand-ins-'));
  const [bankId, sms, openid] = await Promise.all([startBankId({ folder }), startSms({}), startOpenId({})]);
  return {
    environment: { ...bankId.environment, ...sms.environment, ...openid.environment },
    azure: openid.azure,
    bankId: {
      /** Reads a code from the screen, as a telephone does; the app asks whether to go on. Answers the order. */
      scan: async (text: string, personalNumber: string): Promise<string> =>
        ((await told(`${bankId.url}/scan`, { text, personalNumber })) as { id: string }).id,
      answer: (id: string, answer: 'yes' | 'no') => told(`${bankId.url}/answer`, { id, answer }),
    },
    sms: {
      messages: async (): Promise<{ to: string; message: string }[]> =>
        (await told(`${sms.url}/messages`)) as { to: string; message: string }[],
    },
    close: async () => {
      await Promise.all([bankId.close(), sms.close(), openid.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;
