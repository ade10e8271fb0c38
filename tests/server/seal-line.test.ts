import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertAccesses } from '../../server/db/stores/access-log.ts';
import { newestSealOf } from '../../server/db/stores/access-log-seals.ts';
import { openLog } from '../../server/log.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, runServer } from './running-server.ts';

let test: TestDatabase;
let running: RunningServer | undefined;
const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-seal-line-'));
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(async () => {
  await running?.close();
  await test?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the server log has each new seal of the access log with what an anchor compares', async () => {
  const file = path.join(folder, 'server.log');
  await insertAccesses(test.db, [
    { at: new Date(), accountId: null, customerId: null, patientId: null, objectId: null, action: 'sign-in' },
  ]);
  running = await runServer(test.database, { log: openLog(file, 'info') });
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('access log sealed'))
      .map((line) => JSON.parse(line));
  await expect.poll(lines, { timeout: 20_000 }).toHaveLength(1);
  const seal = await newestSealOf(test.db);
  expect(lines()[0]).toMatchObject({ seal: seal?.id, hash: seal?.hash, mac: seal?.mac });
});
