import type { StandIn } from '../stand-in.ts';
import { bankIdApp } from './app.ts';
import { makeCertificates } from './certificates.ts';
import { defaultTimings, openOrders, type Timings } from './orders.ts';
import { type Mood, rpApi } from './rp-api.ts';

export interface BankIdOptions {
  /** Folder of the certificates. */
  readonly folder: string;
  /** Port of the app; any free one by default. */
  readonly port?: number;
  /** Of the RP API. */
  readonly apiPort?: number;
  readonly timings?: Partial<Timings>;
}

/** A TEST server of BankID's RP API v6.0 and its app, on this machine only. `url` is the app's. */
export const start = async ({ folder, port = 0, apiPort = 0, timings = {} }: BankIdOptions): Promise<StandIn> => {
  const certificates = makeCertificates(folder);
  const orders = openOrders({ ...defaultTimings, ...timings });
  const mood: Mood = { away: false };
  const api = rpApi(orders, mood, certificates);
  const app = bankIdApp(orders, mood);
  const apiUrl = await api.listen({ port: apiPort, host: '127.0.0.1' });
  const url = await app.listen({ port, host: '127.0.0.1' });
  return {
    url,
    environment: {
      DENTARIUM_BANKID_URL: `${apiUrl}/rp/v6.0`,
      DENTARIUM_BANKID_CERTIFICATE: certificates.clientFile,
      DENTARIUM_BANKID_PASSPHRASE: certificates.passphrase,
      DENTARIUM_BANKID_CA: certificates.caFile,
    },
    close: async () => {
      await Promise.all([api.close(), app.close()]);
    },
  };
};
