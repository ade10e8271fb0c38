import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { notPassed, suiteTests } from '../dicomweb-suite-results.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { quickTimes } from './receiving.ts';

/** Folder of datadoc1/dicomweb-conformance-tests, which is not part of this repository. */
const suite = process.env.DENTARIUM_DICOMWEB_SUITE;
const leastPassed = 40;
if (suite === undefined) console.log('DENTARIUM_DICOMWEB_SUITE names no folder: the public suite is not run.');

interface Result {
  readonly test_name: string;
  readonly protocol: string;
  readonly status: 'PASS' | 'FAIL' | 'SKIP';
  readonly message: string;
}

/** Passes calls on with the token of a user, which the suite does not know. Returns its port. */
const tokenProxy = async (url: string, token: string): Promise<number> => {
  const server = createServer((incoming, outgoing) => {
    const target = new URL((incoming.url ?? '').replace(/^\/dicomweb/, ''), 'http://suite');
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const call = request(`${url}${target.pathname}${target.search}`, { method: incoming.method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

it.skipIf(suite === undefined)(
  'DICOMweb passes the public suite but for what the conformance statement names',
  async () => {
    const archive = await archiveUnderTest({ receivingTimes: quickTimes });
    onTestFinished(() => archive.close());
    const web = dicomWebOf(archive);
    await web.addPatient(
      { personalNumber: '19800101-1234' },
      [1, 2].map((number) => objectAt('2.25.98', {}, number)),
    );
    const port = await tokenProxy(`${archive.url}/dicomweb/${archive.clinics.customerId}`, archive.clinics.doctorId);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-suite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = path.join(suite ?? '', 'run_tests.py');
    const args = [
      '--pacs-url',
      `http://127.0.0.1:${port}/dicomweb`,
      '--output-format',
      'json',
      '--output-file',
      'results',
    ];
    const child = spawn('/usr/bin/python3', ['-B', program, ...args, '--quiet'], { cwd: folder, stdio: 'ignore' });
    await once(child, 'exit');
    const { all_test_results: results }: { all_test_results: Result[] } = JSON.parse(
      readFileSync(path.join(folder, 'results.json'), 'utf8'),
    );
    const nameOf = ({ protocol, test_name }: Result) => `${protocol} ${test_name}`;
    for (const result of results) console.log(`${result.status} ${nameOf(result)}: ${result.message}`);
    const passed = results.filter(({ status }) => status === 'PASS');
    console.log(`${passed.length} of ${results.length} passed`);
    expect(results.length).toBe(suiteTests);
    expect(passed.length).toBeGreaterThanOrEqual(leastPassed);
    expect(
      results
        .filter(({ status }) => status !== 'PASS')
        .map(nameOf)
        .toSorted(),
    ).toEqual(notPassed.toSorted());
  },
  300_000,
);
