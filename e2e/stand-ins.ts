import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { start as startBankId } from '../stand-ins/bank-id/start.ts';
import { start as startOpenId } from '../stand-ins/openid/start.ts';
import { start as startSms } from '../stand-ins/sms/start.ts';

const call = async (url: string, body?: unknown): Promise<unknown> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const reply = await fetch(url, body === undefined ? {} : init);
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return reply.status === 204 ? null : reply.json();
};

/** Control API of the test servers for external sign-in, acting as the user. */
export const startStandIns = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dentarium-stand-ins-'));
  const [bankId, sms, openid] = await Promise.all([startBankId({ folder }), startSms({}), startOpenId({})]);
  return {
    environment: { ...bankId.environment, ...sms.environment, ...openid.environment },
    azure: openid.azure,
    bankId: {
      /** Scans a QR code as the BankID app does and returns the order. */
      scan: async (text: string, personalNumber: string): Promise<string> =>
        ((await call(`${bankId.url}/scan`, { text, personalNumber })) as { id: string }).id,
      answer: (id: string, answer: 'yes' | 'no') => call(`${bankId.url}/answer`, { id, answer }),
    },
    sms: {
      messages: async (): Promise<{ to: string; message: string }[]> =>
        (await call(`${sms.url}/messages`)) as { to: string; message: string }[],
    },
    close: async () => {
      await Promise.all([bankId.close(), sms.close(), openid.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;
