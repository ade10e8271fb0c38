import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { bankId } from '../../server/identity/bank-id/bank-id.ts';
import { bankIdOrders } from '../../server/identity/bank-id/bank-id-orders.ts';
import { readBankIdSettings } from '../../server/identity/bank-id/bank-id-settings.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { testDatabase } from './database.ts';
import { newFolder, signInNode, until } from './sign-in-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

/** Personal numbers in the app: of one account, of two, of none, and of an inactive one. */
export const accountNumbers = {
  one: '199001019802',
  two: '198506159811',
  unknown: '197001019983',
  gone: '196003039806',
};

/** A node that signs in by the BankID test server, and accounts with personal numbers. */
export const bankIdUnderTest = async () => {
  const database = await testDatabase();
  const clinic = await addTwoClinics(database.db);
  const setNumber = (id: string, number: string) =>
    database.db.updateTable('account').set({ personal_number: number }).where('id', '=', id).execute();
  await setNumber(clinic.doctorId, '900101-9802');
  await setNumber(clinic.adminId, accountNumbers.two);
  await setNumber(clinic.otherDoctorId, '19850615-9811');
  const role = { role: 'Doctor', customerId: clinic.customerId, isActive: false } as const;
  await setNumber(await addAccount(database.db, { email: 'gone@prov.example', ...role }), accountNumbers.gone);
  const folder = await newFolder();
  const standIn = await startStandIn('bank-id', { folder: folder.folder });
  const openNode = () =>
    signInNode((interactions) =>
      bankId({
        db: database.db,
        orders: bankIdOrders({
          db: database.db,
          settings: readBankIdSettings(standIn.environment),
          issuer: 'https://archive.example',
        }),
        interactions,
        checkReplies: true,
      }),
    );
  const node = await openNode();
  return {
    database,
    clinic,
    standIn,
    node,
    openNode,
    close: async () => {
      await node.close();
      await standIn.close();
      await folder.remove();
      await database.close();
    },
  };
};

export type BankIdUnderTest = Awaited<ReturnType<typeof bankIdUnderTest>>;

/** Calls of a browser, and those of the app on the test server. */
export const bankIdCalls = (under: () => BankIdUnderTest) => {
  /** A browser at the page of its own interaction. */
  const browser = (of = under().node) => {
    const uid = randomUUID();
    return {
      uid,
      start: async (at = of, headers = {}) => (await at.post(uid, 'bankid', {}, headers)).body,
      collect: (at = of) => at.post(uid, 'bankid/collect'),
      cancel: () => of.post(uid, 'bankid/cancel'),
      /** Polls until BankID reports the result. */
      settled: () =>
        until(
          () => of.post(uid, 'bankid/collect'),
          ({ body }) => body.status !== 'pending',
        ),
    };
  };
  const app = async (call: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${under().standIn.url}/${call}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const scan = (text: string, personalNumber?: string) => app('scan', { text, personalNumber });
  const link = (token: string) => `bankid:///?autostarttoken=${token}&redirect=null`;
  const answered = async (id: string, answer: 'yes' | 'no') =>
    expect((await app('answer', { id, answer })).status).toBe(200);
  return { browser, app, scan, link, answered };
};
